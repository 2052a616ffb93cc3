//! `gamewire completions` and `gamewire man`: shell completion scripts and manual pages.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::Cli;
use crate::exit_status::{ExitStatus, Failure};

/// Print a shell completion script
///
/// For bash: gamewire completions bash > ~/.local/share/bash-completion/completions/gamewire
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "gamewire", &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(ExitStatus::Success)
    }
}

/// Print a manual page
///
/// To read it: gamewire man inspect | man -l -
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The verb to print the page of, such as inspect or serve riptide [default: gamewire itself]
    verb: Vec<String>,
}

impl Man {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let mut command = Cli::command();
        command.build();
        let mut page = &command;
        for verb in &self.verb {
            page = page.find_subcommand(verb).ok_or_else(|| {
                Failure::Usage(format!("unknown verb {:?}; see gamewire --help", self.verb.join(" ")))
            })?;
        }
        let page = Page::new(page.clone());
        let mut text = Vec::new();
        page.render(&mut text)?;
        io::stdout().lock().write_all(&text)?;
        Ok(ExitStatus::Success)
    }
}
