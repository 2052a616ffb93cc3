use std::collections::VecDeque;

use crate::join::Join;

/// What is to be done on a server.
#[derive(Debug)]
pub(super) struct Plan {
    /// To be said once the player is in.
    pub(super) say: VecDeque<String>,
    /// The player's password, until it was used.
    pub(super) password: Option<String>,
    pub(super) start: bool,
    /// Leave after so many turns.
    pub(super) turns: Option<u32>,
    /// Whom to watch, if that is all; nobody is everybody.
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

    /// What to say first in a game that has begun, or has not.
    pub(super) fn command(&self, is_running: bool) -> Option<String> {
        match self.observe.as_deref() {
            Some("") => Some("/observe".to_owned()),
            // Quotes are what keeps a name with blanks together.
            Some(player) => Some(format!("/observe \"{player}\"")),
            None => (self.start && !is_running).then(|| "/start".to_owned()),
        }
    }
}
