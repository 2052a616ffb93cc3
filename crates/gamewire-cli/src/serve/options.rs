use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use clap::{Args, Subcommand};
use gamewire_net::OpenError;

use super::freeciv::FreecivReplay;
use super::riptide::RiptideRelay;
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
    Freeciv(Box<FreecivReplay>),
}

impl Serve {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        match self.kind {
            ServeCommand::Riptide(relay) => relay.run(),
            ServeCommand::Freeciv(replay) => replay.run(),
        }
    }
}

/// Opens a server at `bind`, or at `port` of every address.
pub(super) fn open<D>(
    bind: Option<SocketAddr>,
    port: u16,
    open: impl Fn(SocketAddr) -> Result<D, OpenError>,
) -> Result<D, Failure> {
    let driver = match bind {
        Some(local) => open(local),
        // Not every system has IPv6. If it has, its error is the better one.
        None => open((Ipv6Addr::UNSPECIFIED, port).into())
            .or_else(|error| open((Ipv4Addr::UNSPECIFIED, port).into()).map_err(|_| error)),
    };
    driver.map_err(|error| Failure::Failed(error.to_string()))
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve riptide
  gamewire serve freeciv --replay game.bin
  gamewire serve riptide --help";
