use gamewire_machine::Role;
use thiserror::Error;

use super::Client;
use super::session::Session;
use crate::SendError;
use crate::command::{CommandError, OutgoingMessage};
use crate::layout::MessageLayouts;
use crate::message::Sendable;

/// A command of an application to its client.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Sends a message.
    Send(OutgoingMessage),
    /// Disconnects.
    Leave,
}

/// The reason why a command was not executed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExecuteError {
    /// The format of the connection cannot represent the message.
    #[error(transparent)]
    Invalid(CommandError),
    /// The client cannot send the message now, or at all. After [`SendError::Full`], execute the command again later.
    #[error("cannot send the message: {0}")]
    NotSent(SendError),
}

impl Command {
    /// Parses a command: `leave`, or the text of a message.
    ///
    /// # Errors
    /// [`CommandError`] if the text is neither.
    pub fn parse(text: &str, layouts: &MessageLayouts) -> Result<Self, CommandError> {
        match text.trim() {
            "leave" => Ok(Self::Leave),
            text => OutgoingMessage::parse(text, layouts, Role::Client).map(Self::Send),
        }
    }
}

impl<M: Sendable> Session<M> {
    /// Executes a command. Messages that are sent are counted.
    ///
    /// # Errors
    /// [`ExecuteError`]; nothing is sent.
    pub fn execute(&mut self, client: &mut Client, command: &Command) -> Result<(), ExecuteError> {
        match command {
            Command::Send(message) => {
                message.check(client.format()).map_err(ExecuteError::Invalid)?;
                self.send(client, message).map_err(ExecuteError::NotSent)
            }
            Command::Leave => {
                client.disconnect();
                Ok(())
            }
        }
    }
}
