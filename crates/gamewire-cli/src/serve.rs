//! `gamewire serve`: servers for real clients.

mod riptide;

use clap::{Args, Subcommand};

use self::riptide::RiptideRelay;
use crate::exit_status::{ExitStatus, Failure};

/// Run a server for real game clients
#[derive(Debug, Args)]
#[command(disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Serve {
    #[command(subcommand)]
    kind: ServeCommand,
}

#[derive(Debug, Subcommand)]
enum ServeCommand {
    Riptide(Box<RiptideRelay>),
}

impl Serve {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        match self.kind {
            ServeCommand::Riptide(relay) => relay.run(),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve riptide
  gamewire serve riptide --help";
