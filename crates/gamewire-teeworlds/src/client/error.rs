use thiserror::Error;

use crate::link::SendError;
use crate::session::EncodeError;

/// Why a command was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// There is no connection yet, or none any more.
    #[error("there is no connection")]
    NotConnected,
    /// No map is waited for, or it is being downloaded already.
    #[error("no map is waited for")]
    NoMapNeeded,
    /// The dialect of this connection cannot say it, or a text is too long or holds a zero byte.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The connection does not take it.
    #[error(transparent)]
    Send(#[from] SendError),
}
