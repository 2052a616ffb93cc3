use std::path::PathBuf;

use clap::Args;

use super::foreign::{IsGiven, first_set_option};

/// What only servers of Riptide have.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for Riptide")]
pub(super) struct RiptideOptions {
    /// Tell the server this with the question for a connection, such as 'string:"let me in"'
    #[arg(long, value_name = "VALUES")]
    pub(super) data: Option<String>,
    /// Send this message once connected; may be given several times
    #[arg(long, value_name = "MESSAGE")]
    pub(super) send: Vec<String>,
    /// Name the game's own messages as this file describes them
    #[arg(long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
}

impl RiptideOptions {
    /// The first of them that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        first_set_option(&[
            ("--data", self.data.is_given()),
            ("--send", self.send.is_given()),
            ("--messages", self.messages.is_given()),
        ])
    }
}
