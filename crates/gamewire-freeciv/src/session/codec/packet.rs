use core::fmt;
#[cfg(feature = "serde")]
use std::collections::BTreeMap;

use gamewire_schema::ir::Field;
use gamewire_wire::Trace;

use super::definition::Definition;
use crate::codec::{CapabilityMask, set_in_form};
use crate::delta::{ElementType, Value, value_named};
use crate::packets::{self, OwnedPacket};

/// Defines typed access to the fields of a packet by name, for an `impl` that has `value`.
macro_rules! typed_fields {
    () => {
        /// Returns the integer in a field, or 0 if there is none.
        pub fn int(&self, field: &str) -> i64 {
            self.value(field).and_then(|value| value.as_int()).unwrap_or_default()
        }

        /// Returns the boolean in a field, or false if there is none.
        pub fn flag(&self, field: &str) -> bool {
            self.int(field) != 0
        }

        /// Returns the text in a field, or an empty text if there is none. Bytes that are not UTF-8 are replaced by
        /// U+FFFD.
        pub fn text(&self, field: &str) -> String {
            match self.value(field) {
                Some(Value::Text(text)) => String::from_utf8_lossy(&text).into_owned(),
                _ => String::new(),
            }
        }
    };
}

pub(super) use typed_fields;

/// A copy of a packet.
#[derive(Clone)]
pub struct PacketBuf {
    pub(super) form: OwnedForm,
}

#[derive(Clone)]
pub(super) enum OwnedForm {
    Generated { packet: OwnedPacket, mask: CapabilityMask },
    Interpreted { definition: Definition, number: u16, values: Vec<Value>, view: Option<OwnedPacket> },
}

impl PacketBuf {
    typed_fields!();

    /// Returns the number.
    pub fn number(&self) -> u16 {
        match &self.form {
            OwnedForm::Generated { packet, .. } => packet.as_packet().number(),
            OwnedForm::Interpreted { number, .. } => *number,
        }
    }

    /// Returns the name in the definition.
    pub fn name(&self) -> &str {
        match &self.form {
            OwnedForm::Generated { packet, .. } => packet.as_packet().name(),
            OwnedForm::Interpreted { definition, number, .. } => {
                definition.protocol().packet(*number).map_or("", |packet| &packet.name)
            }
        }
    }

