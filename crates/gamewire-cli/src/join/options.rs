use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::help::{EXIT_STATUS, JSON_HELP, MESSAGES_HELP, TURNS_HELP};
use crate::impairment::Impairment;
use crate::page::PageOption;
use crate::riptide::PeerLimits;
use crate::url::{JOIN_HELP, Url};

/// Join a game server as a headless player
///
/// Connects, prints events and plays along. On Teeworlds it prints chat, joins, leaves, kills, the
/// map and votes; lines from standard input are sent as chat. On Riptide it prints messages, joins
/// and leaves; lines from standard input are messages to send. On Freeciv it prints chat, news and a
/// line per turn; the player ends its turns, and lines from standard input are sent as chat, or as
/// commands if they start with /. Ctrl-C and SIGTERM disconnect from the server.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Join {
    /// Server URL: tw-0.7+udp://HOST:PORT, teeworlds://HOST, riptide://HOST:PORT, freeciv://HOST and others
    pub(super) url: Url,
    /// Leave after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// Time to wait for the server's first answer
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::duration::parse)]
    pub(super) timeout: Duration,
    /// Print JSON: one object per line for each event and for the summary
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) page: PageOption,
    /// Record the traffic of the socket in a new pcapng file, for `gamewire inspect`; in a folder, such as
    /// recordings/, the file gets the next number
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Impair datagrams in both directions: loss=5%,delay=40ms,jitter=10ms,reorder=1%,duplicate=1%,drop-every=3
    #[arg(long, alias = "bad-link", value_name = "LIST")]
    pub(super) impair: Option<Impairment>,
    /// Print no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) players: PlayerOptions,
    #[command(flatten)]
    pub(super) teeworlds: TeeworldsOptions,
    #[command(flatten)]
    pub(super) again: ReconnectOption,
    #[command(flatten)]
    pub(super) riptide: RiptideOptions,
    #[command(flatten)]
    pub(super) freeciv: FreecivOptions,
}

/// Options of games with players.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Teeworlds and Freeciv")]
pub(super) struct PlayerOptions {
    /// Name of the player [default: gamewire]
    #[arg(long, value_name = "NAME", default_value = "gamewire", hide_default_value = true)]
    pub(super) name: String,
    /// Password of the Teeworlds server, or of the Freeciv player; for Freeciv, the default is to prompt for it
    #[arg(long, value_name = "PASSWORD")]
    pub(super) password: Option<String>,
    /// Send this chat line after joining; may be given several times
    #[arg(long, value_name = "LINE")]
    pub(super) say: Vec<String>,
}

/// Options of Teeworlds.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Teeworlds")]
pub(super) struct TeeworldsOptions {
    /// Clan of the player
    #[arg(long, value_name = "CLAN")]
    pub(super) clan: Option<String>,
    /// Log in to the remote console
    #[arg(long, value_name = "PASSWORD")]
    pub(super) rcon: Option<String>,
    /// Run this command in the remote console; may be given several times
    #[arg(long, value_name = "LINE", requires = "rcon")]
    pub(super) command: Vec<String>,
    /// Download the map if it is not in this folder [default: play without the map]
    #[arg(long, alias = "maps", value_name = "FOLDER")]
    pub(super) map_dir: Option<PathBuf>,
}

/// The option to reconnect.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Teeworlds and Riptide")]
pub(super) struct ReconnectOption {
    /// Reconnect if the connection is lost, or if a Teeworlds server requests it; on Riptide over UDP, for a minute
    #[arg(long)]
    pub(super) reconnect: bool,
}

/// Options of Riptide.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Riptide")]
pub(super) struct RiptideOptions {
    /// Data to send with the connect request, such as 'string:"let me in"'
    #[arg(long, alias = "data", value_name = "VALUES")]
    pub(super) connect_data: Option<String>,
    /// Send this message after connecting; may be given several times
    #[arg(long, value_name = "MESSAGE")]
    pub(super) send: Vec<String>,
    /// Names and types of the game's own messages, a TOML file
    #[arg(long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
    /// Key of the server for riptide-2.1+udps://, a file with 64 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// Trust the certificates in this PEM file for riptide-2.1+wss://, of an authority or of the server [default: the
    /// system's] (feature tls)
    #[arg(long, value_name = "FILE")]
    pub(super) ca: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: PeerLimits,
}

/// Options of Freeciv.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Freeciv")]
pub(super) struct FreecivOptions {
    /// Start the game if it has not started
    #[arg(long, conflicts_with = "observe")]
    pub(super) start: bool,
    /// Give orders and end turns only on commands of standard input
    #[arg(long)]
    pub(super) manual: bool,
    /// Leave after N turns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) turns: Option<u32>,
    /// Observe the whole game, or one PLAYER, instead of playing
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) observe: Option<String>,
    /// Protocol definition, a packets.def or a folder of *.def files [default: the server's version: 3.0, 3.1 or 3.2]
    #[arg(long, value_name = "FILE")]
    pub(super) definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to it]
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(super) constants: Option<PathBuf>,
    /// Capability string to send, such as '+Freeciv-3.1-network ids32' [default: the capabilities of 3.0, 3.1 and 3.2,
    /// or of the definition]
    #[arg(long, value_name = "LIST")]
    pub(super) capabilities: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  gamewire join tw-0.7+udp://127.0.0.1:8303 --name bot --say hello
  gamewire join teeworlds://example.org --duration 30s --record session.pcapng
  gamewire join riptide://127.0.0.1 --send '10 int:5 string:\"Hi there\"'
  gamewire join freeciv://127.0.0.1 --name bot --start --turns 20
gamewire join teeworlds --help shows Teeworlds alone; likewise riptide and freeciv.";

/// Returns the long help for all protocols.
fn long_help() -> String {
    format!(
        "{JOIN_HELP}\n\n\
         Riptide:\n\n{MESSAGES_HELP}\n\n\
         Freeciv:\n\n{TURNS_HELP}\n\n\
         {JSON_HELP}\n\n{EXIT_STATUS}\n\n{EXAMPLES}"
    )
}
