use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use gamewire_net::Transports;

use super::relay::Relay;
use crate::bad_link::BadLink;

/// A relay server for rooms of Riptide: every client hears what the others send
///
/// Clients of 2.0 and 2.1 meet on one port, over UDP and TCP. Messages that are relayed go to all
/// other clients in the mode that they came in. Who comes and goes, who is refused and what is sent
/// is printed; who finds the room full is counted. Lines of standard input are commands; Ctrl-C and SIGTERM stop the server, which the
/// clients are told.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(in crate::serve) struct RiptideRelay {
    /// Where to listen [default: [::]:7777, for IPv4 as well; without IPv6 0.0.0.0:7777]
    #[arg(long, value_name = "ADDR:PORT")]
    pub(super) bind: Option<SocketAddr>,
    /// How many clients there may be at once
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=65534))]
    pub(super) max_clients: u16,
    /// What clients may come by: udp, tcp or both
    #[arg(long, value_name = "NAME", default_value = "both", hide_possible_values = true)]
    pub(super) transport: Transport,
    /// Which messages are relayed, by their ids: all, none, or such as 1,5,10-20
    #[arg(long, value_name = "IDS", default_value = "all")]
    pub(super) relay: Relay,
    /// Send each message that is not relayed back to its sender
    #[arg(long)]
    pub(super) echo: bool,
    /// Let in only who says this with the question for a connection, such as 'string:"let me in"'
    #[arg(long, value_name = "VALUES")]
    pub(super) require: Option<String>,
    /// Tell those who say something else this
    #[arg(long, value_name = "VALUES", requires = "expect")]
    pub(super) reject_data: Option<String>,
    /// Be careful with addresses that may be forged: few answers, few connections, and no messages
    /// of clients that have not proven theirs
    #[arg(long)]
    pub(super) strict: bool,
    /// Name the game's own messages as this file describes them, and translate them between 2.0 and 2.1
    #[arg(long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
    /// Make the link bad, both ways, for UDP: loss=5%,delay=40ms,jitter=10ms,reorder=1%,duplicate=1%
    #[arg(long, value_name = "LIST")]
    pub(super) bad_link: Option<BadLink>,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) time: Option<Duration>,
    /// Print JSON: one object a line for each event, and one for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Neither messages nor a summary at the end
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// What clients may come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Transport {
    Udp,
    Tcp,
    Both,
}

impl From<Transport> for Transports {
    fn from(transport: Transport) -> Self {
        match transport {
            Transport::Udp => Self::Udp,
            Transport::Tcp => Self::Tcp,
            Transport::Both => Self::UdpAndTcp,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve riptide
  gamewire serve riptide --bind 127.0.0.1:7777 --relay 10-20 --echo
See --help for the commands of standard input and the exit codes.";

const LONG_HELP: &str = "\
Lines of standard input:
  clients                         list the clients
  kick CLIENT [VALUES]            send a client away, with something to say
  send CLIENT [MODE] ID VALUES    send a message to a client
  all [MODE] ID VALUES            send a message to all clients
  stop                            stop the server
  help                            list these
  MODE is reliable, unreliable or notify, which has no ID; without it is reliable. VALUES are types
  with values: int:5 bool:true string:\"Hi there\" bytes:0aff floats:1,2.5 bits:3:5 hex:0aff.
  With --messages the name of a message and its fields, in any order: all player_move tick=5.

Messages between 2.0 and 2.1:
  What they carry is passed on as bytes. Numbers and text of less than 128 bytes look the same in
  both formats; bools, longer lists and numbers of variable length do not, and need --messages.

Exit status:
  0  the server stopped when it was time, or when it was told to
  1  it could not listen, or a file could not be read
  2  wrong options

Examples:
  gamewire serve riptide
  gamewire serve riptide --bind 127.0.0.1:7777 --relay 10-20 --echo
  gamewire serve riptide --expect 'string:\"let me in\"' --refuse-with 'string:\"who are you?\"'
  gamewire serve riptide --messages game.toml --transport udp --strict
  gamewire serve riptide --max-clients 100 --for 1h --json > room.jsonl";
