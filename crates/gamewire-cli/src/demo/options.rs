use std::time::Duration;

use clap::Args;

use crate::bad_link::BadLink;

/// Show every protocol alive, on this machine alone
///
/// Starts a Teeworlds server that speaks every dialect on one port, with players of each dialect; a
/// room of Riptide for 2.0 and 2.1 over UDP and TCP on one port, with clients of each that hear each
/// other; and a small game of Freeciv, turn after turn, in a world of our own. They are on sockets of
/// the loopback interface, with a slightly lossy link for datagrams between them. A follower decodes
/// every datagram and stream on its way. Ctrl-C or SIGTERM ends it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// End after this time, such as 10s or 2m
    #[arg(long = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) time: Option<Duration>,
    /// Print JSON at the end: one object a line for each conversation, and one for the whole
    #[arg(long)]
    pub(super) json: bool,
    /// Players of each dialect, and clients of each kind
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(super) players: u8,
    /// What the link does to datagrams, both ways
    #[arg(
        long,
        value_name = "LIST",
        default_value = "loss=2%,delay=15ms,jitter=5ms,reorder=1%,duplicate=1%"
    )]
    pub(super) bad_link: BadLink,
}

const EXAMPLES: &str = "\
Examples:
  gamewire demo
  gamewire demo --for 10s --json
  gamewire demo --players 16 --bad-link loss=20%,delay=80ms,jitter=40ms

Exit status:
  0  every player got in, and everything was decoded
  1  sockets could not be opened, or a player did not get in
  3  something could not be decoded";
