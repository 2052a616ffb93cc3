use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// Replay a recorded Freeciv game to every client
///
/// Each client that joins receives what a server sent in the recorded game, with its own connection
/// in place of the recorded one: everything up to the first turn immediately, then turn after turn.
/// The graphical client shows the map. Joins, leaves and chat are printed. Ctrl-C and SIGTERM stop
/// the server and disconnect the clients.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(in crate::serve) struct FreecivReplay {
    /// Recording: all bytes that a Freeciv 3.0 server sent over one connection
    #[arg(long, value_name = "FILE")]
    pub(super) replay: PathBuf,
    /// Address to listen on [default: [::]:5556, for IPv4 as well; without IPv6 0.0.0.0:5556]
    #[arg(long, value_name = "ADDR:PORT")]
    pub(super) bind: Option<SocketAddr>,
    /// Duration of a turn; it is shorter for a client that ends its turn
    #[arg(long, alias = "pace", value_name = "TIME", default_value = "2s", value_parser = crate::duration::parse)]
    pub(super) turn_time: Duration,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// Print JSON: one object per line for each event and for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Print no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve freeciv --replay game.bin
  gamewire serve freeciv --replay game.bin --bind 127.0.0.1:5557 --turn-time 500ms --json
See --help for recordings and the exit codes.";

const LONG_HELP: &str = "\
Recordings:
  A recording is one direction of a connection: all bytes that a client read from its socket.
  A client needs the same capabilities as the recorded one.

Exit status:
  0  the server stopped after its time or on request
  1  the server could not listen, or the recording could not be read
  2  invalid options

Examples:
  gamewire serve freeciv --replay game.bin
  gamewire serve freeciv --replay game.bin --bind 127.0.0.1:5557 --turn-time 500ms --json
  freeciv-gtk3.22 -a -n me -s 127.0.0.1 -p 5557";
