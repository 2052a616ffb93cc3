use gamewire_wire::{CodecError, Trace, Writer};

use super::message::{Game, System};
use super::object::Object;
use super::wire::{chunk, connless::Connless, control::ControlMessage, packet};
use crate::shared::object::ObjectSet as _;
use crate::shared::packet::{Header, Packet};
use crate::shared::snapshot::Sizes;
use crate::shared::version::{Senders, SnapshotMessage, SystemSet, Version};

/// Teeworlds 0.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V06;

impl Version for V06 {
    type System<'a> = System<'a>;
    type Game<'a> = Game<'a>;
    type Control<'a> = ControlMessage<'a>;
    type Connless<'a> = Connless<'a>;
    type ConnlessHeader = packet::ConnlessHeader;
    type Object = Object;

    const CHUNK_LOW_BITS: u32 = chunk::LOW_BITS;
    const SIZES: Sizes = sizes;
    const SENDERS: Senders = Senders {
        server_system: &[2..=11, 25..=25, 26..=26],
        server_game: &[1..=16, 27..=27, 28..=28, 30..=30],
        client_system: &[1..=1, 14..=19],
        client_game: &[17..=26, 31..=31],
    };

    #[inline(always)]
    fn parse<'a, T: Trace>(
        datagram: &'a [u8],
        trace: &mut T,
    ) -> Result<Packet<'a, Self::ConnlessHeader>, CodecError> {
        packet::parse(datagram, trace)
    }

    fn write(header: &Header, to: &mut Writer<'_>) -> Result<(), CodecError> {
        packet::write(header, to)
    }

    fn write_connless(header: &Self::ConnlessHeader, to: &mut Writer<'_>) -> Result<(), CodecError> {
        packet::write_connless(header, to)
    }
}

impl<'a> SystemSet<'a> for System<'a> {
    fn snapshot(&self) -> Option<SnapshotMessage<'a>> {
        match *self {
            Self::SnapEmpty(snap) => Some(snap.into()),
            Self::SnapSingle(snap) => Some(snap.into()),
            Self::Snap(snap) => Some(snap.into()),
            _ => None,
        }
    }
}

/// Returns the size of a type. Every plain type of 0.6 has a fixed size.
fn sizes(kind: u16) -> Option<usize> {
    Object::size_of(i32::from(kind))
}
