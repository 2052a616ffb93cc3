use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::server::ServerOptions;
use crate::page::PageOption;
use crate::url::Url;

/// Play Freeciv by JSON lines, from a program in any language
///
/// Joins a Freeciv server 3.0, 3.1 or 3.2 as a player. Prints events as JSON, one object per line. Each line of
/// standard input is a command as JSON and gets one reply, with the id of the command, once the server has processed
/// it. The world, the legal actions of units and the outcome of orders are replies; a turn that begins is an event.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Play {
    /// Server URL: freeciv://HOST:PORT
    #[arg(required_unless_present = "start_server", conflicts_with = "start_server")]
    pub(super) url: Option<Url>,
    /// Name of the player
    #[arg(long, value_name = "NAME", default_value = "gamewire")]
    pub(super) name: String,
    /// Password of the player, if the server requests one
    #[arg(long, value_name = "PASSWORD")]
    pub(super) password: Option<String>,
    /// Start the game if it has not started
    #[arg(long)]
    pub(super) start: bool,
    /// Take an existing player before the first event, such as one of the server's AI or of a scenario
    #[arg(long, value_name = "PLAYER")]
    pub(super) take: Option<String>,
    /// Connect again if the connection is lost, and take up the same player
    #[arg(long)]
    pub(super) reconnect: bool,
    /// Leave after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// Time to wait for the server's first answer
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::duration::parse)]
    pub(super) timeout: Duration,
    /// Home folder of the user that runs a server on this machine; with it the server lets the player save, load and
    /// change all settings, as a server that the command starts always does
    #[arg(long, value_name = "FOLDER", conflicts_with = "start_server")]
    pub(super) server_home: Option<PathBuf>,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    #[command(flatten)]
    pub(super) page: PageOption,
    /// Record the traffic of the socket to a pcapng file, for `gamewire inspect`
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Print JSON, as always
    #[arg(long)]
    pub(super) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gamewire play freeciv://127.0.0.1 --name agent --start --json
  gamewire play --start-server --start --map-seed 7 --game-seed 7 --ai-fill 3 --ruleset classic
Commands, one per line of standard input; the field id is repeated in the reply:
  {\"id\": 1, \"command\": \"world\", \"parts\": [\"me\", \"units\", \"cities\"]}
  {\"id\": 2, \"command\": \"legal_actions\", \"unit\": 105}
  {\"id\": 3, \"command\": \"act\", \"unit\": 105, \"action\": \"found city\", \"name\": \"Roma\"}
  {\"id\": 4, \"command\": \"produce\", \"city\": 121, \"item\": \"Settlers\"}
  {\"id\": 5, \"command\": \"end_turn\"}
docs/json.md lists all commands and events, docs/schema has them as JSON Schemas.";
