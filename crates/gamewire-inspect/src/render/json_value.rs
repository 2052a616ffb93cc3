use std::borrow::Cow;
use std::fmt::{self, Write as _};

use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Span, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::value::{DisplayValue, Hyphenated, set_flags, unnamed_flags};

/// A value in the JSON form for scripts.
pub(super) struct JsonValue<'a>(pub(super) Value<'a>);

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => to.serialize_bool(value),
            Value::Int(value) | Value::Named { value, name: "" } => to.serialize_i64(value),
            Value::Uint(value) => to.serialize_u64(value),
            Value::Float(value) if value.is_finite() => to.serialize_f32(value),
            Value::Double(value) if value.is_finite() => to.serialize_f64(value),
            // JSON has no infinite numbers and no NaN.
            value @ (Value::Float(_) | Value::Double(_)) => to.collect_str(&DisplayValue(value)),
            Value::Named { name, .. } => to.serialize_str(name),
            #[expect(clippy::cast_precision_loss, reason = "JSON numbers have the precision of f64")]
            Value::Decimal { raw, scale } => to.serialize_f64(raw as f64 / f64::from(scale.max(1))),
            value @ Value::Hex { .. } => to.collect_str(&DisplayValue(value)),
            Value::Flags { bits, names } => to.collect_seq(flag_names(bits, names)),
            Value::Text(text) => to.serialize_str(&String::from_utf8_lossy(text)),
            Value::Bytes(bytes) => to.collect_str(&Digits(bytes)),
            Value::Uuid(uuid) => to.collect_str(&Hyphenated(uuid)),
        }
    }
}

struct Digits<'a>(&'a [u8]);

impl fmt::Display for Digits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
        self.0.iter().try_for_each(|byte| {
            [byte >> 4, byte & 15].into_iter().try_for_each(|half| f.write_char(digit(half)))
        })
    }
}

/// Returns the names of the flags that are set; bits without a name as one number.
fn flag_names(bits: u64, names: &'static [&'static str]) -> impl Iterator<Item = Cow<'static, str>> {
    let rest = Some(unnamed_flags(bits, names)).filter(|rest| *rest != 0);
    set_flags(bits, names).map(Cow::from).chain(rest.map(|rest| format!("{rest:#x}").into()))
}

/// A value with its span and all of its forms.
pub(super) struct Spanned<'a> {
    pub(super) node: NodeRef<'a>,
    pub(super) value: Value<'a>,
}

impl Serialize for Spanned<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match self.value {
            Value::Named { value, name } => {
                map.serialize_entry("value", &value)?;
                map.serialize_entry("name", name)?;
            }
            Value::Flags { bits, names } => {
                map.serialize_entry("value", &bits)?;
                map.serialize_entry("names", &flag_names(bits, names).collect::<Vec<_>>())?;
            }
            value => map.serialize_entry("value", &JsonValue(value))?,
        }
        serialize_span(&mut map, self.node)?;
        map.end()
    }
}

/// A node's source, its first bit, and the bit after its last.
fn serialize_span<M: SerializeMap>(map: &mut M, node: NodeRef<'_>) -> Result<(), M::Error> {
    let bits = |span: Span| [span.start_bit(), span.end_bit()];
    map.serialize_entry("source", &node.source())?;
    map.serialize_entry("bits", &bits(node.span()))
}

/// A warning by its name, an error by its message.
pub(super) struct Note<'a> {
    pub(super) node: NodeRef<'a>,
    pub(super) spans: bool,
}

impl Serialize for Note<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let node = self.node;
        let sentence = match node.value() {
            Some(Value::Text(text)) => String::from_utf8_lossy(text),
            _ => "".into(),
        };
        let is_error = node.kind() == NodeKind::Error;
        if !self.spans {
            return to.serialize_str(if is_error { &sentence } else { node.name() });
        }
        let mut map = to.serialize_map(None)?;
        if !is_error {
            map.serialize_entry("name", node.name())?;
        }
        map.serialize_entry("text", &sentence)?;
        serialize_span(&mut map, node)?;
        map.end()
    }
}

pub(super) struct Source<'a>(pub(super) NodeRef<'a>);

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("name", self.0.name())?;
        if let Some(value) = self.0.value() {
            map.serialize_entry("bytes", &JsonValue(value))?;
        }
        map.end()
    }
}
