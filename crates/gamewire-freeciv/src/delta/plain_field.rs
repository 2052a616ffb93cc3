//! Fields outside of a packet body: how they are traced, and changed by text.

use gamewire_schema::ir::Field;
use gamewire_wire::Trace;

use super::element::{Element, StructField};
use super::progress::trace_element;
use super::value::Value;

/// The type of the elements of a field.
#[derive(Clone, Debug)]
pub(crate) struct ElementType(Element);

impl ElementType {
    /// Returns the type of the elements of a field.
    pub(crate) fn of(field: &Field) -> Self {
        Self(Element::of(field))
    }

    /// Reports a value as a field with an empty span, in the same form as a decoder reports fields.
    pub(crate) fn trace<T: Trace>(&self, name: &str, value: &Value, trace: &mut T) {
        trace_element(trace, name, &self.0, 0..0, value);
    }

    /// Sets a value or a part of it from text. `path` selects the part, such as `[2]`, `[0][1]`, `.kind` or `[2].kind`.
    /// Returns false and changes nothing if there is no such part, or the text is not a value of its type.
    pub(crate) fn set(&self, value: &mut Value, path: &str, text: &str) -> bool {
        self.replaced(value, path, text).is_some()
    }

    fn replaced(&self, value: &mut Value, path: &str, text: &str) -> Option<()> {
        if path.is_empty() {
            *value = match value {
                Value::Bool(_) => Value::Bool(text.parse().ok()?),
                Value::Int(_) => Value::Int(text.parse().ok()?),
                Value::Scaled(_) => Value::Scaled(self.scaled(text)?),
                Value::Text(_) => Value::Text(text.as_bytes().to_vec()),
                _ => return None,
            };
            return Some(());
        }
        match (value, &self.0) {
            (Value::Parts(values), Element::Parts(parts)) => {
                let at = position(parts, path.strip_prefix('.')?)?;
                set_part(values, at, parts.get(at)?, text)
            }
            (Value::Parts(values), Element::Counted(parts)) => {
                let (index, rest) = split_index(path)?;
                let part = position(parts, rest.strip_prefix('.').unwrap_or(rest))?;
                let at = index.checked_mul(parts.len())?.checked_add(part)?;
                set_part(values, at, parts.get(part)?, text)
            }
            (Value::Parts(values), Element::Ended(..)) => {
                let (index, "") = split_index(path)? else { return None };
                *values.get_mut(index)? = text.parse().ok()?;
                Some(())
            }
            (Value::Bytes(bytes), Element::Bits(_)) => {
                let (bit, "") = split_index(path)? else { return None };
                let byte = bytes.get_mut(bit / 8)?;
                let mask = 1 << (bit % 8);
                *byte = if text.parse().ok()? { *byte | mask } else { *byte & !mask };
                Some(())
            }
            (Value::List(elements), _) => {
                let (index, rest) = split_index(path)?;
                self.replaced(elements.get_mut(index)?, rest, text)
            }
            _ => None,
        }
    }

    /// Parses a scaled number and returns the integer on the wire.
    #[expect(clippy::cast_possible_truncation, reason = "a number that is too large does not fit the field")]
    fn scaled(&self, text: &str) -> Option<i64> {
        let Element::Scaled(_, factor) = &self.0 else { return None };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some((number * f64::from(*factor)).round() as i64)
    }
}

/// Splits `[2].kind` into 2 and `.kind`.
fn split_index(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

fn position(parts: &[StructField], name: &str) -> Option<usize> {
    parts.iter().position(|part| part.name == name)
}

fn set_part(values: &mut [i64], at: usize, part: &StructField, text: &str) -> Option<()> {
    let value = values.get_mut(at)?;
    *value = if part.number.is_bool() { text.parse::<bool>().ok()?.into() } else { text.parse().ok()? };
    Some(())
}
