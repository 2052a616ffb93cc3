//! The typed codec: structs for packets, and what reads, writes and remembers them.
//!
//! # A packet
//! A packet of a definition is a struct with `#[derive(Packet)]` ([`PacketStruct`]). Attributes say what the
//! struct cannot: the number of the packet, who sends it, the type of each field on the wire, keys, counts and
//! capabilities. `gamewire compile --emit rust` writes such structs, and [`packets`](crate::packets) is made in the same
//! way for Freeciv 3.0, 3.1 and 3.2 together. The derive turns each field into one call of [`Source`] and one of
//! [`Sink`]; everything else is written here, once for all packets. The same attributes become a constant,
//! [`PacketDefinition`], so that names, documentation, and the protocol for the interpreter come from one place.
//!
//! A struct serves several versions. A field that some of them send in another form, such as a shorter array or a
//! narrower integer, has an attribute for each form, and a type that holds them all ([`InForm`]). A field that not
//! every connection sends is an `Option`: `None` where the version or the capabilities lack it. Versions are bits
//! next to those of the capabilities, so that both choose fields in the same way.
//!
//! # Fields
//! Fields are plain integers and truth values, [`Text`] and [`Texts`], [`Bitvector`], [`Memory`], [`Ufloat`] and
//! [`Sfloat`], structures such as [`Requirement`], and arrays: `[T; N]`, `Vec<T>` if another field counts the
//! elements, [`Vector`] with its own length. [`Wire`] reads and writes one. [`Fields`] reaches the fields of a
//! packet by index and name, as [`Value`](crate::delta::Value)s of the interpreter.
//!
//! # Reading and writing
//! A body starts with a bit for each field that is not a key. [`Source`] and [`Sink`] take the fields in the order
//! of the wire and count the bits; a field whose bit is not set keeps the value of the packet before with the same
//! type and key. The capabilities of the connection are a mask, which the calls for fields of capabilities check.
//! Both know the field and the element at hand, so that a [`DeltaError`] names the packet, the field, the offset,
//! and what was expected and found there. They report the same errors as the interpreter in
//! [`delta`](crate::delta); tests compare the two codecs byte by byte.
//!
//! # Remembering
//! [`Decoder`] and [`Encoder`] remember the last packet of each type and key in a map, as that packet. The decoder
//! reads a body over the remembered packet and lends it; the encoder compares with it, and copies what was sent.
//! [`DeltaLimits`](crate::delta::DeltaLimits) bounds the number of packets and their bytes.
//!
//! # A protocol
//! [`packets!`] makes the enum of all packets of one version from a list of structs, with its decoder and encoder
//! ([`PacketSet`]). The structs may come from other modules, so that versions share the packets that are the same.

mod array;
mod baselines;
mod bytes;
mod context;
mod decoder;
mod definition;
mod encoder;
mod fields;
mod form;
mod number;
mod packet;
mod packets;
#[cfg(feature = "serde")]
mod serialization;
mod sink;
mod source;
mod structure;
mod text;
mod version;
mod wire;

pub use crate::__freeciv_packets as packets;
#[doc(hidden)]
pub use crate::__freeciv_serde as serde_impls;
pub use crate::delta::{DeltaError, EncodeOptions};
pub use array::{Changes, Vector};
pub use bytes::{Bitvector, Memory};
pub use decoder::{Decoded, Decoder};
pub use definition::{FieldDefinition, PacketDefinition, VersionDefinition, counted, fixed, own, protocol};
pub use encoder::Encoder;
pub(crate) use fields::set_in_form;
pub use fields::{FieldValue, Fields, WrongValue};
pub use form::InForm;
pub use gamewire_derive::Packet;
pub use gamewire_schema::ir::{ArrayDiff, CapabilityMask, Dim, Directions, Info, Protocol, WireType};
pub use gamewire_wire::CodecError;
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
pub use text::{Text, TextError, Texts};
pub use version::ProtocolVersion;
pub use wire::{ElementCount, Wire};
