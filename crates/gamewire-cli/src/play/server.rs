use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use gamewire::freeciv::{LocalServer, LocalServerConfig};

use crate::exit_status::Failure;
use crate::url::Url;

/// The server that the command starts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of a server that the command starts")]
pub(super) struct ServerOptions {
    /// Start a freeciv-server on this machine, and end it with the command
    #[arg(long)]
    pub(super) start_server: bool,
    /// The program [default: freeciv-server on PATH or in /usr/games]
    #[arg(long, value_name = "FILE", requires = "start_server")]
    server_program: Option<PathBuf>,
    /// Ruleset, such as classic or civ2civ3
    #[arg(long, value_name = "NAME", requires = "start_server")]
    ruleset: Option<String>,
    /// Saved game or scenario to load
    #[arg(long, value_name = "FILE", requires = "start_server")]
    load: Option<PathBuf>,
    /// Seed of the map
    #[arg(long, value_name = "N", requires = "start_server")]
    map_seed: Option<u32>,
    /// Seed of the game
    #[arg(long, value_name = "N", requires = "start_server")]
    game_seed: Option<u32>,
    /// Size of the map in 1,000 tiles
    #[arg(long, value_name = "N", requires = "start_server")]
    size: Option<u32>,
    /// Number of players; the server's AI controls the missing ones
    #[arg(long, value_name = "N", requires = "start_server")]
    ai_fill: Option<u32>,
    /// Level of the server's AI, such as novice or easy
    #[arg(long, value_name = "LEVEL", requires = "start_server")]
    ai_level: Option<String>,
    /// Last turn of the game
    #[arg(long, value_name = "N", requires = "start_server")]
    end_turn: Option<u32>,
    /// Seconds per turn; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "0", requires = "start_server")]
    turn_seconds: u32,
    /// Another setting of the server; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "start_server", value_parser = setting)]
    set: Vec<(String, String)>,
}

impl ServerOptions {
    /// Starts the server, if the options request it. Returns its URL.
    pub(super) fn start(&self, timeout: Duration) -> Result<Option<(LocalServer, Url)>, Failure> {
        if !self.start_server {
            return Ok(None);
        }
        let config = LocalServerConfig {
            program: self.server_program.clone(),
            ruleset: self.ruleset.clone(),
            load: self.load.clone(),
            map_seed: self.map_seed,
            game_seed: self.game_seed,
            size: self.size,
            ai_fill: self.ai_fill,
            ai_level: self.ai_level.clone(),
            end_turn: self.end_turn,
            turn_seconds: self.turn_seconds,
            settings: self.set.clone(),
            start_timeout: timeout.max(LocalServerConfig::default().start_timeout),
            ..LocalServerConfig::default()
        };
        let server = LocalServer::start(&config).map_err(|error| Failure::Failed(error.to_string()))?;
        let url = format!("freeciv://{}", server.address()).parse();
        let url = url.map_err(|error| Failure::Failed(format!("invalid address of the server: {error}")))?;
        Ok(Some((server, url)))
    }
}

/// Parses a setting.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as phasemode=PLAYER")?;
    Ok((name.to_owned(), value.to_owned()))
}
