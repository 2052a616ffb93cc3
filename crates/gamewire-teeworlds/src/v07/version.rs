use gamewire_machine::Role;
use gamewire_wire::{CodecError, Reader, Trace, Writer};

use super::message::{Game, System, sender};
use super::object::Object;
use super::wire::{chunk, connless::Connless, control::ControlMessage, packet};
use crate::shared::message::MessageId;
use crate::shared::object::ObjectSet as _;
use crate::shared::packet::{Chunk, ChunkHeader, Header, Packet};
use crate::shared::snapshot::Sizes;
use crate::shared::version::{SnapshotMessage, SystemSet, Version};

/// Teeworlds 0.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V07;

/// The last type whose size is not sent.
const LAST_FIXED_SIZE: u16 = 22;

impl Version for V07 {
    type System<'a> = System<'a>;
    type Game<'a> = Game<'a>;
    type Control<'a> = ControlMessage<'a>;
    type Connless<'a> = Connless<'a>;
    type ConnlessHeader = packet::ConnlessHeader;
    type Object = Object;

    const SIZES: Sizes = sizes;

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

    #[inline]
    fn read_chunk<'a, T: Trace>(from: &mut Reader<'a>, trace: &mut T) -> Result<Chunk<'a>, CodecError> {
        chunk::read(from, trace)
    }

    fn write_chunk(header: &ChunkHeader, size: usize, to: &mut Writer<'_>) -> Result<(), CodecError> {
        chunk::write(header, size, to)
    }

    fn sender(system: bool, id: MessageId) -> Option<Role> {
        sender(system, id)
    }
}

impl<'a> SystemSet<'a> for System<'a> {
    fn snapshot(&self) -> Option<SnapshotMessage<'a>> {
        match *self {
            Self::SnapEmpty(snap) => Some(SnapshotMessage::Empty { tick: snap.tick, delta: snap.delta }),
            Self::SnapSingle(snap) => Some(SnapshotMessage::Single {
                tick: snap.tick,
                delta: snap.delta,
                crc: snap.crc,
                data: snap.data.0,
            }),
            Self::Snap(snap) => Some(SnapshotMessage::Part {
                tick: snap.tick,
                delta: snap.delta,
                num_parts: snap.num_parts,
                part: snap.part,
                crc: snap.crc,
                data: snap.data.0,
            }),
            _ => None,
        }
    }
}

/// 0.7 fixes the sizes up to type 22; the race objects after it carry theirs, for the sake of
/// 0.7.0 (docs/protocols/teeworlds.md, "Snapshots").
fn sizes(kind: u16) -> Option<usize> {
    Object::size_of(i32::from(kind)).filter(|_| kind <= LAST_FIXED_SIZE)
}
