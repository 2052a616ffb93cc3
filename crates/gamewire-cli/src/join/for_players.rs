use clap::Args;

use super::foreign::{IsGiven, first_set_option};

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
