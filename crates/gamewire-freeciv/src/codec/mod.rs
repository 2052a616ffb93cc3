//! The typed codec: packets as structs, and the code that reads, writes and remembers them.
//!
//! # A packet
//! A packet of a definition is a struct with `#[derive(Packet)]` ([`PacketStruct`]). Attributes add the rest of the
//! definition: the number of the packet, its directions, the type of each field on the wire, keys, counts and
//! capabilities. `gamewire compile --emit rust` writes such structs, and [`packets`](crate::packets) is generated in
//! the same way for Freeciv 3.0, 3.1 and 3.2 together. The derive turns each field into one call of [`Source`] and one
//! of [`Sink`]; everything else is in this module, once for all packets. The derive also turns the attributes into a
//! constant, [`PacketDefinition`]. It is the only source of names, documentation and the interpreter's protocol.
//!
//! A struct serves several versions. If versions send a field in different forms, such as a shorter array or a narrower
//! integer, the field has an attribute for each form, and a type that can hold all of them ([`InForm`]). A field that
//! not every connection sends is an `Option`: `None` if the version or the capabilities lack it. Versions are bits next
//! to the bits of the capabilities, so both select fields in the same way.
//!
//! # Fields
//! Fields are plain integers and booleans, [`Text`] and [`Texts`], [`Bitvector`], [`Memory`], [`Ufloat`] and
//! [`Sfloat`], structures such as [`Requirement`], and arrays: `[T; N]`, `Vec<T>` if another field holds the number of
//! elements, and [`Vector`] for arrays with a length prefix. [`Wire`] reads and writes one field. [`Fields`] gives
//! access to the fields of a packet by index and name, as [`Value`](crate::delta::Value)s of the interpreter.
//!
//! # Reading and writing
//! A body starts with a bit for each field that is not a key. [`Source`] and [`Sink`] process the fields in the order
//! of the wire and count the bits. If the bit of a field is not set, the field keeps the value from the previous packet
//! with the same type and key. The capabilities of the connection are a mask, which the calls check for fields that
//! depend on capabilities. Both types track the current field and element, so that a [`DeltaError`] names the packet,
//! the field, the offset, the expected and the found value. They report the same errors as the interpreter in
//! [`delta`](crate::delta); tests compare the two codecs byte by byte.
//!
//! # Remembering
//! [`Decoder`] and [`Encoder`] store the last packet of each type and key in a map. The decoder reads a body over the
//! stored packet and returns a reference to it. The encoder compares a packet with the stored one, and copies the
//! fields that it sent. [`DeltaLimits`](crate::delta::DeltaLimits) bounds the number of packets and their bytes.
//!
//! # A protocol
//! [`packets!`] builds the enum of all packets of a protocol from a list of structs, with its decoder and encoder
//! ([`PacketSet`]). The structs can be in other modules, so that versions can share packets.

mod array;
mod bytes;
mod context;
mod decoder;
mod definition;
mod element_count;
mod encoder;
mod fields;
mod form;
mod list;
mod number;
mod packet;
mod packets;
mod read;
#[cfg(feature = "serde")]
mod serialization;
mod sink;
mod source;
mod structure;
mod text;
mod version;
mod wire;
mod write;

pub use crate::__freeciv_packets as packets;
#[doc(hidden)]
pub use crate::__freeciv_serde as serde_impls;
#[doc(hidden)]
pub use crate::__freeciv_structure as structure;
pub use crate::delta::{DeltaError, EncodeOptions};
pub use array::{Changes, Vector};
pub use bytes::{Bitvector, Memory};
pub use decoder::{Decoded, Decoder};
pub use definition::{FieldDefinition, PacketDefinition, VersionDefinition, counted, fixed, own, protocol};
pub use element_count::ElementCount;
pub use encoder::Encoder;
pub(crate) use fields::set_in_form;
pub use fields::{FieldValue, Fields, WrongValue};
pub use form::InForm;
pub use gamewire_derive::Packet;
pub use gamewire_schema::ir::{
    ArrayDiff, CapabilityMask, Dim, Directions, Info, Part as PartDefinition, PartType, Protocol, Structure,
    WireType,
};
pub use gamewire_wire::CodecError;
pub use list::{BitString, EndedList};
pub use number::{Bool32, Sfloat, Ufloat};
pub use packet::{AnyPacket, PacketSet, PacketStruct, PacketType};
#[doc(hidden)]
#[cfg(feature = "serde")]
pub use serde;
#[cfg(feature = "serde")]
pub use serialization::{deserialize, serialize};
#[cfg(feature = "serde")]
pub(crate) use serialization::{serialize_bytes, serialize_pairs, serialize_text};
pub use sink::Sink;
pub use source::Source;
pub use structure::{
    ActionProbability, CmParameter, Part, Requirement, ShortList, UnitOrder, Work, Worklist,
};
#[doc(hidden)]
pub use structure::{set_structure, structure_value, sum_of};
pub use text::{Text, TextError, Texts};
pub use version::ProtocolVersion;
pub use wire::Wire;