    /// Returns the packet as a type of [`packets`](crate::packets), in the same way as [`PacketRef::packet`](super::PacketRef::packet).
    pub fn packet(&self) -> Option<packets::Packet<'_>> {
        match &self.form {
            OwnedForm::Generated { packet, .. } => Some(packet.as_packet()),
            OwnedForm::Interpreted { view, .. } => view.as_ref().map(OwnedPacket::as_packet),
        }
    }

    /// Returns the names of the fields of all variants.
    pub fn field_names(&self) -> Vec<&str> {
        match &self.form {
            OwnedForm::Generated { packet, .. } => packet.as_packet().fields().names().to_vec(),
            OwnedForm::Interpreted { definition, number, .. } => {
                let packet = definition.protocol().packet(*number);
                packet
                    .map_or(&[][..], |packet| &packet.fields)
                    .iter()
                    .map(|field| field.name.as_str())
                    .collect()
            }
        }
    }

    /// Reports the fields that exist with the capabilities of the connection, in the same form as the follower reports
    /// fields that were sent: lists with their elements, structures with their parts. All spans are empty.
    pub fn trace_fields<T: Trace>(&self, trace: &mut T) {
        for name in self.field_names() {
            if let (Some(element), Some(value)) = (self.element_type(name), self.value(name)) {
                element.trace(name, &value, trace);
            }
        }
    }

    /// Sets a field, or an element or part of it, from text. `path` is `name`, `list[2]`, `list[0][1]`,
    /// `structure.part` or `list[2].part`. Elements count from 0, and the elements of a bitvector are its bits. Returns
    /// false and changes nothing if the path does not exist, or the text is not a value of its type.
    pub fn set_text(&mut self, path: &str, text: &str) -> bool {
        let end = path.find(['[', '.']).unwrap_or(path.len());
        let (field, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        let (Some(element), Some(mut value)) = (self.element_type(field), self.value(field)) else {
            return false;
        };
        element.set(&mut value, rest, text) && self.set_value(field, &value)
    }

    /// Returns the type of the elements of a field.
    fn element_type(&self, field: &str) -> Option<ElementType> {
        match &self.form {
            OwnedForm::Generated { packet, mask } => {
                let form = packet.as_packet().definition().form(field, *mask)?;
                Some(ElementType::of(&form.field(&[])))
            }
            OwnedForm::Interpreted { definition, number, .. } => {
                let packet = definition.protocol().packet(*number)?;
                let field = packet.fields.get(self.index_of(field)?)?;
                Some(ElementType::of(field))
            }
        }
    }

    /// Sets a field. Returns false and changes nothing if there is no such field, or it cannot have the value.
    pub fn set_value(&mut self, field: &str, value: &Value) -> bool {
        let at = self.index_of(field);
        match (&mut self.form, at) {
            (OwnedForm::Generated { packet, .. }, Some(at)) => {
                let before = packet.as_packet().fields().value(at);
                let is_set = set_in_form(packet.fields_mut(), at, value).is_ok();
                // Restore the field, because a value that does not fit may have changed a part of it.
                is_set || packet.fields_mut().set_value(at, &before).is_err()
            }
            (OwnedForm::Interpreted { values, view, .. }, Some(at)) => {
                let Some(place) = values.get_mut(at).filter(|_| *value != Value::Absent) else {
                    return false;
                };
                if core::mem::discriminant(place) != core::mem::discriminant(value) {
                    return false;
                }
                place.clone_from(value);
                *view = None;
                true
            }
            (_, None) => false,
        }
    }

    /// Returns the index of the field with this name or alias, in the form that exists.
    fn index_of(&self, field: &str) -> Option<usize> {
        match &self.form {
            OwnedForm::Generated { packet, .. } => packet.as_packet().definition().index_of(field),
            OwnedForm::Interpreted { definition, number, values, .. } => {
                let fields = &definition.protocol().packet(*number)?.fields;
                let is_named = |known: &Field| known.name == field || known.has_alias(field);
                let exists = |at: usize| values.get(at).is_some_and(|value| *value != Value::Absent);
                let named = |(at, known): (usize, &Field)| is_named(known).then_some(at);
                let mut forms = fields.iter().enumerate().filter_map(named);
                let first = forms.next()?;
                Some(if exists(first) { first } else { forms.find(|at| exists(*at)).unwrap_or(first) })
            }
        }
    }

    /// Returns the value of a field. Searches linearly.
    pub fn value(&self, field: &str) -> Option<Value> {
        match &self.form {
            OwnedForm::Generated { packet, mask } => {
                let packet = packet.as_packet();
                packet.definition().value(packet.fields(), field, *mask)
            }
            OwnedForm::Interpreted { definition, number, values, .. } => {
                value_named(definition.protocol().packet(*number)?, values, field).cloned()
            }
        }
    }
}

impl fmt::Debug for PacketBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            OwnedForm::Generated { packet, .. } => packet.fmt(f),
            OwnedForm::Interpreted { values, .. } => write!(f, "{} {values:?}", self.name()),
        }
    }
}

/// Serializes the packet as a map from its name to its fields.
#[cfg(feature = "serde")]
impl serde::Serialize for PacketBuf {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.form {
            OwnedForm::Generated { packet, mask } => {
                let packet = packet.as_packet();
                let value = |name| packet.definition().value(packet.fields(), name, *mask);
                let names = packet.fields().names().iter();
                let fields: BTreeMap<&str, Value> =
                    names.filter_map(|name| Some((*name, value(name)?))).collect();
                to.collect_map([(self.name(), fields)])
            }
            OwnedForm::Interpreted { definition, number, values, .. } => {
                let fields = definition.protocol().packet(*number).map_or(&[][..], |packet| &packet.fields);
                let fields: BTreeMap<&str, &Value> =
                    fields.iter().map(|field| field.name.as_str()).zip(values).collect();
                to.collect_map([(self.name(), fields)])
            }
        }
    }
}
