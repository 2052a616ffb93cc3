//! The trait of a version: its types, constants and headers.

use gamewire_wire::{Reader, Result, Trace, Writer};

use crate::shared::definition::MessageSet;
use crate::shared::message::Message;
use crate::shared::object::ObjectSet;
use crate::shared::packet::{self, Chunk, ChunkHeader, Header, Packet};
use crate::shared::snapshot::Sizes;
use crate::shared::system::{Snap, SnapEmpty, SnapSingle};

/// A version of the protocol.
pub trait Version {
    /// System messages.
    type System<'a>: SystemSet<'a>;
    /// Game messages.
    type Game<'a>: MessageSet<'a, Id = i32>;
    /// Control messages.
    type Control<'a>: MessageSet<'a, Id = u8>;
    /// Browsing messages.
    type Connless<'a>: MessageSet<'a, Id = &'a [u8; 4]>;
    /// Header of browsing messages.
    type ConnlessHeader;
    /// Snapshot objects.
    type Object: ObjectSet<Id = i32>;

    /// Number of low bits of a chunk's size in the second byte of its header.
    const CHUNK_LOW_BITS: u32;
    /// Maximum bytes of a chunk's content. In 0.7, payloads allow less.
    const MAX_CHUNK: usize = packet::max_chunk_size(Self::CHUNK_LOW_BITS);
    /// Sizes of the snapshot objects that are sent without their size.
    const SIZES: Sizes;

    /// Reads the header of a datagram and reports its fields.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the datagram is too long or too short.
    fn parse<'a, T: Trace>(datagram: &'a [u8], trace: &mut T) -> Result<Packet<'a, Self::ConnlessHeader>>;

    /// Writes the header of a packet of a connection.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full.
    fn write(header: &Header, to: &mut Writer<'_>) -> Result<()>;

    /// Writes the header of a packet without a connection.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full.
    fn write_connless(header: &Self::ConnlessHeader, to: &mut Writer<'_>) -> Result<()>;

    /// Reads the next chunk of a payload.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the payload ends within the chunk.
    #[inline]
    fn read_chunk<'a, T: Trace>(from: &mut Reader<'a>, trace: &mut T) -> Result<Chunk<'a>> {
        packet::read_chunk(Self::CHUNK_LOW_BITS, from, trace)
    }

    /// Writes the header of a chunk of `size` bytes.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the size does not fit the header, or the buffer is full.
    #[inline]
    fn write_chunk(header: &ChunkHeader, size: usize, to: &mut Writer<'_>) -> Result<()> {
        packet::write_chunk(Self::CHUNK_LOW_BITS, header, size, to)
    }
}

/// The system messages of a version.
pub trait SystemSet<'a>: MessageSet<'a, Id = i32> {
    /// Returns the content of a snapshot message, or `None` for other messages.
    fn snapshot(&self) -> Option<SnapshotMessage<'a>>;
}

/// A message of version `V`.
pub type MessageOf<'a, V> = Message<'a, <V as Version>::System<'a>, <V as Version>::Game<'a>>;

/// A snapshot message. The base of its delta is `delta` ticks before `tick`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum SnapshotMessage<'a> {
    /// A snapshot that equals its base.
    Empty(SnapEmpty),
    /// A delta in one message.
    Single(SnapSingle<'a>),
    /// One part of a delta.
    Part(Snap<'a>),
}

/// Defines a version: a unit struct that implements [`Version`] with the types of the version of the calling module, which is
/// its `packet`.
macro_rules! version {
    (
        $(#[doc = $doc:literal])+
        $V:ident { chunk_low_bits: $low_bits:literal, last_fixed_size: $last:expr $(,)? }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $V;

        impl $crate::shared::version::Version for $V {
            type System<'a> = super::System<'a>;
            type Game<'a> = super::Game<'a>;
            type Control<'a> = super::control::ControlMessage<'a>;
            type Connless<'a> = super::connless::Connless<'a>;
            type ConnlessHeader = ConnlessHeader;
            type Object = super::object::Object;

            const CHUNK_LOW_BITS: u32 = $low_bits;
            const SIZES: $crate::shared::snapshot::Sizes = |kind| {
                use $crate::shared::object::ObjectSet;
                super::object::Object::size_of(kind.into()).filter(|_| kind <= $last)
            };

            #[inline(always)]
            fn parse<'a, T: gamewire_wire::Trace>(
                datagram: &'a [u8],
                trace: &mut T,
            ) -> gamewire_wire::Result<Packet<'a>> {
                parse(datagram, trace)
            }

            fn write(
                header: &$crate::shared::packet::Header,
                to: &mut gamewire_wire::Writer<'_>,
            ) -> gamewire_wire::Result<()> {
                write(header, to)
            }

            fn write_connless(
                header: &Self::ConnlessHeader,
                to: &mut gamewire_wire::Writer<'_>,
            ) -> gamewire_wire::Result<()> {
                write_connless(header, to)
            }
        }

        impl<'a> $crate::shared::version::SystemSet<'a> for super::System<'a> {
            fn snapshot(&self) -> Option<$crate::shared::version::SnapshotMessage<'a>> {
                match *self {
                    Self::SnapEmpty(snap) => Some($crate::shared::version::SnapshotMessage::Empty(snap)),
                    Self::SnapSingle(snap) => Some($crate::shared::version::SnapshotMessage::Single(snap)),
                    Self::Snap(snap) => Some($crate::shared::version::SnapshotMessage::Part(snap)),
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use version;
