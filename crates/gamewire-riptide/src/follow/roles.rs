use gamewire_machine::End;

use crate::shared::header::Header;
use crate::shared::packet::Side;
use crate::shared::version::Version;

/// Which end is the client, as far as it has shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    client: Option<End>,
    /// A packet showed it that only one side sends.
    is_sure: bool,
}

impl Roles {
    pub(super) const fn client(&self) -> Option<End> {
        self.client
    }

    /// The side at `from`, which sends `packet`.
    pub(super) fn side<V: Version>(&mut self, from: End, packet: &[u8]) -> Side {
        let is_client = |side| if side == Side::Client { from } else { from.other() };
        if !self.is_sure {
            match shown::<V>(packet) {
                Shown::Surely(side) => *self = Self { client: Some(is_client(side)), is_sure: true },
                Shown::Maybe(side) => self.client = self.client.or_else(|| Some(is_client(side))),
                Shown::Nothing => {}
            }
        }
        let client = self.client.unwrap_or(End::First);
        if from == client { Side::Client } else { Side::Server }
    }
}

/// What a packet shows of its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nobody else sends such a packet.
    Surely(Side),
    /// Both send it, but this side first.
    Maybe(Side),
    /// Both send it.
    Nothing,
}

/// What `packet` shows of its sender.
pub(super) fn shown<V: Version>(packet: &[u8]) -> Shown {
    let Some(header) = header::<V>(packet) else { return Shown::Nothing };
    match (header, packet.len()) {
        (Header::Connect, 1) => Shown::Maybe(Side::Client),
        (Header::Connect, _) | (Header::Heartbeat, 4..) | (Header::Disconnect, 1) => {
            Shown::Surely(Side::Client)
        }
        (
            Header::Heartbeat
            | Header::Disconnect
            | Header::Reject
            | Header::ClientConnected
            | Header::ClientDisconnected,
            _,
        ) => Shown::Surely(Side::Server),
        (Header::Welcome, _) => Shown::Maybe(Side::Server),
        _ => Shown::Nothing,
    }
}

/// The header of a packet, if it has one.
pub(super) fn header<V: Version>(packet: &[u8]) -> Option<Header> {
    let &first = packet.first()?;
    Some(V::header(if V::HEADER_BITS < 8 { first & 0x0f } else { first }))
}
