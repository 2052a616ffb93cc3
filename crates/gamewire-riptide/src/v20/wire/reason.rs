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
        2 => PENDING "Pending"
        /// The client waits for an answer already.
        3 => SERVER_FULL "ServerFull"
        /// There is no room.
        4 => REJECTED "Rejected"
        /// The server's application refuses.
        5 => CUSTOM "Custom"
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
    }
}
