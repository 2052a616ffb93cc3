use thiserror::Error;

use crate::Format;

/// Why a packet was dropped; nothing else came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ServerPacketError {
    /// There is a connection, but the packet does not belong to it; or there is none.
    #[error(transparent)]
    Packet(#[from] crate::PacketError),
    /// Its sender asks for a connection in a format that is not spoken here.
    #[error("its sender speaks {0}, which is not spoken here")]
    Format(Format),
    /// Too many connections are half open, in all or of this address.
    #[error("too many connections are half open")]
    HalfOpen,
    /// The server has stopped.
    #[error("the server has stopped")]
    Stopped,
}
