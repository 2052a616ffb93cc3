use std::collections::VecDeque;

use crate::join::Join;

/// The tasks of a session.
#[derive(Debug)]
pub(super) struct Plan {
    /// Chat lines to send after joining.
    pub(super) say: VecDeque<String>,
    /// The player's password, until it is sent.
    pub(super) password: Option<String>,
    pub(super) start: bool,
    /// Number of turns after which to leave.
    pub(super) turns: Option<u32>,
    /// The player to observe, empty for the whole game; `None` to play.
    pub(super) observe: Option<String>,
}

impl Plan {
    pub(super) fn of(options: &Join) -> Self {
        Self {
            say: options.players.say.iter().cloned().collect(),
            password: options.players.password.clone(),
            start: options.freeciv.start,
            turns: options.freeciv.turns,
            observe: options.freeciv.observe.clone(),
        }
    }

    /// Returns the commands to send first.
    pub(super) fn command(&self, is_running: bool) -> Option<String> {
        match self.observe.as_deref() {
            Some("") => Some("/observe".to_owned()),
            // A name with spaces needs quotes.
            Some(player) => Some(format!("/observe \"{player}\"")),
            None => (self.start && !is_running).then(|| "/start".to_owned()),
        }
    }
}
