//! `gamewire man`: the manual pages.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;

use crate::Cli;
use crate::end::{End, Failure};

/// Print a manual page
///
/// To read it: gamewire man inspect | man -l -
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The verb to print the page of; without it, the page of gamewire itself
    verb: Option<String>,
}

impl Man {
    pub(crate) fn run(self) -> Result<End, Failure> {
        let mut command = Cli::command();
        command.build();
        let page = match &self.verb {
            None => Page::new(command),
            Some(verb) => match command.find_subcommand(verb) {
                Some(found) => Page::new(found.clone()),
                None => {
                    return Err(Failure::Usage(format!("there is no verb {verb:?}: try gamewire --help")));
                }
            },
        };
        let mut text = Vec::new();
        page.render(&mut text)?;
        io::stdout().lock().write_all(&text)?;
        Ok(End::Well)
    }
}
