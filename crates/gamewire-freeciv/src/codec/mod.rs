//! What code generated from a definition stands on.
//!
//! A generated packet is a struct of the types here: [`Text`], [`Texts`], [`Bitvector`], [`Ufloat`],
//! [`Requirement`] and so on beside plain integers, arrays and vectors. It implements [`Fields`], which
//! reaches its fields by number and name, and [`Body`], which reads and writes them. [`PacketBaselines`] keeps
//! the packets of one type by their keys; a [`Decoder`] and an [`Encoder`] do that for all types of a
//! protocol, which generated code lists in one [`Baselines`].
//!
//! Reading goes through a [`Source`]: a [`FastSource`] can only say that a body is wrong; a body that it
//! refuses is read again from a [`CheckedSource`], which says where and what. Writing goes through a
//! [`Sink`] in the same manner.

mod array;
mod array_vec;
mod baselines;
mod bitvector;
mod block;
mod bodies;
mod body;
mod careful_sink;
mod careful_source;
mod changes;
mod decoder;
mod definition;
mod encoder;
mod explain;
mod fields;
mod float;
mod index;
mod kept;
mod key;
mod memory;
mod number;
mod quick_sink;
mod quick_source;
mod refusal;
mod remembered;
mod short_list;
mod sink;
mod source;
mod state;
mod store;
mod structure;
mod text;
mod texts;
mod vector;
mod wire;

pub use crate::delta::{DeltaError, EncodeOptions};
pub use arrayvec::ArrayVec;
pub use baselines::{Baselines, PacketView};
pub use bitvector::Bitvector;
pub use block::Block;
pub use body::{BitCounter, Bits, Body};
pub use careful_sink::CheckedSink;
pub use careful_source::CheckedSource;
pub use changes::Elements;
pub use decoder::{Decoded, Decoder};
pub use definition::{FieldRow, PacketRow, ProtocolRow, counted, field_names, fixed, own};
pub use encoder::Encoder;
pub use fields::{FieldValue, Fields, WrongValue};
pub use float::{Sfloat, Ufloat};
pub use gamewire_schema::ir::{ArrayDiff, CapabilityMask, Directions, Info, Protocol, WireType};
pub use key::{Key, KeyParts};
pub use memory::Memory;
pub use number::Bool32;
pub use quick_sink::FastSink;
pub use quick_source::{FastPathError, FastSource};
pub use remembered::PacketBaselines;
pub use short_list::{ShortList, Worklist};
pub use sink::Sink;
pub use source::Source;
pub use state::CodecState;
pub use structure::{ActionProbability, CmParameter, Part, Requirement, UnitOrder, Work};
pub use text::{LongText, Text, TextError};
pub use texts::Texts;
pub use vector::Vector;
pub use wire::{ElementCount, Wire, WrongCount};
