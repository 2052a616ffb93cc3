//! Generated packets, one by one and as any packet of a protocol.

use core::any::Any;
use core::fmt;

use gamewire_wire::CodecError;

use super::definition::PacketDefinition;
use super::fields::Fields;
use super::sink::Sink;
use super::source::Source;
use crate::delta::DeltaErrorKind;

/// A generated packet. `#[derive(Packet)]` implements it, [`Fields`] and [`Default`].
pub trait PacketStruct: Fields + Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Its definition.
    const DEFINITION: PacketDefinition;

    /// Reads the fields that are sent; the others keep their values.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not what the definition says. The packet is half read.
    fn read(&mut self, from: &mut Source<'_>) -> Result<(), Box<CodecError>>;

    /// Writes the fields that differ from those of `old`.
    ///
    /// # Errors
    /// [`CodecError`] if the value of a field cannot be sent.
    fn write(&self, old: &Self, to: &mut Sink<'_>) -> Result<(), Box<CodecError>>;

    /// Copies the fields of another packet, in the memory of the old ones where they fit.
    fn assign(&mut self, new: &Self);

    /// Approximate bytes that it holds on the heap.
    fn heap_bytes(&self) -> usize;
}

/// A packet of any type. All types that implement [`PacketStruct`] are.
pub trait AnyPacket: Fields + Any + fmt::Debug + Send + Sync {
    /// Returns its definition.
    fn definition(&self) -> &'static PacketDefinition;

    /// Reads the fields that are sent.
    ///
    /// # Errors
    /// [`CodecError`] like [`PacketStruct::read`].
    fn read_any(&mut self, from: &mut Source<'_>) -> Result<(), Box<CodecError>>;

    /// Writes the fields that differ from those of `old`, a packet of the same type.
    ///
    /// # Errors
    /// [`CodecError`] like [`PacketStruct::write`].
    fn write_any(&self, old: &dyn AnyPacket, to: &mut Sink<'_>) -> Result<(), Box<CodecError>>;

    /// Copies the fields of another packet of the same type.
    fn assign_any(&mut self, new: &dyn AnyPacket);

    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn AnyPacket>;

    /// Approximate bytes that it takes.
    fn bytes(&self) -> usize;
}

impl<P: PacketStruct> AnyPacket for P {
    fn definition(&self) -> &'static PacketDefinition {
        const { &P::DEFINITION }
    }

    fn read_any(&mut self, from: &mut Source<'_>) -> Result<(), Box<CodecError>> {
        self.read(from)
    }

    fn write_any(&self, old: &dyn AnyPacket, to: &mut Sink<'_>) -> Result<(), Box<CodecError>> {
        let old: &dyn Any = old;
        if let Some(old) = old.downcast_ref() { self.write(old, to) } else { Ok(()) }
    }

    fn assign_any(&mut self, new: &dyn AnyPacket) {
        let new: &dyn Any = new;
        if let Some(new) = new.downcast_ref() {
            self.assign(new);
        }
    }

    fn boxed_clone(&self) -> Box<dyn AnyPacket> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        size_of::<P>().saturating_add(self.heap_bytes())
    }
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
    /// Makes a packet with all fields zero and empty.
    pub new: fn() -> Box<dyn AnyPacket>,
}

impl PacketType {
    /// The type of the packets `P`.
    #[must_use]
    pub const fn of<P: PacketStruct>() -> Self {
        Self { definition: const { &P::DEFINITION }, new: || Box::new(P::default()) }
    }
}

/// The packets of a protocol: the enum that `packets!` makes.
pub trait PacketSet: 'static {
    /// Any packet, borrowed.
    type Packet<'a>: PacketView<'a>;

    /// Returns the type with a number.
    fn find(number: u16) -> Option<&'static PacketType>;

    /// Returns a packet as one of the set; `None` if its type is not in it.
    fn packet(packet: &dyn AnyPacket) -> Option<Self::Packet<'_>>;
}

/// Any packet of a protocol, borrowed.
pub trait PacketView<'a>: Copy {
    /// Returns the packet without its type.
    fn as_any(&self) -> &'a dyn AnyPacket;

    /// Returns its definition.
    fn definition(&self) -> &'static PacketDefinition {
        self.as_any().definition()
    }

    /// Returns its fields.
    fn fields(&self) -> &'a dyn Fields {
        self.as_any()
    }
}
