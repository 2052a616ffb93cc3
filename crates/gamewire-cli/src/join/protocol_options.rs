//! Options that the protocol of a URL does not have.

use std::path::PathBuf;

use clap::Args;

/// An option that may be given.
trait IsGiven {
    fn is_given(&self) -> bool;
}

impl<T> IsGiven for Option<T> {
    fn is_given(&self) -> bool {
        self.is_some()
    }
}

impl<T> IsGiven for Vec<T> {
    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

impl IsGiven for bool {
    fn is_given(&self) -> bool {
        *self
    }
}

/// Returns the name of the first option that was given.
fn first_set_option(options: &[(&'static str, bool)]) -> Option<&'static str> {
    options.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
}

/// Options of games with players.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Teeworlds and Freeciv")]
pub(super) struct PlayerOptions {
    /// Name of the player [default: gamewire]
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Password of the server; with Freeciv that of the player, prompted for if not given
    #[arg(long, value_name = "PASSWORD")]
    pub(super) password: Option<String>,
    /// Send this chat line after joining; may be given several times
    #[arg(long, value_name = "LINE")]
    pub(super) say: Vec<String>,
}

impl PlayerOptions {
    /// The default player name.
    const NAME: &str = "gamewire";

    /// Returns the player's name.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(Self::NAME)
    }

    /// Returns the first of these options that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        first_set_option(&[
            ("--name", self.name.is_given()),
            ("--password", self.password.is_given()),
            ("--say", self.say.is_given()),
        ])
    }
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
    /// Reconnect if the server requests it or the connection is lost
    #[arg(long)]
    pub(super) reconnect: bool,
}

impl TeeworldsOptions {
    /// Returns the first of these options that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        first_set_option(&[
            ("--clan", self.clan.is_given()),
            ("--rcon", self.rcon.is_given()),
            ("--command", self.command.is_given()),
            ("--map-dir", self.map_dir.is_given()),
            ("--reconnect", self.reconnect.is_given()),
        ])
    }
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
}

impl RiptideOptions {
    /// Returns the first of these options that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        first_set_option(&[
            ("--connect-data", self.connect_data.is_given()),
            ("--send", self.send.is_given()),
            ("--messages", self.messages.is_given()),
        ])
    }
}

/// Options of Freeciv.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Freeciv")]
pub(super) struct FreecivOptions {
    /// Start the game if it has not started
    #[arg(long, conflicts_with = "observe")]
    pub(super) start: bool,
    /// Leave after N turns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) turns: Option<u32>,
    /// Observe the whole game, or one PLAYER, instead of playing
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) observe: Option<String>,
    /// Protocol definition, a packets.def or a folder of *.def files [default: that of Freeciv 3.0]
    #[arg(long, value_name = "FILE")]
    pub(super) definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to it]
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(super) constants: Option<PathBuf>,
    /// Capability string to send, such as '+Freeciv-3.1-network ids32' [default: that of Freeciv 3.0]
    #[arg(long, value_name = "LIST")]
    pub(super) capabilities: Option<String>,
}

impl FreecivOptions {
    /// Returns the first of these options that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        first_set_option(&[
            ("--start", self.start.is_given()),
            ("--turns", self.turns.is_given()),
            ("--observe", self.observe.is_given()),
            ("--definition", self.definition.is_given()),
            ("--constants", self.constants.is_given()),
            ("--capabilities", self.capabilities.is_given()),
        ])
    }
}
