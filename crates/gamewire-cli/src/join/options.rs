use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::bad_link::BadLink;
use crate::url::{JOIN_HELP, Url};

/// Enter a game server as a player without a screen
///
/// Logs in, plays along, and prints what happens: chat, who comes and goes, kills, the map, votes.
/// Lines from standard input are said in chat. Ctrl-C and SIGTERM leave the server as a player would.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP.replace("{URLS}", JOIN_HELP))]
pub(crate) struct Join {
    /// Where to: tw-0.7+udp://HOST:PORT, tw-0.6+udp://HOST:PORT, teeworlds://HOST and others
    pub(super) url: Url,
    /// The player's name
    #[arg(long, default_value = "gamewire", value_name = "NAME")]
    pub(super) name: String,
    /// The player's clan
    #[arg(long, default_value = "", hide_default_value = true, value_name = "CLAN")]
    pub(super) clan: String,
    /// The server's password
    #[arg(long, default_value = "", hide_default_value = true, value_name = "PASSWORD")]
    pub(super) password: String,
    /// Say this line once in the game; may be given several times
    #[arg(long, value_name = "LINE")]
    pub(super) say: Vec<String>,
    /// Log in to the remote console
    #[arg(long, value_name = "PASSWORD")]
    pub(super) rcon: Option<String>,
    /// Send this line to the remote console; may be given several times
    #[arg(long, value_name = "LINE", requires = "rcon")]
    pub(super) command: Vec<String>,
    /// Leave after this time, such as 10s, 500ms or 2m
    #[arg(long = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) time: Option<Duration>,
    /// How long the server has to answer at first
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::duration::parse)]
    pub(super) timeout: Duration,
    /// Print JSON: one object a line for each event, and one for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Write every datagram that crosses the socket to a pcapng file, for `gamewire inspect`
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Download the map if it is not in this folder; without this the player plays without it
    #[arg(long, value_name = "FOLDER")]
    pub(super) maps: Option<PathBuf>,
    /// Connect again when the server asks for it, or when the connection is lost
    #[arg(long)]
    pub(super) reconnect: bool,
    /// Make the link bad, both ways: loss=5%,delay=40ms,jitter=10ms,reorder=1%,duplicate=1%,drop-every=3
    #[arg(long, value_name = "LIST")]
    pub(super) bad_link: Option<BadLink>,
    /// No summary at the end
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  gamewire join tw-0.7+udp://127.0.0.1:8303 --name bot --say hello
  gamewire join teeworlds://example.org --for 30s --record session.pcapng
See --help for the dialects of URLs and the exit codes.";

const LONG_HELP: &str = "\
{URLS}

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
  gamewire join tw-0.7+udp://127.0.0.1 --bad-link loss=10%,delay=80ms";
