//! Packets for `serde`: a map from the names of the fields to their values.
//!
//! A scaled number is serialized as the integer on the wire, a bitvector and a text that is not UTF-8 as a list of
//! bytes, and a structure as a list of numbers.

use core::fmt;
use core::marker::PhantomData;
use std::collections::BTreeMap;

use gamewire_schema::ir::{Field, WireType};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::bytes::Bitvector;
use super::fields::Fields;
use super::packet::PacketStruct;
use crate::delta::{Value, zero_element};

/// Implements `Serialize` and `Deserialize` for a packet. Without the feature `serde` it expands to nothing, so that
/// the derive macro does not depend on features.
#[macro_export]
#[doc(hidden)]
macro_rules! __freeciv_serde {
    ($name:ident) => {
        impl $crate::codec::serde::Serialize for $name {
            fn serialize<S: $crate::codec::serde::Serializer>(
                &self,
                to: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::codec::serialize(self, to)
            }
        }

        impl<'de> $crate::codec::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::codec::serde::Deserializer<'de>>(
                from: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::codec::deserialize(from)
            }
        }
    };
}

/// Serializes a packet as a map of the fields that are present.
///
/// # Errors
/// Any error of the serializer.
pub fn serialize<S: Serializer>(packet: &dyn Fields, to: S) -> Result<S::Ok, S::Error> {
    let fields = packet.names().iter().enumerate().map(|(index, name)| (name, packet.value(index)));
    let present: Vec<_> = fields.filter(|(_, value)| *value != Value::Absent).collect();
    to.collect_map(present)
}

/// Deserializes a packet from a map of its fields. Missing fields are absent, zero or empty. Unknown fields are
/// ignored.
///
/// # Errors
/// Any error of the deserializer, and a custom error if a field cannot have its value.
pub fn deserialize<'de, P: PacketStruct, D: Deserializer<'de>>(from: D) -> Result<P, D::Error> {
    from.deserialize_map(PacketVisitor(PhantomData))
}

/// Serializes a value as the text of its `Display` implementation.
pub(crate) fn serialize_text<S: Serializer>(value: &impl fmt::Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Serializes a map as a list of pairs, for formats with string keys.
pub(crate) fn serialize_pairs<K: Serialize, V: Serialize, S: Serializer>(
    map: &BTreeMap<K, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(map)
}

struct PacketVisitor<P>(PhantomData<P>);

impl<'de, P: PacketStruct> Visitor<'de> for PacketVisitor<P> {
    type Value = P;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of {}", P::DEFINITION.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<P, A::Error> {
        let (definition, mut packet) = (P::DEFINITION.all_forms(), P::default());
        while let Some(name) = map.next_key::<String>()? {
            // The last form belongs to the newest version, and the type of the struct's field matches it.
            let field = definition
                .fields
                .iter()
                .enumerate()
                .rfind(|(_, field)| field.name == name || field.has_alias(&name));
            let Some((index, field)) = field else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = map.next_value_seed(FieldSeed::new(field))?;
            let fields: &mut dyn Fields = &mut packet;
            fields.set_value(index, &value).map_err(|error| A::Error::custom(format!("{name}: {error}")))?;
        }
        Ok(packet)
    }
}

/// A deserializer for the value of a field, by the type in its definition.
#[derive(Clone, Copy)]
struct FieldSeed<'a> {
    field: &'a Field,
    /// Number of array dimensions around the element.
    depth: usize,
}

impl<'a> FieldSeed<'a> {
    fn new(field: &'a Field) -> Self {
        // The dimension of raw memory is its length, not an array.
        Self { field, depth: if field.wire == WireType::Memory { 0 } else { field.dims.len() } }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TextForm {
    Valid(String),
    Bytes(Vec<u8>),
}

impl<'de> DeserializeSeed<'de> for FieldSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        if self.depth > 0 {
            return from.deserialize_seq(self);
        }
        Ok(match zero_element(self.field) {
            Value::Bool(_) => Value::Bool(bool::deserialize(from)?),
            Value::Int(_) => Value::Int(i64::deserialize(from)?),
            Value::Scaled(_) => Value::Scaled(i64::deserialize(from)?),
            Value::Text(_) => Value::Text(match TextForm::deserialize(from)? {
                TextForm::Valid(text) => text.into_bytes(),
                TextForm::Bytes(bytes) => bytes,
            }),
            Value::Bytes(_) => Value::Bytes(Vec::deserialize(from)?),
            Value::Parts(_) => Value::Parts(Vec::deserialize(from)?),
            Value::List(_) | Value::Absent => Value::Absent,
        })
    }
}

impl<'de> Visitor<'de> for FieldSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the elements of an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let (inner, mut list) = (Self { depth: self.depth.saturating_sub(1), ..self }, Vec::new());
        while let Some(element) = elements.next_element_seed(inner)? {
            list.push(element);
        }
        Ok(Value::List(list))
    }
}

/// Serializes a text as a string, or as bytes if it is not UTF-8.
pub(crate) fn serialize_bytes<S: Serializer>(text: &Vec<u8>, to: S) -> Result<S::Ok, S::Error> {
    match core::str::from_utf8(text) {
        Ok(text) => to.serialize_str(text),
        Err(_) => text.serialize(to),
    }
}

impl<const BYTES: usize> Serialize for Bitvector<BYTES> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(to)
    }
}

impl<'de, const BYTES: usize> Deserialize<'de> for Bitvector<BYTES> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        let count = bytes.len();
        let bytes =
            bytes.try_into().map_err(|_| D::Error::invalid_length(count, &"the bytes of the bitvector"))?;
        Ok(Self(bytes))
    }
}
