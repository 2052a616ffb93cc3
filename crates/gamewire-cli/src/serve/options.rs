use clap::{Args, Subcommand};

use super::freeciv::Theatre;
use super::riptide::Room;
use crate::end::{End, Failure};

/// Run a server for the clients of real games
#[derive(Debug, Args)]
#[command(disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Serve {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Riptide(Box<Room>),
    Freeciv(Box<Theatre>),
}

impl Serve {
    pub(crate) fn run(self) -> Result<End, Failure> {
        match self.kind {
            Kind::Riptide(room) => room.run(),
            Kind::Freeciv(theatre) => theatre.run(),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve riptide
  gamewire serve freeciv --replay game.bin
  gamewire serve riptide --help";
