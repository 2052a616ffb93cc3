use std::path::PathBuf;

use clap::Args;

use super::foreign::{IsGiven, first_set_option};

/// What only servers of Teeworlds have.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Teeworlds")]
pub(super) struct TeeworldsOptions {
    /// The player's clan
    #[arg(long, value_name = "CLAN")]
    pub(super) clan: Option<String>,
    /// Log in to the remote console
    #[arg(long, value_name = "PASSWORD")]
    pub(super) rcon: Option<String>,
    /// Send this line to the remote console; may be given several times
    #[arg(long, value_name = "LINE", requires = "rcon")]
    pub(super) command: Vec<String>,
    /// Download the map if it is not in this folder; without this the player plays without it
    #[arg(long, value_name = "FOLDER")]
    pub(super) maps: Option<PathBuf>,
    /// Connect again when the server asks for it, or when the connection is lost
    #[arg(long)]
    pub(super) reconnect: bool,
}

impl TeeworldsOptions {
    /// The first of them that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        first_set_option(&[
            ("--clan", self.clan.is_given()),
            ("--rcon", self.rcon.is_given()),
            ("--command", self.command.is_given()),
            ("--maps", self.maps.is_given()),
            ("--reconnect", self.reconnect.is_given()),
        ])
    }
}
