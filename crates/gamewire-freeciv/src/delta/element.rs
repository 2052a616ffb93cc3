//! One element of a field, described by its type on the wire.

use std::sync::Arc;

use gamewire_schema::ir::{Field, PartNumber, Structure, WireType};
use gamewire_wire::{CodecError, Found, Reader, Result};

use super::number::{Number, found};
use super::structure::freeciv_structure;
use super::value::Value;

/// A part of a structure.
#[derive(Clone, Debug)]
pub(super) struct StructField {
    /// Name of the part; empty in a structure of one part, which is a plain number.
    pub(super) name: String,
    pub(super) number: Number,
}

/// The parts of a structure, after its nested structures and arrays are replaced by their elements.
type Parts = Arc<[StructField]>;

fn parts_of(structure: &Structure) -> Parts {
    let part = |PartNumber { name, wire }| {
        let number = match wire {
            WireType::Bool8 => Number::Bool8,
            WireType::Bool32 => Number::Bool32,
            // Parts are integers or booleans.
            wire => Number::of(wire).unwrap_or(Number::U8),
        };
        StructField { name, number }
    };
    structure.numbers().into_iter().map(part).collect()
}

/// Returns the part of a structure that is a plain number.
fn plain(number: Number) -> Parts {
    [StructField { name: String::new(), number }].into()
}

/// Returns the default value of an element of a field.
#[cfg(feature = "serde")]
pub(crate) fn zero_element(field: &Field) -> Value {
    Element::of(field).zero()
}

/// The type of an element.
#[derive(Clone, Debug)]
pub(super) enum Element {
    Number(Number),
    /// A number that is multiplied by this factor on the wire.
    Scaled(Number, u32),
    Bits(usize),
    /// A text of at most this many bytes, including the NUL.
    Text(usize),
    /// Raw bytes. The dimension of the field is their number.
    Memory,
    /// A structure.
    Parts(Parts),
    /// An 8-bit count, then that many structures.
    Counted(Parts),
    /// Bytes up to an end mark, at most this many.
    Ended(u8, usize),
    /// A 16-bit count of bits, then the bits, as a text of at most this many bytes, including the NUL.
    BitText(usize),
}

impl Element {
    /// Returns the type of the elements of a field. With the C type `bool`, integers become booleans.
    pub(super) fn of(field: &Field) -> Self {
        let (wire, is_bool) = (field.wire, field.is_bool());
        let size = |size: u32| usize::try_from(size).unwrap_or(usize::MAX);
        match wire {
            // A boolean must be 0 or 1 at any width.
            WireType::Bool32 | WireType::Uint32 | WireType::Sint32 if is_bool => Self::Number(Number::Bool32),
            WireType::Bool8 | WireType::Uint8 | WireType::Sint8 if is_bool => Self::Number(Number::Bool8),
            WireType::Bool8 => Self::Number(Number::Bool8),
            WireType::Bool32 => Self::Number(Number::Bool32),
            WireType::Uint8 => Self::Number(Number::U8),
            WireType::Uint16 => Self::Number(Number::U16),
            WireType::Uint32 => Self::Number(Number::U32),
            WireType::Sint8 => Self::Number(Number::S8),
            WireType::Sint16 => Self::Number(Number::S16),
            WireType::Sint32 => Self::Number(Number::S32),
            WireType::Ufloat { factor } => Self::Scaled(Number::U32, factor),
            WireType::Sfloat { factor } => Self::Scaled(Number::S32, factor),
            WireType::Bitvector { bytes } => Self::Bits(size(bytes)),
            WireType::String { size: max } | WireType::Estring { size: max } => Self::Text(size(max)),
            WireType::Memory => Self::Memory,
            WireType::Requirement
            | WireType::UnitOrder
            | WireType::CmParameter
            | WireType::ActionProbability => Self::Parts(parts_of(&freeciv_structure(wire.word()))),
            WireType::Worklist => Self::Counted(parts_of(&freeciv_structure("work"))),
            WireType::Uint8Vec8 => Self::Counted(plain(Number::U8)),
            WireType::Uint16Vec8 => Self::Counted(plain(Number::U16)),
            WireType::EndedList { end, max } => Self::Ended(end, size(max)),
            WireType::BitString { size: max } => Self::BitText(size(max)),
            WireType::Structure => Self::Parts(field.structure.as_deref().map(parts_of).unwrap_or_default()),
        }
    }

