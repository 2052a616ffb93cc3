//! Why clients are refused and connections end, as numbers.

use crate::shared::header::reasons;

reasons! {
    reject:
    /// Why a server refuses a client.
    {
        0 => NO_CONNECTION "NoConnection"
        /// No answer came; never sent.
        1 => ALREADY_CONNECTED "AlreadyConnected"
        /// The client is connected already.
        2 => SERVER_FULL "ServerFull"
        /// There is no room.
        3 => REJECTED "Rejected"
        /// The server's application refuses.
        4 => CUSTOM "Custom"
        /// The server's application refuses, and says why.
    }
    disconnect:
    /// Why a connection ends. Servers send Kicked and ServerStopped; the others stay where they arose.
    {
        0 => NEVER_CONNECTED "NeverConnected"
        /// There was no connection.
        1 => CONNECTION_REJECTED "ConnectionRejected"
        /// The server refused.
        2 => TRANSPORT_ERROR "TransportError"
        /// The socket failed.
        3 => TIMED_OUT "TimedOut"
        /// The other side fell silent.
        4 => KICKED "Kicked"
        /// The server's application ends it, and may say why.
        5 => SERVER_STOPPED "ServerStopped"
        /// The server stops.
        6 => DISCONNECTED "Disconnected"
        /// The client left.
        7 => POOR_CONNECTION "PoorConnection"
        /// Too much gets lost.
    }
}

/// The reason that a server of 2.1.0 to 2.2.0 seems to give when it stops: it sends the two bytes
/// 05 05 of the older format. Take it for [`disconnect::SERVER_STOPPED`].
pub const LEGACY_STOP: u8 = 80;
