//! Raw bytes: bitvectors of a fixed size, and memory with its size in another field.

use core::fmt;
use gamewire_wire::Result;

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{Wire, deref_to_vec, lists_differ};
use crate::delta::Value;

/// Bits, starting at the lowest bit of the first byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitvector<const BYTES: usize>(
    /// The bytes as they are on the wire.
    pub [u8; BYTES],
);

impl<const BYTES: usize> Bitvector<BYTES> {
    /// Returns whether a bit is set. A bit after the end is not set.
    pub fn get(&self, bit: usize) -> bool {
        self.0.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    /// Returns whether the bit of a flag is set. `None` is a flag that the version does not have.
    pub(crate) fn has(&self, flag: Option<u8>) -> bool {
        flag.is_some_and(|bit| self.get(bit.into()))
    }

    /// Sets or clears a bit. Returns false if the set has no such bit.
    pub fn set(&mut self, bit: usize, value: bool) -> bool {
        let Some(byte) = self.0.get_mut(bit / 8) else { return false };
        let mask = 1_u8 << (bit % 8);
        *byte = if value { *byte | mask } else { *byte & !mask };
        true
    }

    /// Returns the indices of the set bits in ascending order.
    pub fn iter_ones(&self) -> impl Iterator<Item = usize> {
        (0..BYTES.saturating_mul(8)).filter(|bit| self.get(*bit))
    }
}

impl<const BYTES: usize> Default for Bitvector<BYTES> {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Prints the indices of the set bits.
impl<const BYTES: usize> fmt::Debug for Bitvector<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter_ones()).finish()
    }
}

impl<const BYTES: usize> Wire for Bitvector<BYTES> {
    const ZERO: Self = Self([0; BYTES]);
    const MIN_BYTES: usize = BYTES;
    #[allow(clippy::cast_possible_truncation, reason = "the size comes from a u32 of the definition")]
    const SIZE: u32 = BYTES as u32;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        self.0 = from.array("raw bytes")?;
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        to.bytes(&self.0);
        Ok(())
    }
}

impl<const BYTES: usize> FieldValue for Bitvector<BYTES> {
    fn value(&self) -> Value {
        Value::Bytes(self.0.to_vec())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        let mut set = Self::ZERO;
        match value {
            Value::Bytes(bytes) if bytes.len() <= BYTES => {
                set.0.iter_mut().zip(bytes).for_each(|(to, byte)| *to = *byte);
            }
            // Other versions send some sets as integers or arrays.
            Value::Int(number) => {
                for bit in (0..64).filter(|bit| number >> bit & 1 != 0) {
                    if !set.set(bit, true) {
                        return Err(WrongValue::TYPE);
                    }
                }
            }
            Value::List(list) => {
                for (bit, _) in list.iter().enumerate().filter(|(_, value)| **value == Value::Bool(true)) {
                    if !set.set(bit, true) {
                        return Err(WrongValue::TYPE);
                    }
                }
            }
            Value::Absent => {}
            _ => return Err(WrongValue::TYPE),
        }
        *self = set;
        Ok(())
    }
}

/// Raw bytes. Another field holds their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory(
    /// The bytes.
    pub Vec<u8>,
);

deref_to_vec!([] Memory => u8);

impl Wire for Memory {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 0;
    const IS_COUNTED: bool = true;

    fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
        let count = from.count(counts)?;
        replace(&mut self.0, from.take(count, "raw bytes")?);
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
        to.check_length(counts, self.0.len())?;
        to.bytes(&self.0);
        Ok(())
    }

    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    fn resize_to(&mut self, count: usize) {
        self.0.resize(count, 0);
    }

    fn heap_bytes(&self) -> usize {
        self.0.capacity()
    }
}

impl FieldValue for Memory {
    fn value(&self) -> Value {
        Value::Bytes(self.0.clone())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        match value {
            Value::Bytes(bytes) => self.0.clone_from(bytes),
            Value::Absent => self.0.clear(),
            _ => return Err(WrongValue::TYPE),
        }
        Ok(())
    }
}

/// Replaces bytes, and reuses the allocation if the new bytes fit.
pub(super) fn replace(old: &mut Vec<u8>, new: &[u8]) {
    if old.capacity() < new.len() {
        *old = new.to_vec();
    } else {
        old.clear();
        old.extend_from_slice(new);
    }
}
