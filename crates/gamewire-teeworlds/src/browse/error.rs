use gamewire_wire::CodecError;
use thiserror::Error;

/// Why a datagram was dropped; nothing else came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Reject {
    /// It cannot be read.
    #[error(transparent)]
    Malformed(#[from] CodecError),
    /// It does not have the token that it was asked with.
    #[error("the token is wrong")]
    WrongToken,
    /// Its sender was not asked, or has answered already.
    #[error("its sender was not asked")]
    UnknownAddress,
    /// It is of another kind than what is read here.
    #[error("it does not belong here: {0}")]
    Unexpected(&'static str),
}
