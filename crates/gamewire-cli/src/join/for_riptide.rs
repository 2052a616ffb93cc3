use std::path::PathBuf;

use clap::Args;

use super::foreign::{IsGiven, first_set_option};

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
