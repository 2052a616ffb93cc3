use std::path::PathBuf;

use clap::Args;

use super::foreign::{IsGiven, first_set_option};

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
