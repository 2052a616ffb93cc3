//! Generated packets, one by one and as any packet of a protocol.

use core::any::Any;
use core::fmt;

use gamewire_wire::CodecError;

use super::definition::PacketDefinition;
use super::fields::Fields;
use super::sink::Sink;
use super::source::Source;
use super::version::ProtocolVersion;
use crate::delta::DeltaErrorKind;

/// A type of generated packets. `#[derive(Packet)]` implements it, [`AnyPacket`], [`Fields`] and [`Default`].
pub trait PacketStruct: AnyPacket + Clone + Default + PartialEq {
    /// Its definition.
    const DEFINITION: PacketDefinition;
}

/// A packet of any type.
pub trait AnyPacket: Fields + Any + fmt::Debug + Send + Sync {
    /// Returns its definition.
    fn definition(&self) -> &'static PacketDefinition;

    /// Reads the fields that are sent; the others keep their values.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not what the definition says. The packet is half read.
    fn read(&mut self, from: &mut Source<'_>) -> Result<(), Box<CodecError>>;

    /// Writes the fields that differ from those of `old`, a packet of the same type.
    ///
    /// # Errors
    /// [`CodecError`] if the value of a field cannot be sent.
    fn write(&self, old: &dyn AnyPacket, to: &mut Sink<'_>) -> Result<(), Box<CodecError>>;

    /// Copies the fields of another packet of the same type, in the memory of the old ones where they fit.
    fn assign(&mut self, new: &dyn AnyPacket);

    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn AnyPacket>;

    /// Approximate bytes that it takes.
    fn bytes(&self) -> usize;
}

/// Packets box their errors, so that each field costs little code to check.
impl From<Box<CodecError>> for DeltaErrorKind {
    fn from(error: Box<CodecError>) -> Self {
        Self::Codec(*error)
    }
}

impl Clone for Box<dyn AnyPacket> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// A type of packet, to look up by its number.
#[derive(Clone, Copy, Debug)]
pub struct PacketType {
    /// Its definition.
    pub definition: &'static PacketDefinition,
    /// Makes a packet with all fields absent, zero or empty.
    pub new: fn() -> Box<dyn AnyPacket>,
}

impl PacketType {
    /// The type of the packets `P`.
    pub const fn of<P: PacketStruct>() -> Self {
        Self { definition: const { &P::DEFINITION }, new: || Box::new(P::default()) }
    }
}

/// The packets of a protocol: the enum that `packets!` makes.
pub trait PacketSet: 'static {
    /// Any packet, borrowed.
    type Packet<'a>: Copy + Into<&'a dyn AnyPacket>;

    /// Returns the type with a number in a version.
    fn find(number: u16, version: ProtocolVersion) -> Option<&'static PacketType>;

    /// Returns a packet as one of the set; `None` if its type is not in it.
    fn packet(packet: &dyn AnyPacket) -> Option<Self::Packet<'_>>;
}
