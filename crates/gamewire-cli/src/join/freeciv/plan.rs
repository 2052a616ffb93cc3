use std::collections::VecDeque;

use gamewire_freeciv::session::RequestId;
use gamewire_freeciv::session::client::Client;
use gamewire_inspect::render::Escaped;

use crate::join::Join;

/// Maximum number of the user's packets that the server has not processed. Further lines wait.
pub(super) const MAX_UNPROCESSED: usize = 64;

/// The command that starts the game or observes.
#[derive(Debug)]
pub(super) struct PendingCommand {
    pub(super) request: RequestId,
    pub(super) command: String,
    /// The server's answer, escaped for the terminal.
    pub(super) answer: Option<String>,
}

impl PendingCommand {
    /// Stores the first answer of the server to the command. An answer starts with the name of the command.
    pub(super) fn check(&mut self, text: &[u8]) {
        let name = self.command.split(' ').next().unwrap_or_default();
        if text.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b":")) {
            self.answer.get_or_insert_with(|| Escaped(text).to_string());
        }
    }
}

/// The tasks of a session.
#[derive(Debug)]
pub(super) struct Plan {
    /// Chat lines to send after joining.
    pub(super) say: VecDeque<String>,
    /// Packets of the user that the server has not processed.
    pub(super) unprocessed: VecDeque<RequestId>,
    /// The player's password, until it is sent.
    pub(super) password: Option<String>,
    pub(super) start: bool,
    /// True if the client gives orders only on commands of standard input.
    pub(super) is_manual: bool,
    /// Number of turns after which to leave.
    pub(super) turns: Option<u32>,
    /// The player to observe, empty for the whole game; `None` to play.
    pub(super) observe: Option<String>,
}

impl Plan {
    pub(super) fn of(options: &Join) -> Self {
        Self {
            say: options.players.say.iter().filter(|line| !line.trim().is_empty()).cloned().collect(),
            unprocessed: VecDeque::new(),
            password: options.players.password.clone(),
            start: options.freeciv.start,
            is_manual: options.freeciv.manual,
            turns: options.freeciv.turns,
            observe: options.freeciv.observe.clone(),
        }
    }

    /// Sends the lines of `--say` that fit the limits. Returns an error message if a line cannot be sent.
    pub(super) fn send_lines(&mut self, client: &mut Client) -> Result<(), String> {
        while self.unprocessed.len() < MAX_UNPROCESSED
            && let Some(line) = self.say.pop_front()
        {
            let sent = client.chat(&line);
            self.unprocessed
                .push_back(sent.map_err(|error| format!("cannot send a line of --say: {error}"))?);
        }
        Ok(())
    }

    /// Returns the command to send first, if there is one.
    pub(super) fn command(&self, is_running: bool) -> Option<String> {
        match self.observe.as_deref() {
            Some("") => Some("/observe".to_owned()),
            // Quote the name, because it may contain spaces.
            Some(player) => Some(format!("/observe \"{player}\"")),
            None => (self.start && !is_running).then(|| "/start".to_owned()),
        }
    }
}
