use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// A server of Freeciv that shows a recorded game to every client
///
/// Each client that joins is told what another server once told another client, with its own
/// connection in place of the recorded one: up to the first turn at once, then turn after turn. The
/// graphical client of the game shows the map. Who comes and goes and what is said is printed;
/// Ctrl-C and SIGTERM stop the server, which the clients are told.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(in crate::serve) struct FreecivReplay {
    /// What a server of Freeciv 3.0 has sent over one connection, byte for byte, from the first one on
    #[arg(long, value_name = "FILE")]
    pub(super) replay: PathBuf,
    /// Where to listen [default: [::]:5556, for IPv4 as well; without IPv6 0.0.0.0:5556]
    #[arg(long, value_name = "ADDR:PORT")]
    pub(super) bind: Option<SocketAddr>,
    /// How long a turn takes; a client that ends its turn need not wait
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = crate::duration::parse)]
    pub(super) turn_time: Duration,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) time: Option<Duration>,
    /// Print JSON: one object a line for each event, and one for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// No summary at the end
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve freeciv --replay game.bin
  gamewire serve freeciv --replay game.bin --bind 127.0.0.1:5557 --pace 500ms --json
See --help for how a recording is made, and the exit codes.";

const LONG_HELP: &str = "\
Recordings:
  A recording is one direction of a connection: all bytes that a client has read from its socket.
  The client that comes needs the capabilities that the recorded one had.

Exit status:
  0  the server stopped when it was time, or when it was told to
  1  it could not listen, or the recording could not be read
  2  wrong options

Examples:
  gamewire serve freeciv --replay game.bin
  gamewire serve freeciv --replay game.bin --bind 127.0.0.1:5557 --pace 500ms --json
  freeciv-gtk3.22 -a -n me -s 127.0.0.1 -p 5557";
