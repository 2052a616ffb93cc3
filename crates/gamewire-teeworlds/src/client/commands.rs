#[allow(unused_imports, reason = "for links in docs")]
use super::Event;
use super::planned_inputs::PlannedInputs;
use super::{Client, ClientState, CommandError};
use crate::link::CloseReason;
#[allow(unused_imports, reason = "for links in docs")]
use crate::link::SendError;
#[allow(unused_imports, reason = "for links in docs")]
use crate::model::EncodeError;
use crate::model::message::{Audience, ClientId, ClientMessage, Input, Profile};
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};

/// The commands use the time of the last call that had a time as an argument. Their messages are sent by the next
/// [`poll_transmit`](gamewire_machine::Machine::poll_transmit).
impl Client {
    /// Leaves the server and sends it `reason`. [`Event::Closed`] follows.
    pub fn disconnect(&mut self, reason: &str) {
        self.send_close(reason);
        self.close(CloseReason::Left);
    }

    /// Leaves the server and connects to it again, at another port if `port` is given. [`Event::Reconnect`] and
    /// [`Event::Redirect`] ask the application to call this.
    ///
    /// # Errors
    /// [`CommandError::NotConnected`] if the client is closed. It stays closed.
    pub fn reconnect(&mut self, port: Option<u16>) -> Result<(), CommandError> {
        if matches!(self.state, ClientState::Closed) {
            return Err(CommandError::NotConnected);
        }
        self.send_close("");
        if let Some(port) = port {
            self.server.set_port(port);
        }
        self.start_connecting();
        Ok(())
    }

    /// Sends a line of chat now. A server drops a line that follows another within a second, and DDNet mutes a player
    /// that sends more than four lines in 5 s: see [`Client::queue_chat`].
    ///
    /// # Errors
    /// [`CommandError`], which is [`EncodeError::NoMessage`] for a whisper in 0.6. Nothing is sent.
    pub fn say(&mut self, audience: Audience, text: &str) -> Result<(), CommandError> {
        self.command(&ClientMessage::Say { audience, text: Text::new(text) })
    }

    /// Queues a line of chat, and sends it when the server accepts it by its limits: a line a second, and on DDNet four
    /// lines and then one in 5 s. [`Client::queued_lines`] returns the number of unsent lines.
    ///
    /// # Errors
    /// [`CommandError`], which is [`SendError::Full`] if 256 lines wait. Nothing is queued.
    pub fn queue_chat(&mut self, audience: Audience, text: &str) -> Result<(), CommandError> {
        self.with_session(|_, context| {
            context.check(&ClientMessage::Say { audience, text: Text::new(text) })?;
            Ok(context.shared.lines.push_chat(audience, text)?)
        })
    }

    /// Queues a command of the remote console, and sends it when the server has acknowledged earlier ones, so that their
    /// output does not fill its send buffer. [`Client::queued_lines`] returns the number of unsent lines.
    ///
    /// # Errors
    /// [`CommandError`], which is [`SendError::Full`] if 256 commands wait. Nothing is queued.
    pub fn queue_rcon(&mut self, line: &str) -> Result<(), CommandError> {
        self.with_session(|_, context| {
            context.check(&ClientMessage::RconCmd(Text::new(line)))?;
            Ok(context.shared.lines.push_command(line)?)
        })
    }

    /// Votes yes (1) or no (-1), or withdraws the vote (0).
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn vote(&mut self, vote: i32) -> Result<(), CommandError> {
        self.command(&ClientMessage::Vote(vote))
    }

