use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::for_freeciv::FreecivOptions;
use super::for_players::PlayerOptions;
use super::for_riptide::RiptideOptions;
use super::for_teeworlds::TeeworldsOptions;
use crate::bad_link::BadLink;
use crate::url::{JOIN_HELP, Url};

/// Enter a game server as a player without a screen
///
/// Connects, prints what happens, and plays along. On Teeworlds that is chat, who comes and goes,
/// kills, the map, votes; lines from standard input are said in chat. On Riptide it is messages and
/// who comes and goes; lines from standard input are messages to send. On Freeciv it is chat, news
/// and a line for every turn; the player ends its turns, and lines from standard input are said in
/// chat, those with / being commands. Ctrl-C and SIGTERM leave the server as a player would.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP.replace("{URLS}", JOIN_HELP))]
pub(crate) struct Join {
    /// Where to: tw-0.7+udp://HOST:PORT, teeworlds://HOST, riptide://HOST:PORT, freeciv://HOST and others
    pub(super) url: Url,
    /// Leave after this time, such as 10s, 500ms or 2m
    #[arg(long = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) time: Option<Duration>,
    /// How long the server has to answer at first
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::duration::parse)]
    pub(super) timeout: Duration,
    /// Print JSON: one object a line for each event, and one for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Write all that crosses the socket to a pcapng file, for `gamewire inspect`
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Make the link bad for datagrams, both ways: loss=5%,delay=40ms,jitter=10ms,reorder=1%,duplicate=1%,drop-every=3
    #[arg(long, value_name = "LIST")]
    pub(super) bad_link: Option<BadLink>,
    /// No summary at the end
    #[arg(short, long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) players: PlayerOptions,
    #[command(flatten)]
    pub(super) teeworlds: TeeworldsOptions,
    #[command(flatten)]
    pub(super) riptide: RiptideOptions,
    #[command(flatten)]
    pub(super) freeciv: FreecivOptions,
}

const EXAMPLES: &str = "\
Examples:
  gamewire join tw-0.7+udp://127.0.0.1:8303 --name bot --say hello
  gamewire join teeworlds://example.org --for 30s --record session.pcapng
  gamewire join riptide://127.0.0.1 --send '10 int:5 string:\"Hi there\"'
  gamewire join freeciv://127.0.0.1 --name bot --start --turns 20
See --help for all URLs, how messages of Riptide are written, and the exit codes.";

const LONG_HELP: &str = "\
{URLS}

Messages of Riptide, as lines of standard input and with --send:
  [reliable|unreliable] ID VALUES, or notify VALUES. Without a word it is reliable. VALUES are types
  with values: int:5 bool:true string:\"Hi there\" bytes:0aff floats:1,2.5 bits:3:5 hex:0aff.
  With --messages the name of a message and its fields, in any order: player_move tick=5.
  leave leaves, help lists this.

Freeciv:
  The line of a turn is told when it is over: what the player has then, and how many bytes came in
  it: on the wire, before they were compressed, and had every packet been sent whole and not only
  what is new in it. Without a definition of another version, the player founds a city with its
  first settlers.

Exit status:
  0  the player left when it was time, or when it was told to
  1  the server refused, sent the player away, or could not be reached
  2  wrong options

Examples:
  gamewire join tw-0.7+udp://127.0.0.1:8303 --name bot --say hello
  gamewire join tw-0.6+udp://[::1]:8303 --for 10s --json
  gamewire join teeworlds://example.org --record session.pcapng
  gamewire join tw-0.7+udp://127.0.0.1 --rcon secret --command status --for 2s
  gamewire join tw-0.7+udp://127.0.0.1 --maps ~/.cache/gamewire/maps
  gamewire join tw-0.7+udp://127.0.0.1 --bad-link loss=10%,delay=80ms
  gamewire join riptide://127.0.0.1 --data 'string:\"let me in\"'
  gamewire join riptide-2.0+tcp://127.0.0.1:7777 --send '10 int:5' --for 2s --json
  gamewire join riptide://127.0.0.1 --messages game.toml --send 'player_move tick=5'
  gamewire join freeciv://127.0.0.1:5556 --name bot --start --turns 20 --record game.pcapng
  gamewire join freeciv-3.0+tcp://127.0.0.1 --name watcher --observe --json
  gamewire join freeciv://127.0.0.1 --definition freeciv/common/networking/packets.def \\
      --constants constants.toml --capabilities '+Freeciv-3.1-network ids32'";
