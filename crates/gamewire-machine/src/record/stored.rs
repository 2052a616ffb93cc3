use gamewire_wire::Value;

use super::{ArenaRange, Record};

/// A [`Value`] whose borrowed parts lie in the record's arena.
#[derive(Clone, Copy, Debug)]
pub(super) enum StoredValue {
    None,
    Plain(Value<'static>),
    Named { value: i64, name: ArenaRange },
    Text(ArenaRange),
    Bytes(ArenaRange),
    Static(&'static str),
}

impl StoredValue {
    pub(super) fn keep(record: &mut Record, value: Value<'_>) -> Self {
        match value {
            Value::Bool(value) => Self::Plain(Value::Bool(value)),
            Value::Int(value) => Self::Plain(Value::Int(value)),
            Value::Uint(value) => Self::Plain(Value::Uint(value)),
            Value::Float(value) => Self::Plain(Value::Float(value)),
            Value::Double(value) => Self::Plain(Value::Double(value)),
            Value::Hex { value, digits } => Self::Plain(Value::Hex { value, digits }),
            Value::Decimal { raw, scale } => Self::Plain(Value::Decimal { raw, scale }),
            Value::Flags { bits, names } => Self::Plain(Value::Flags { bits, names }),
            Value::Uuid(uuid) => Self::Plain(Value::Uuid(uuid)),
            Value::Named { value, name } => Self::Named { value, name: record.push_bytes(name.as_bytes()) },
            Value::Text(text) => Self::Text(record.push_bytes(text)),
            Value::Bytes(bytes) => Self::Bytes(record.push_bytes(bytes)),
        }
    }

    pub(super) fn get(self, record: &Record) -> Option<Value<'_>> {
        Some(match self {
            Self::None => return None,
            Self::Plain(value) => value,
            Self::Named { value, name } => {
                Value::Named { value, name: core::str::from_utf8(record.piece(name)).unwrap_or_default() }
            }
            Self::Text(piece) => Value::Text(record.piece(piece)),
            Self::Bytes(piece) => Value::Bytes(record.piece(piece)),
            Self::Static(text) => Value::Text(text.as_bytes()),
        })
    }
}
