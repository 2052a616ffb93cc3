use std::path::PathBuf;

use clap::Args;

use super::foreign::{IsGiven, first_set_option};

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
