use gamewire_machine::Role;
use std::net::SocketAddr;

/// A datagram that went by in a conversation: all that is known of it apart from its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketInfo {
    /// The number of the frame in the capture, from 1.
    pub frame: u64,
    /// Nanoseconds since the first frame of the capture; negative if the clock went back.
    pub time: i64,
    /// The number of the conversation, from 1, in the order of their first recognised datagrams.
    pub conversation: u64,
    /// The name of the protocol.
    pub protocol: &'static str,
    /// The dialect, as far as it has shown.
    pub dialect: Option<&'static str>,
    /// Which role sent the datagram.
    pub sender: Role,
    /// Who sent it.
    pub from: SocketAddr,
    /// Whom it is for.
    pub to: SocketAddr,
    /// The bytes it had on the wire, without the headers of UDP and below.
    pub length: usize,
}
