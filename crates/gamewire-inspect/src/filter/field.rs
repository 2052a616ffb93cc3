use std::borrow::Cow;
use std::ops::Range;

use gamewire_machine::Record;
use gamewire_machine::record::NodeKind;
use gamewire_wire::Value;

use super::builtin::BuiltinField;
use super::path::Path;
use super::value_type::ValueType;
use crate::conversation::PacketMeta;
use crate::render::{DisplayValue, Escaped};
use crate::time::Timestamp;

/// A field of a datagram, or a function of it, by name: `teeworlds.chat.text`, `len(teeworlds.chat.text)`.
#[derive(Clone, Debug)]
pub struct Field {
    pub(super) subject: Subject,
    /// The functions, the innermost first.
    pub(super) functions: Vec<Function>,
}

/// The subject of a test.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// Metadata of the datagram.
    Builtin(BuiltinField),
    /// The protocol of the conversation.
    Protocol(String),
    /// Groups with this name.
    Group(Path),
    /// Values of the fields with this name.
    Field(Path, ValueType),
}

/// A function of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// Number of bytes.
    Length,
    Lower,
    Upper,
    /// Some of the bytes; a negative start counts from the end.
    Slice {
        start: i64,
        length: Option<usize>,
    },
}

impl Field {
    /// Calls `visit` with each occurrence, until it returns true: its value, or `None` for a group or list itself.
    /// Returns whether it did.
    pub(super) fn any_value(
        &self,
        meta: PacketMeta<'_>,
        record: &Record,
        mut visit: impl FnMut(Option<Value<'_>>) -> bool,
    ) -> bool {
        match &self.subject {
            Subject::Builtin(field) => field.any_value(meta, record, |value| {
                apply(&self.functions, value, &mut |value| visit(Some(value)))
            }),
            Subject::Protocol(name) => meta.protocol == name && visit(None),
            Subject::Group(path) => {
                let is_group = |kind| matches!(kind, NodeKind::Group(_));
                meta.protocol == path.protocol
                    && path.find(record).any(|node| is_group(node.kind()) && visit(None))
            }
            Subject::Field(path, _) => {
                meta.protocol == path.protocol
                    && path.find(record).any(|node| match node.value() {
                        Some(value) => apply(&self.functions, value, &mut |value| visit(Some(value))),
                        None => self.functions.is_empty() && visit(None),
                    })
            }
        }
    }

    /// Calls `write` with each value in a datagram as text, without quotes and with hidden characters escaped. The
    /// value of a group is its name.
    pub fn texts<'a>(&self, meta: impl Into<PacketMeta<'a>>, record: &Record, mut write: impl FnMut(&str)) {
        let is_first_enough = matches!(self.subject, Subject::Builtin(field) if field.has_forms());
        let is_date = matches!(self.subject, Subject::Builtin(BuiltinField::Date));
        self.any_value(meta.into(), record, |value| {
            match (value, &self.subject) {
                (Some(Value::Decimal { raw, .. }), _) if is_date => write(&Timestamp(raw).to_string()),
                (Some(Value::Decimal { raw, scale: NANOSECOND }), _) => {
                    let sign = if raw < 0 { "-" } else { "" };
                    let (seconds, nanos) =
                        (raw.unsigned_abs() / 1_000_000_000, raw.unsigned_abs() % 1_000_000_000);
                    write(&format!("{sign}{seconds}.{nanos:09}"));
                }
                (Some(Value::Text(text)), _) => write(&Escaped(text).to_string()),
                (Some(Value::Bytes(bytes)), _) => {
                    write(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
                }
                (Some(value), _) => write(&DisplayValue(value).to_string()),
                (None, Subject::Protocol(name)) => write(name),
                (None, Subject::Group(path)) => write(path.names.last().map_or("", String::as_str)),
                (None, _) => {}
            }
            is_first_enough
        });
    }

    /// Returns the type of its values; `None` if it has no values.
    pub(super) fn value_type(&self) -> Option<ValueType> {
        match (self.functions.last(), &self.subject) {
            (Some(Function::Length), _) => Some(ValueType::Number),
            (Some(Function::Lower | Function::Upper), _) => Some(ValueType::Text),
            (Some(Function::Slice { .. }), _) => Some(ValueType::Bytes),
            (None, Subject::Builtin(field)) => Some(field.value_type()),
            (None, Subject::Field(_, value_type)) => Some(value_type.clone()),
            (None, Subject::Protocol(_) | Subject::Group(_)) => None,
        }
    }
}

/// The scale of times in seconds.
const NANOSECOND: u32 = 1_000_000_000;

/// Calls `visit` with the result of the functions.
fn apply(functions: &[Function], value: Value<'_>, visit: &mut dyn FnMut(Value<'_>) -> bool) -> bool {
    let Some((function, rest)) = functions.split_first() else { return visit(value) };
    let bytes = match value {
        Value::Text(bytes) | Value::Bytes(bytes) => Cow::Borrowed(bytes),
        value => Cow::Owned(DisplayValue(value).to_string().into_bytes()),
    };
    match function {
        Function::Length => apply(rest, Value::Uint(u64::try_from(bytes.len()).unwrap_or(u64::MAX)), visit),
        Function::Lower => {
            apply(rest, Value::Text(String::from_utf8_lossy(&bytes).to_lowercase().as_bytes()), visit)
        }
        Function::Upper => {
            apply(rest, Value::Text(String::from_utf8_lossy(&bytes).to_uppercase().as_bytes()), visit)
        }
        Function::Slice { start, length } => match bytes.get(range(bytes.len(), *start, *length)) {
            Some(part) if !part.is_empty() => apply(rest, Value::Bytes(part), visit),
            _ => false,
        },
    }
}

/// Returns the range of a slice of `total` bytes, which may exceed them.
fn range(total: usize, start: i64, length: Option<usize>) -> Range<usize> {
    let distance = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
    let start = if start < 0 { total.checked_sub(distance).unwrap_or(usize::MAX) } else { distance };
    let end = length.map_or(total, |length| start.saturating_add(length));
    start..end.max(start)
}
