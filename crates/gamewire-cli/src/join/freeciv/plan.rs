use std::collections::VecDeque;

use gamewire_freeciv::agent::{Agent, Command, CommandId};

use crate::join::Join;

/// Maximum number of the user's commands that have no reply. Further lines wait.
pub(super) const MAX_PENDING: usize = 64;

/// The tasks of a session.
#[derive(Debug)]
pub(super) struct Plan {
    /// Chat lines to send after joining.
    pub(super) say: VecDeque<String>,
    /// The player's password, until it is sent.
    pub(super) password: Option<String>,
    pub(super) start: bool,
    /// True if the client gives orders only on commands of standard input.
    pub(super) is_manual: bool,
    /// Number of turns after which to leave.
    pub(super) turns: Option<u32>,
    /// The player to observe, empty for the whole game; `None` to play.
    pub(super) observe: Option<String>,
    /// The command that starts the game or observes, until its reply.
    pub(super) first: Option<CommandId>,
}

impl Plan {
    pub(super) fn of(options: &Join) -> Self {
        Self {
            say: options.players.say.iter().filter(|line| !line.trim().is_empty()).cloned().collect(),
            password: options.players.password.clone(),
            start: options.freeciv.start,
            is_manual: options.freeciv.manual,
            turns: options.freeciv.turns,
            observe: options.freeciv.observe.clone(),
            first: None,
        }
    }

    /// Sends the lines of `--say` that fit the limits.
    pub(super) fn send_lines(&mut self, agent: &mut Agent) {
        while agent.pending_commands() < MAX_PENDING
            && let Some(text) = self.say.pop_front()
        {
            if let Err(error) = agent.execute(&Command::Say { text }) {
                crate::exit_status::warn(format_args!("cannot send a line of --say: {error}"));
            }
        }
    }

    /// Returns the command to send first, if there is one.
    pub(super) fn command(&self, is_pregame: bool) -> Option<String> {
        match self.observe.as_deref() {
            Some("") => Some("/observe".to_owned()),
            // Quote the name, because it may contain spaces.
            Some(player) => Some(format!("/observe \"{player}\"")),
            None => (self.start && is_pregame).then(|| "/start".to_owned()),
        }
    }
}