    /// Returns the minimum number of bytes of an element.
    pub(super) fn min_bytes(&self) -> usize {
        match self {
            Self::Number(number) | Self::Scaled(number, _) => number.bytes(),
            Self::Bits(bytes) => *bytes,
            Self::Text(_) | Self::Memory | Self::Counted(_) | Self::Ended(..) => 1,
            Self::BitText(_) => 2,
            Self::Parts(parts) => parts.iter().map(|part| part.number.bytes()).sum(),
        }
    }

    /// Returns the default value.
    pub(super) fn zero(&self) -> Value {
        match self {
            Self::Number(number) if number.is_bool() => Value::Bool(false),
            Self::Number(_) => Value::Int(0),
            Self::Scaled(..) => Value::Scaled(0),
            Self::Bits(bytes) => Value::Bytes(vec![0; *bytes]),
            Self::Text(_) | Self::BitText(_) => Value::Text(Vec::new()),
            Self::Memory => Value::Bytes(Vec::new()),
            Self::Parts(parts) => Value::Parts(vec![0; parts.len()]),
            Self::Counted(_) | Self::Ended(..) => Value::Parts(Vec::new()),
        }
    }

    /// Reads an element over its old value, and reuses its memory.
    pub(super) fn read(&self, from: &mut Reader<'_>, to: &mut Value) -> Result<()> {
        match self {
            Self::Number(number) if number.is_bool() => *to = Value::Bool(number.read(from)? != 0),
            Self::Number(number) => *to = Value::Int(number.read(from)?),
            Self::Scaled(number, _) => *to = Value::Scaled(number.read(from)?),
            Self::Bits(bytes) => read_bytes(from, *bytes, to)?,
            Self::Text(size) => {
                let text = read_text(from, *size)?;
                match to {
                    Value::Text(old) => replace(old, text),
                    _ => *to = Value::Text(text.to_vec()),
                }
            }
            Self::Memory => {}
            Self::Parts(parts) => read_parts(from, parts, 1, to)?,
            Self::Counted(parts) => {
                let count = usize::from(from.u8("a count")?);
                read_parts(from, parts, count, to)?;
            }
            Self::Ended(end, max) => *to = Value::Parts(read_ended(from, *end, *max)?),
            Self::BitText(size) => *to = Value::Text(read_bit_text(from, *size)?),
        }
        Ok(())
    }

    /// Writes an element.
    pub(super) fn write(&self, value: &Value, to: &mut Vec<u8>) -> Result<()> {
        let wrong = |expected| Err(CodecError::new(to.len(), expected, Found::End));
        match (self, value) {
            (Self::Number(number), Value::Bool(value)) if number.is_bool() => {
                number.write(i64::from(*value), to)
            }
            (Self::Number(number), Value::Int(value)) if !number.is_bool() => number.write(*value, to),
            (Self::Scaled(number, _), Value::Scaled(value)) => number.write(*value, to),
            (Self::Bits(size), Value::Bytes(bytes)) if bytes.len() == *size => {
                to.extend_from_slice(bytes);
                Ok(())
            }
            (Self::Text(size), Value::Text(text)) if text.len() < *size && !text.contains(&0) => {
                to.extend_from_slice(text);
                to.push(0);
                Ok(())
            }
            (Self::Text(_), Value::Text(text)) => {
                let expected = "a text without NUL that fits in its field";
                Err(CodecError::new(to.len(), expected, Found::Bytes(text.len())))
            }
            (Self::Memory, Value::Bytes(bytes)) => {
                to.extend_from_slice(bytes);
                Ok(())
            }
            (Self::Parts(parts), Value::Parts(values)) if values.len() == parts.len() => {
                write_parts(parts, values, to)
            }
            (Self::Counted(parts), Value::Parts(values))
                if values.len().is_multiple_of(parts.len().max(1)) =>
            {
                let count = values.len().checked_div(parts.len()).unwrap_or(0);
                let many = |_| CodecError::new(to.len(), "at most 255 structures", found(count));
                to.push(u8::try_from(count).map_err(many)?);
                write_parts(parts, values, to)
            }
            (Self::Ended(end, max), Value::Parts(values)) => write_ended(values, *end, *max, to),
            (Self::BitText(size), Value::Text(text)) => write_bit_text(text, *size, to),
            _ => wrong("a value of the field's type"),
        }
    }
}

