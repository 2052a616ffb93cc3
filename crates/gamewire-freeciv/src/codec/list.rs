//! Lists that Freeciv 2 sends: bytes up to an end mark, and bits after their number.

use gamewire_wire::{Found, Result};

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::{Source, value};
use super::wire::{Wire, lists_differ};
use crate::delta::Value;

/// Bytes other than `END`. On the wire the end mark follows them, unless there are `MAX`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EndedList<const END: u8, const MAX: usize>(
    /// The bytes; at most `MAX`.
    pub Vec<u8>,
);

#[allow(clippy::cast_possible_truncation, reason = "the maximum is at most 255")]
impl<const END: u8, const MAX: usize> Wire for EndedList<END, MAX> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 1;
    const SIZE: u32 = MAX as u32;
    const END: u8 = END;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        self.0.clear();
        while self.0.len() < MAX {
            let [byte] = from.array("an element, or the end mark")?;
            if byte == END {
                break;
            }
            self.0.push(byte);
        }
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        if self.0.len() > MAX {
            return Err(to.error("a list within its maximum length", value(self.0.len())));
        }
        if self.0.contains(&END) {
            return Err(to.error("bytes other than the end mark", Found::Value(END.into())));
        }
        to.bytes(&self.0);
        if self.0.len() < MAX {
            to.bytes(&[END]);
        }
        Ok(())
    }

    fn differs(&self, old: &Self) -> bool {
        lists_differ(&self.0, &old.0)
    }

    fn heap_bytes(&self) -> usize {
        self.0.capacity()
    }
}

impl<const END: u8, const MAX: usize> FieldValue for EndedList<END, MAX> {
    fn value(&self) -> Value {
        Value::Parts(self.0.iter().map(|byte| i64::from(*byte)).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.clear();
        match value {
            Value::Parts(parts) => {
                let byte = |part: &i64| u8::try_from(*part).ok().filter(|byte| *byte != END);
                let bytes: Option<Vec<u8>> = parts.iter().map(byte).collect();
                let expected = "at most the maximum number of bytes, without the end mark";
                self.0 = bytes.filter(|bytes| bytes.len() <= MAX).ok_or(WrongValue { expected })?;
            }
            Value::Absent => {}
            _ => return Err(WrongValue::TYPE),
        }
        Ok(())
    }
}

/// Fewer than `SIZE` bits. On the wire their number is before them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitString<const SIZE: usize>(
    /// The bits.
    pub Vec<bool>,
);

#[allow(clippy::cast_possible_truncation, reason = "the compiler limits sizes")]
impl<const SIZE: usize> Wire for BitString<SIZE> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 2;
    const SIZE: u32 = SIZE as u32;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        let count = usize::from(u16::from_be_bytes(from.array("a number of bits")?));
        if count >= SIZE {
            return Err(from.error_before(2, "a number of bits within its field", value(count)));
        }
        let bytes = from.take(count.div_ceil(8), "the bits")?;
        let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0));
        self.0.clear();
        self.0.extend(bits.take(count));
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        let count = u16::try_from(self.0.len()).ok().filter(|_| self.0.len() < SIZE);
        let expected = "a number of bits that fits in its field";
        let count = count.ok_or_else(|| to.error(expected, value(self.0.len())))?;
        to.bytes(&count.to_be_bytes());
        for bits in self.0.chunks(8) {
            to.bytes(&[bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))]);
        }
        Ok(())
    }

    fn differs(&self, old: &Self) -> bool {
        lists_differ(&self.0, &old.0)
    }

    fn heap_bytes(&self) -> usize {
        self.0.capacity()
    }
}

/// The value is a text of `0` and `1`, as in C.
impl<const SIZE: usize> FieldValue for BitString<SIZE> {
    fn value(&self) -> Value {
        Value::Text(self.0.iter().map(|bit| if *bit { b'1' } else { b'0' }).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.clear();
        match value {
            Value::Text(text) => {
                let is_text = text.len() < SIZE && text.iter().all(|bit| matches!(bit, b'0' | b'1'));
                if !is_text {
                    return Err(WrongValue { expected: "a text of 0 and 1 that fits in its field" });
                }
                self.0.extend(text.iter().map(|bit| *bit == b'1'));
            }
            Value::Absent => {}
            _ => return Err(WrongValue::TYPE),
        }
        Ok(())
    }
}
