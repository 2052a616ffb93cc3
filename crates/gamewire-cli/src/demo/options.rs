use std::time::Duration;

use clap::Args;

use crate::impairment::Impairment;

/// Run servers and clients of every protocol on this machine
///
/// Starts a Teeworlds server for every dialect on one port with players of each dialect, a Riptide
/// relay for 2.0 and 2.1 over UDP and TCP on one port with clients of each kind, and a small Freeciv
/// game in a made-up world. All sockets are on the loopback interface, and datagrams cross a slightly
/// lossy link. A follower decodes every datagram and stream. Stop it with Ctrl-C or SIGTERM.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// Stop after this time, such as 10s or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// Print JSON at the end: one object per line for each conversation and for the totals
    #[arg(long)]
    pub(super) json: bool,
    /// Players of each dialect, and clients of each kind
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(super) players: u8,
    /// Impair datagrams in both directions
    #[arg(
        long,
        alias = "bad-link",
        value_name = "LIST",
        default_value = "loss=2%,delay=15ms,jitter=5ms,reorder=1%,duplicate=1%"
    )]
    pub(super) impair: Impairment,
}

const EXAMPLES: &str = "\
Examples:
  gamewire demo
  gamewire demo --duration 10s --json
  gamewire demo --players 16 --impair loss=20%,delay=80ms,jitter=40ms

Exit status:
  0  every player joined, and everything was decoded
  1  a socket could not be opened, or a player failed to join
  3  something could not be decoded";
