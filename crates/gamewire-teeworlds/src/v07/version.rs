use gamewire_wire::{CodecError, Trace, Writer};

use super::message::{Game, System};
use super::object::Object;
use super::wire::{chunk, connless::Connless, control::ControlMessage, packet};
use crate::shared::object::ObjectSet as _;
use crate::shared::packet::{Header, Packet};
use crate::shared::snapshot::Sizes;
use crate::shared::version::{Senders, SnapshotMessage, SystemSet, Version};

/// Teeworlds 0.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V07;

/// Last type whose size is not sent.
const LAST_FIXED_SIZE: u16 = 22;

impl Version for V07 {
    type System<'a> = System<'a>;
    type Game<'a> = Game<'a>;
    type Control<'a> = ControlMessage<'a>;
    type Connless<'a> = Connless<'a>;
    type ConnlessHeader = packet::ConnlessHeader;
    type Object = Object;

    const CHUNK_LOW_BITS: u32 = chunk::LOW_BITS;
    const SIZES: Sizes = sizes;
    const SENDERS: Senders = Senders {
        server_system: &[2..=15, 29..=29, 30..=30],
        server_game: &[1..=23, 33..=33, 35..=38],
        client_system: &[1..=1, 18..=23],
        client_game: &[24..=32, 34..=34, 39..=39],
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

/// Returns the size of a type. 0.7 fixes the sizes up to type 22; the race objects after it are sent
/// with their size, because 0.7.0 does not know them (docs/protocols/teeworlds.md, "Snapshots").
fn sizes(kind: u16) -> Option<usize> {
    Object::size_of(i32::from(kind)).filter(|_| kind <= LAST_FIXED_SIZE)
}