    /// Starts a vote. `kind` is `kick`, `spectate` or `option`; `value` is the player or the option.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn call_vote(&mut self, kind: &str, value: &str, reason: &str) -> Result<(), CommandError> {
        self.command(&ClientMessage::CallVote {
            kind: Text::new(kind),
            value: Text::new(value),
            reason: Text::new(reason),
        })
    }

    /// Shows an emoticon.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn emoticon(&mut self, emoticon: Emoticon) -> Result<(), CommandError> {
        self.command(&ClientMessage::Emoticon(emoticon))
    }

    /// Kills the player's character.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn kill(&mut self) -> Result<(), CommandError> {
        self.command(&ClientMessage::Kill)
    }

    /// Requests a change of the team.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn set_team(&mut self, team: Team) -> Result<(), CommandError> {
        self.command(&ClientMessage::SetTeam(team))
    }

    /// Spectates a player, or no player in particular.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn spectate(&mut self, player: Option<ClientId>) -> Result<(), CommandError> {
        self.command(&ClientMessage::Spectate(player))
    }

    /// Logs in to the remote console. The server answers with [`Event::RconAuth`].
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn rcon_login(&mut self, password: &str) -> Result<(), CommandError> {
        self.rcon_login_as("", password)
    }

    /// Logs in to the remote console of DDNet as a user. The server answers with [`Event::RconAuth`].
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn rcon_login_as(&mut self, user: &str, password: &str) -> Result<(), CommandError> {
        let (user, password) = (Text::new(user), Text::new(password));
        self.command(&ClientMessage::RconAuth { user, password, wants_commands: true })
    }

    /// Sends a command to the remote console. The server sends its output as [`Event::RconLine`]s.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn rcon(&mut self, line: &str) -> Result<(), CommandError> {
        self.command(&ClientMessage::RconCmd(Text::new(line)))
    }

    /// Changes the name and looks of the player. In 0.7 only the looks can change.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn change_info(&mut self, profile: Profile<'_>) -> Result<(), CommandError> {
        self.command(&ClientMessage::ChangeInfo(profile))
    }

    /// Queues a vital message, as the games do without `MSGFLAG_FLUSH`: it leaves with the next message or input that
    /// is sent, with [`Client::flush`], or after 500 ms.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn queue(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.with_session(|_, context| context.queue_vital(message))
    }

    /// Sends the messages that wait.
    pub fn flush(&mut self) {
        if let ClientState::Online(online, _) = &mut self.state {
            online.link.flush();
        }
    }

    /// Sends a message as vital: it is resent until the server has it. It leaves immediately, as the games' messages
    /// with `MSGFLAG_FLUSH` and inputs do. The client sends the messages of the login automatically.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent.
    pub fn send(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.command(message)
    }

    /// Sends the content of a chunk, which can be a message that this crate does not know.
    ///
    /// # Errors
    /// [`CommandError::NotConnected`] or [`CommandError::Send`]. Nothing is sent.
    pub fn send_raw(&mut self, vital: bool, content: &[u8]) -> Result<(), CommandError> {
        self.with_session(|_, context| context.send_raw(vital, content))
    }

    /// Sets the input of the player. It is sent at the next tick, and replaces the inputs of [`Client::set_inputs`].
    pub fn set_input(&mut self, input: Input) {
        self.shared.input = input;
        self.shared.planned = PlannedInputs::default();
    }

    /// Sets the inputs of `first_tick`, for example [`Client::next_input_tick`], and of the ticks after it. Each is
    /// sent at its tick, or later if the caller was too slow. At all other ticks, the client sends the input of
    /// [`Client::set_input`].
    pub fn set_inputs(&mut self, first_tick: i32, inputs: Vec<Input>) {
        self.shared.planned = PlannedInputs::new(first_tick, inputs);
    }

    /// Continues the login after [`Event::MapNeeded`] without a download.
    ///
    /// # Errors
    /// [`CommandError::NotConnected`] or [`CommandError::NoMapNeeded`]. Nothing changes.
    pub fn map_ready(&mut self) -> Result<(), CommandError> {
        self.with_session(|state, context| state.map_ready(context))
    }

    /// Downloads the map of [`Event::MapNeeded`]. [`Event::MapLoaded`] or [`Event::MapRefused`] follows.
    ///
    /// # Errors
    /// [`CommandError`], which is [`CommandError::NoMapNeeded`] if the download has already begun. Nothing changes.
    pub fn download_map(&mut self) -> Result<(), CommandError> {
        self.with_session(|state, context| state.download_map(context))
    }

    fn command(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.with_session(|_, context| context.send_vital(message))
    }

    fn send_close(&mut self, reason: &str) {
        let reason = (!reason.is_empty()).then_some(reason.as_bytes());
        match &mut self.state {
            ClientState::Connecting(connecting) => connecting.close(reason),
            ClientState::Online(online, _) => {
                online.flush();
                online.link.close(reason);
            }
            ClientState::Closed => {}
        }
    }
}
