//! The kinds of packets.

/// Defines the headers. Their names are the same as in the C# library.
macro_rules! headers {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// Kind of a packet, from its header number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Header {
            $($(#[doc = $doc])+ $name,)+
            /// A number without a meaning. The packet is acknowledged like a reliable one, then dropped.
            Unknown(u8),
        }

        impl Header {
            /// Returns the name in the C# library.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                    Self::Unknown(_) => "unknown",
                }
            }
        }
    };
}

headers! {
    /// A message that may be lost.
    Unreliable,
    /// Acknowledges reliable messages; in 2.1 it may name one more.
    Ack,
    /// 2.0: an ack that names one more message.
    AckExtra,
    /// A client requests a connection, or a server reports that its decision is pending.
    Connect,
    /// A server rejects a client.
    Reject,
    /// A client's ping, or the server's reply.
    Heartbeat,
    /// A client leaves, or a server closes the connection.
    Disconnect,
    /// 2.1: a message; its sender is notified whether it arrived.
    Notify,
    /// A message that is resent until it is acknowledged.
    Reliable,
    /// A server accepts a client, which echoes it.
    Welcome,
    /// Another client connected.
    ClientConnected,
    /// Another client disconnected.
    ClientDisconnected,
}

/// Adds the reliable packets, which have the numbers 7 to 10 in both formats.
pub(crate) const fn numbered(unreliable: [Header; 7]) -> [Header; 11] {
    let [a, b, c, d, e, f, g] = unreliable;
    let (reliable, welcome) = (Header::Reliable, Header::Welcome);
    [a, b, c, d, e, f, g, reliable, welcome, Header::ClientConnected, Header::ClientDisconnected]
}
