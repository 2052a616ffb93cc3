use thiserror::Error;

use crate::link::SendError;
use crate::model::EncodeError;

/// The error of a command. The client's state is unchanged, unless the command closed the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// There is no connection.
    #[error("not connected")]
    NotConnected,
    /// No map is needed, or its download has begun.
    #[error("no map is needed")]
    NoMapNeeded,
    /// The dialect does not have this message, a value is out of its range, or a text is too long or has a zero byte.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The connection does not accept the message.
    #[error(transparent)]
    Send(#[from] SendError),
}
