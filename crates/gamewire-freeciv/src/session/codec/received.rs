use core::fmt;

use gamewire_schema::ir::Packet;

use super::definition::Definition;
use crate::delta::{Decoded, Value};

/// A packet as the decoder lends it: all its fields, those that were sent and those that were
/// remembered.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    protocol: &'a Definition,
    decoded: Decoded<'a>,
}

impl<'a> Received<'a> {
    pub(super) const fn interpreted(protocol: &'a Definition, decoded: Decoded<'a>) -> Self {
        Self { protocol, decoded }
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.definition().number
    }

    /// Its name in the definition.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.definition().name
    }

    /// What the definition says of it.
    #[must_use]
    pub const fn definition(&self) -> &'a Packet {
        self.decoded.packet()
    }

    /// The value of a field. A search.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<&'a Value> {
        self.decoded.value(field)
    }

    /// The number in a field; 0 if there is none.
    #[must_use]
    pub fn int(&self, field: &str) -> i64 {
        self.value(field).and_then(Value::as_int).unwrap_or_default()
    }

    /// The truth in a field.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.int(field) != 0
    }

    /// The text in a field, with what is no UTF-8 replaced; empty if there is none.
    #[must_use]
    pub fn text(&self, field: &str) -> String {
        let text = self.value(field).and_then(Value::as_text).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    /// One value for each field of the definition, in its order.
    #[must_use]
    pub const fn values(&self) -> &'a [Value] {
        self.decoded.values()
    }

    /// The bitvector as it was sent; empty in packets without one.
    #[must_use]
    pub const fn bits(&self) -> &'a [u8] {
        self.decoded.bits()
    }

    /// A copy to keep.
    #[must_use]
    pub fn to_owned(&self) -> Owned {
        Owned {
            protocol: self.protocol.clone(),
            number: self.number(),
            values: self.decoded.values().to_vec(),
        }
    }
}

/// A packet that was copied to be kept.
#[derive(Clone)]
pub struct Owned {
    protocol: Definition,
    number: u16,
    values: Vec<Value>,
}

impl Owned {
    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Its name in the definition.
    #[must_use]
    pub fn name(&self) -> &str {
        self.definition().map_or("", |packet| &packet.name)
    }

    /// The value of a field. A search.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.values.get(self.definition()?.field_index(field)?)
    }

    /// The number in a field; 0 if there is none.
    #[must_use]
    pub fn int(&self, field: &str) -> i64 {
        self.value(field).and_then(Value::as_int).unwrap_or_default()
    }

    /// The truth in a field.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.int(field) != 0
    }

    /// The text in a field, with what is no UTF-8 replaced; empty if there is none.
    #[must_use]
    pub fn text(&self, field: &str) -> String {
        let text = self.value(field).and_then(Value::as_text).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    fn definition(&self) -> Option<&Packet> {
        self.protocol.packet(self.number)
    }

    /// One value for each field of the definition, in its order.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

impl fmt::Debug for Owned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name(), self.values)
    }
}