/// Returns the parts of a field that is a structure or a list of structures. A part without a name is a plain number.
/// Empty for other fields.
pub fn parts(field: &Field) -> Vec<PartNumber> {
    let (Element::Parts(parts) | Element::Counted(parts)) = Element::of(field) else { return Vec::new() };
    parts.iter().map(|part| PartNumber { name: part.name.clone(), wire: part.number.wire() }).collect()
}

/// Reads raw bytes over an old value.
pub(super) fn read_bytes(from: &mut Reader<'_>, count: usize, to: &mut Value) -> Result<()> {
    let bytes = from.take(count, "raw bytes")?;
    match to {
        Value::Bytes(old) => replace(old, bytes),
        _ => *to = Value::Bytes(bytes.to_vec()),
    }
    Ok(())
}

fn read_text<'a>(from: &mut Reader<'a>, size: usize) -> Result<&'a [u8]> {
    let rest = from.remaining();
    let window = rest.get(..size).unwrap_or(rest);
    let Some(length) = window.iter().position(|byte| *byte == 0) else {
        let expected = "a NUL at the end of a text, within its field";
        return Err(CodecError::new(from.offset(), expected, Found::Bytes(window.len())));
    };
    let text = from.take(length, "a text")?;
    from.advance(1);
    Ok(text)
}

/// Reads bytes up to an end mark, which is omitted after `max` bytes.
fn read_ended(from: &mut Reader<'_>, end: u8, max: usize) -> Result<Vec<i64>> {
    let mut values = Vec::new();
    while values.len() < max {
        let value = from.u8("an element, or the end mark")?;
        if value == end {
            break;
        }
        values.push(value.into());
    }
    Ok(values)
}

fn write_ended(values: &[i64], end: u8, max: usize, to: &mut Vec<u8>) -> Result<()> {
    if values.len() > max {
        return Err(CodecError::new(to.len(), "a list within its maximum length", found(values.len())));
    }
    for value in values {
        let byte = u8::try_from(*value).ok().filter(|value| *value != end);
        let wrong = || CodecError::new(to.len(), "a byte other than the end mark", Found::Value(*value));
        to.push(byte.ok_or_else(wrong)?);
    }
    if values.len() < max {
        to.push(end);
    }
    Ok(())
}

/// Reads a number of bits and the bits as a text of `0` and `1`, which has fewer than `size` bytes.
fn read_bit_text(from: &mut Reader<'_>, size: usize) -> Result<Vec<u8>> {
    let start = from.offset();
    let count = usize::from(from.be_u16("a number of bits")?);
    if count >= size {
        return Err(CodecError::new(start, "a number of bits within its field", found(count)));
    }
    let bytes = from.take(count.div_ceil(8), "the bits")?;
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0));
    Ok(bits.take(count).map(|is_set| if is_set { b'1' } else { b'0' }).collect())
}

fn write_bit_text(text: &[u8], size: usize, to: &mut Vec<u8>) -> Result<()> {
    let count = u16::try_from(text.len()).ok().filter(|_| text.len() < size);
    let is_text = text.iter().all(|bit| matches!(bit, b'0' | b'1'));
    let expected = "a text of 0 and 1 that fits in its field";
    let count = count.filter(|_| is_text);
    let count = count.ok_or_else(|| CodecError::new(to.len(), expected, Found::Bytes(text.len())))?;
    to.extend(count.to_be_bytes());
    to.extend(
        text.chunks(8)
            .map(|bits| bits.iter().rev().fold(0_u8, |byte, bit| byte << 1 | u8::from(*bit == b'1'))),
    );
    Ok(())
}

fn read_parts(from: &mut Reader<'_>, parts: &[StructField], count: usize, to: &mut Value) -> Result<()> {
    let mut values = match to {
        Value::Parts(old) => core::mem::take(old),
        _ => Vec::new(),
    };
    values.clear();
    for _ in 0..count {
        for part in parts {
            values.push(part.number.read(from)?);
        }
    }
    *to = Value::Parts(values);
    Ok(())
}

fn write_parts(parts: &[StructField], values: &[i64], to: &mut Vec<u8>) -> Result<()> {
    for (part, value) in parts.iter().cycle().zip(values) {
        part.number.write(*value, to)?;
    }
    Ok(())
}

fn replace(old: &mut Vec<u8>, new: &[u8]) {
    old.clear();
    old.extend_from_slice(new);
}
