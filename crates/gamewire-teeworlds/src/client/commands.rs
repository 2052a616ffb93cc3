//! What an application tells a client to do. Nothing here needs the time: a machine remembers when
//! it was last told.

use super::{Client, CommandError};
use crate::session::message::{Audience, ClientId, ClientMessage, Input, Profile};
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};

/// Commands that say something fail when there is no connection, when a text is too long or holds
/// a zero byte, or when the connection does not take more. What they say leaves with the next
/// [`poll_transmit`](gamewire_machine::Datagram::poll_transmit).
impl Client {
    /// Says a line of chat.
    ///
    /// # Errors
    /// As for every command; and nobody can whisper in 0.6.
    pub fn say(&mut self, audience: Audience, text: &str) -> Result<(), CommandError> {
        self.command(&ClientMessage::Say { audience, text: Text::new(text) })
    }

    /// Votes yes (1), no (-1), or takes the vote back (0).
    ///
    /// # Errors
    /// As for every command.
    pub fn vote(&mut self, vote: i32) -> Result<(), CommandError> {
        self.command(&ClientMessage::Vote(vote))
    }

    /// Starts a vote: `kind` is `kick`, `spectate` or `option`; `value` says whom, or which.
    ///
    /// # Errors
    /// As for every command.
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
    /// As for every command.
    pub fn emoticon(&mut self, emoticon: Emoticon) -> Result<(), CommandError> {
        self.command(&ClientMessage::Emoticon(emoticon))
    }

    /// Gives up this life.
    ///
    /// # Errors
    /// As for every command.
    pub fn kill(&mut self) -> Result<(), CommandError> {
        self.command(&ClientMessage::Kill)
    }

    /// Asks to change team.
    ///
    /// # Errors
    /// As for every command.
    pub fn set_team(&mut self, team: Team) -> Result<(), CommandError> {
        self.command(&ClientMessage::SetTeam(team))
    }

    /// Watches a player, or nobody in particular.
    ///
    /// # Errors
    /// As for every command.
    pub fn spectate(&mut self, whom: Option<ClientId>) -> Result<(), CommandError> {
        self.command(&ClientMessage::Spectate(whom))
    }

    /// Asks for the remote console; [`Event::RconAuth`](super::Event::RconAuth) answers.
    ///
    /// # Errors
    /// As for every command.
    pub fn rcon_login(&mut self, password: &str) -> Result<(), CommandError> {
        self.command(&ClientMessage::RconAuth { password: Text::new(password) })
    }

    /// Gives the remote console a line; [`Event::RconLine`](super::Event::RconLine) answers.
    ///
    /// # Errors
    /// As for every command.
    pub fn rcon(&mut self, line: &str) -> Result<(), CommandError> {
        self.command(&ClientMessage::RconCmd(Text::new(line)))
    }

    /// Takes another name and other looks; in 0.7 only the looks can change.
    ///
    /// # Errors
    /// As for every command.
    pub fn change_info(&mut self, profile: Profile<'_>) -> Result<(), CommandError> {
        self.command(&ClientMessage::ChangeInfo(profile))
    }

    /// What the player does from now on. It is sent when the tick comes that it is for.
    pub fn set_input(&mut self, input: Input) {
        self.desk.input = input;
    }

    /// The map that [`Event::MapNeeded`](super::Event::MapNeeded) named is there, or goes unread.
    ///
    /// # Errors
    /// When no map is needed.
    pub fn map_ready(&mut self) -> Result<(), CommandError> {
        self.with_stage(|stage, context| stage.have_map(context))
    }

    /// Downloads the map that [`Event::MapNeeded`](super::Event::MapNeeded) named. Its bytes come with
    /// [`Event::MapLoaded`](super::Event::MapLoaded), or [`Event::MapRefused`](super::Event::MapRefused) says why not.
    ///
    /// # Errors
    /// When no map is needed, or its download has begun.
    pub fn download_map(&mut self) -> Result<(), CommandError> {
        self.with_stage(|stage, context| stage.download_map(context))
    }

    fn command(&mut self, word: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.with_stage(|_, context| context.send_vital(word))
    }
}
