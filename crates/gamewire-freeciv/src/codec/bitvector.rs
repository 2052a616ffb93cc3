use core::fmt;

use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire};
use crate::delta::Value;

/// Bits, the lowest one of the first byte being the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitvector<const BYTES: usize>(
    /// The bytes as they stand on the wire.
    pub [u8; BYTES],
);

impl<const BYTES: usize> Bitvector<BYTES> {
    /// Whether a bit is set; false behind the end.
    #[must_use]
    pub fn get(&self, bit: usize) -> bool {
        self.0.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    /// Sets or clears a bit; whether there is such a bit.
    pub fn set(&mut self, bit: usize, value: bool) -> bool {
        let Some(byte) = self.0.get_mut(bit / 8) else { return false };
        let mask = 1_u8 << (bit % 8);
        *byte = if value { *byte | mask } else { *byte & !mask };
        true
    }

    /// The bits that are set, in rising order.
    pub fn iter_ones(&self) -> impl Iterator<Item = usize> {
        (0..BYTES.saturating_mul(8)).filter(|bit| self.get(*bit))
    }
}

impl<const BYTES: usize> Default for Bitvector<BYTES> {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The numbers of the bits that are set.
impl<const BYTES: usize> fmt::Debug for Bitvector<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter_ones()).finish()
    }
}

impl<const BYTES: usize> Wire for Bitvector<BYTES> {
    const ZERO: Self = Self([0; BYTES]);
    const MIN_BYTES: usize = BYTES;

    #[inline(always)]
    fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        self.0 = from.array("raw bytes")?;
        Ok(())
    }

    #[inline(always)]
    fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        to.bytes(self.0);
        Ok(())
    }
}

impl<const BYTES: usize> FieldValue for Bitvector<BYTES> {
    fn value(&self) -> Value {
        Value::Bytes(self.0.to_vec())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0 = match value {
            Value::Bytes(bytes) => bytes.as_slice().try_into().map_err(|_| WrongValue::TYPE)?,
            Value::Absent => [0; BYTES],
            _ => return Err(WrongValue::TYPE),
        };
        Ok(())
    }
}
