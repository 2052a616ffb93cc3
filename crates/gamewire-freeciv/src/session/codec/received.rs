use core::cell::OnceCell;
use core::fmt;

use super::definition::Definition;
use crate::delta::{Decoded, Value};
use crate::v30::{self, OwnedPacket};

/// A packet as the decoder lends it: all its fields, those that were sent and those that were
/// remembered.
#[derive(Clone, Copy, Debug)]
pub struct PacketRef<'a> {
    form: PacketForm<'a>,
}

#[derive(Clone, Copy, Debug)]
enum PacketForm<'a> {
    Generated(v30::Decoded<'a>),
    Interpreted {
        definition: &'a Definition,
        decoded: Decoded<'a>,
        /// Filled when it is asked for.
        view: &'a OnceCell<Option<OwnedPacket>>,
    },
}

impl<'a> PacketRef<'a> {
    pub(super) const fn generated(decoded: v30::Decoded<'a>) -> Self {
        Self { form: PacketForm::Generated(decoded) }
    }

    pub(super) const fn interpreted(
        definition: &'a Definition,
        decoded: Decoded<'a>,
        view: &'a OnceCell<Option<OwnedPacket>>,
    ) -> Self {
        Self { form: PacketForm::Interpreted { definition, decoded, view } }
    }

    /// Its number.
    #[must_use]
    pub fn number(&self) -> u16 {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.packet.number(),
            PacketForm::Interpreted { decoded, .. } => decoded.packet().number,
        }
    }

    /// Its name in the definition.
    #[must_use]
    pub fn name(&self) -> &'a str {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.packet.name(),
            PacketForm::Interpreted { decoded, .. } => &decoded.packet().name,
        }
    }

    /// The packet as Freeciv 3.0 has it. Of another version it has the fields whose names and values
    /// agree; there is none if 3.0 has no packet of that name.
    #[must_use]
    pub fn packet(&self) -> Option<v30::Packet<'a>> {
        match self.form {
            PacketForm::Generated(decoded) => Some(decoded.packet),
            PacketForm::Interpreted { definition, decoded, view } => {
                let fill = || definition.view(decoded.packet().number)?.fill(decoded.values());
                view.get_or_init(fill).as_ref().map(OwnedPacket::as_packet)
            }
        }
    }

    /// The names and values of its fields, those that are not sent with the capabilities at hand
    /// left out.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'a str, Value)> {
        let names: Vec<&'a str> = match &self.form {
            PacketForm::Generated(decoded) => decoded.packet.fields().names().to_vec(),
            PacketForm::Interpreted { decoded, .. } => {
                decoded.packet().fields.iter().map(|field| field.name.as_str()).collect()
            }
        };
        names.into_iter().zip(self.values()).filter(|(_, value)| *value != Value::Absent).collect()
    }

    /// The value of a field. A search.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<Value> {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.packet.fields().value_of(field),
            PacketForm::Interpreted { decoded, .. } => decoded.value(field).cloned(),
        }
    }

    /// The number in a field; 0 if there is none.
    #[must_use]
    pub fn int(&self, field: &str) -> i64 {
        int(self.value(field))
    }

    /// The truth in a field.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.int(field) != 0
    }

    /// The text in a field, with what is no UTF-8 replaced; empty if there is none.
    #[must_use]
    pub fn text(&self, field: &str) -> String {
        text(self.value(field))
    }

    /// One value for each field of the definition, in its order.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.values(),
            PacketForm::Interpreted { decoded, .. } => decoded.values().to_vec(),
        }
    }

    /// The bitvector as it was sent; empty in packets without one.
    #[must_use]
    pub const fn bits(&self) -> &'a [u8] {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.bits,
            PacketForm::Interpreted { decoded, .. } => decoded.bits(),
        }
    }

    /// A copy to keep.
    #[must_use]
    pub fn to_owned(&self) -> PacketBuf {
        let form = match &self.form {
            PacketForm::Generated(decoded) => Kept::Generated(decoded.packet.into()),
            PacketForm::Interpreted { definition, decoded, .. } => Kept::Interpreted {
                definition: (*definition).clone(),
                number: decoded.packet().number,
                values: decoded.values().to_vec(),
                view: self.packet().map(OwnedPacket::from),
            },
        };
        PacketBuf { form }
    }
}

/// A packet that was copied to be kept.
#[derive(Clone)]
pub struct PacketBuf {
    form: Kept,
}

#[derive(Clone)]
enum Kept {
    Generated(OwnedPacket),
    Interpreted { definition: Definition, number: u16, values: Vec<Value>, view: Option<OwnedPacket> },
}

impl PacketBuf {
    /// Its number.
    #[must_use]
    pub fn number(&self) -> u16 {
        match &self.form {
            Kept::Generated(packet) => packet.as_packet().number(),
            Kept::Interpreted { number, .. } => *number,
        }
    }

    /// Its name in the definition.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.form {
            Kept::Generated(packet) => packet.as_packet().name(),
            Kept::Interpreted { definition, number, .. } => {
                definition.protocol().packet(*number).map_or("", |packet| &packet.name)
            }
        }
    }

    /// The packet as Freeciv 3.0 has it; as [`PacketRef::packet`].
    #[must_use]
    pub fn packet(&self) -> Option<v30::Packet<'_>> {
        match &self.form {
            Kept::Generated(packet) => Some(packet.as_packet()),
            Kept::Interpreted { view, .. } => view.as_ref().map(OwnedPacket::as_packet),
        }
    }

    /// The value of a field. A search.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<Value> {
        match &self.form {
            Kept::Generated(packet) => packet.as_packet().fields().value_of(field),
            Kept::Interpreted { definition, number, values, .. } => {
                values.get(definition.protocol().packet(*number)?.field_index(field)?).cloned()
            }
        }
    }

    /// The number in a field; 0 if there is none.
    #[must_use]
    pub fn int(&self, field: &str) -> i64 {
        int(self.value(field))
    }

    /// The truth in a field.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.int(field) != 0
    }

    /// The text in a field, with what is no UTF-8 replaced; empty if there is none.
    #[must_use]
    pub fn text(&self, field: &str) -> String {
        text(self.value(field))
    }
}

impl fmt::Debug for PacketBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Kept::Generated(packet) => packet.fmt(f),
            Kept::Interpreted { values, .. } => write!(f, "{} {values:?}", self.name()),
        }
    }
}

fn int(value: Option<Value>) -> i64 {
    value.and_then(|value| value.as_int()).unwrap_or_default()
}

fn text(value: Option<Value>) -> String {
    match value {
        Some(Value::Text(text)) => String::from_utf8_lossy(&text).into_owned(),
        _ => String::new(),
    }
}
