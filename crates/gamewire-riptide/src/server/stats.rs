use crate::{PacketError, ServerPacketError};

/// The packets that a server dropped, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketErrorStats {
    /// [`PacketError::Malformed`].
    pub malformed: u64,
    /// [`PacketError::TooLong`].
    pub too_long: u64,
    /// [`PacketError::UnknownAddress`].
    pub unknown_address: u64,
    /// [`PacketError::NotConnected`].
    pub not_connected: u64,
    /// [`PacketError::Unexpected`].
    pub unexpected: u64,
    /// [`PacketError::Busy`], including the packets of [`Server::relay_deferred`](super::Server::relay_deferred).
    pub busy: u64,
    /// [`PacketError::Closed`].
    pub closed: u64,
    /// [`ServerPacketError::Format`].
    pub format: u64,
    /// [`ServerPacketError::HalfOpen`].
    pub half_open: u64,
    /// [`ServerPacketError::Stopped`].
    pub stopped: u64,
}

impl PacketErrorStats {
    #[cold]
    pub(super) const fn count(&mut self, error: &ServerPacketError) {
        let count = match error {
            ServerPacketError::Packet(PacketError::Malformed(_)) => &mut self.malformed,
            ServerPacketError::Packet(PacketError::TooLong { .. }) => &mut self.too_long,
            ServerPacketError::Packet(PacketError::UnknownAddress) => &mut self.unknown_address,
            ServerPacketError::Packet(PacketError::NotConnected) => &mut self.not_connected,
            ServerPacketError::Packet(PacketError::Unexpected(_)) => &mut self.unexpected,
            ServerPacketError::Packet(PacketError::Busy) => &mut self.busy,
            ServerPacketError::Packet(PacketError::Closed) => &mut self.closed,
            // The record layer has its own counters.
            ServerPacketError::Packet(PacketError::Record) => return,
            ServerPacketError::Format(_) => &mut self.format,
            ServerPacketError::HalfOpen => &mut self.half_open,
            ServerPacketError::Stopped => &mut self.stopped,
        };
        *count = count.saturating_add(1);
    }

    /// Returns each reason in one or a few words, with its count.
    pub const fn by_reason(&self) -> [(&'static str, u64); 10] {
        [
            ("malformed", self.malformed),
            ("too_long", self.too_long),
            ("unknown_address", self.unknown_address),
            ("not_connected", self.not_connected),
            ("unexpected", self.unexpected),
            ("busy", self.busy),
            ("closed", self.closed),
            ("format", self.format),
            ("half_open", self.half_open),
            ("stopped", self.stopped),
        ]
    }
}
