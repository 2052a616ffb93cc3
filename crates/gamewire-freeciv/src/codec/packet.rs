//! Traits of generated packets: as their own type, and as any packet of a protocol.

use core::any::Any;
use core::fmt;

use gamewire_wire::CodecError;

use super::definition::PacketDefinition;
use super::fields::Fields;
use super::sink::Sink;
use super::source::Source;
use super::version::ProtocolVersion;
use crate::delta::DeltaErrorKind;

/// A struct for one type of packet. `#[derive(Packet)]` implements it, [`AnyPacket`], [`Fields`] and [`Default`].
pub trait PacketStruct: AnyPacket + Clone + Default + PartialEq {
    /// Its definition.
    const DEFINITION: PacketDefinition;
}

/// A packet of any type.
pub trait AnyPacket: Fields + Any + fmt::Debug + Send + Sync {
    /// Returns its definition.
    fn definition(&self) -> &'static PacketDefinition;

    /// Reads the fields that were sent; the others keep their values.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes do not match the definition. Some fields are already changed.
    fn read(&mut self, from: &mut Source<'_>) -> Result<(), Box<CodecError>>;

    /// Writes the fields that differ from the fields of `old`, a packet of the same type.
    ///
    /// # Errors
    /// [`CodecError`] if the value of a field cannot be sent.
    fn write(&self, old: &dyn AnyPacket, to: &mut Sink<'_>) -> Result<(), Box<CodecError>>;

    /// Copies the fields of another packet of the same type, and reuses allocations where the new values fit.
    fn assign(&mut self, new: &dyn AnyPacket);

    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn AnyPacket>;

    /// Returns its approximate size in memory, in bytes.
    fn bytes(&self) -> usize;
}

/// Boxed errors keep the code that each field needs for error handling small.
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

/// A type of packet, as an entry of a lookup table.
#[derive(Clone, Copy, Debug)]
pub struct PacketType {
    /// Its definition.
    pub definition: &'static PacketDefinition,
    /// Creates a packet with all fields absent, zero or empty.
    pub new: fn() -> Box<dyn AnyPacket>,
}

impl PacketType {
    /// Creates the entry for the packet type `P`.
    pub const fn of<P: PacketStruct>() -> Self {
        Self { definition: const { &P::DEFINITION }, new: || Box::new(P::default()) }
    }
}

/// The packets of a protocol: the enum that `packets!` builds.
pub trait PacketSet: 'static {
    /// Any packet of the set, borrowed.
    type Packet<'a>: Copy + Into<&'a dyn AnyPacket>;

    /// Returns the packet type with a number in a version.
    fn find(number: u16, version: ProtocolVersion) -> Option<&'static PacketType>;

    /// Returns a packet as a packet of this set, or `None` if its type is not in the set.
    fn packet(packet: &dyn AnyPacket) -> Option<Self::Packet<'_>>;
}
