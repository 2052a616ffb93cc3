//! `gamewire completions`: shell completion scripts.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

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
