use core::ops::{Deref, DerefMut};

use gamewire_wire::Found;

use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::text::replace;
use super::wire::{ElementCount, Wire, WrongCount, fits, lists_differ};
use crate::delta::Value;

/// As many raw bytes as another field says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory(
    /// The bytes.
    pub Vec<u8>,
);

impl Wire for Memory {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 0;

    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let (count, _) = ElementCount::split(counts);
        let count = count.get().map_err(|(expected, found)| from.error(0, expected, found))?;
        replace(&mut self.0, from.take(count, "raw bytes")?);
        Ok(())
    }

    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let (count, _) = ElementCount::split(counts);
        to.counted(count, self.0.len())?;
        to.slice(&self.0);
        Ok(())
    }

    fn resize_to(&mut self, count: usize) {
        self.0.resize(count, 0);
    }

    #[inline]
    fn matches_count(&self, counts: &[ElementCount]) -> Result<bool, WrongCount> {
        fits(self.0.len(), counts)
    }

    #[inline]
    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    #[inline]
    fn reset(&mut self) {
        self.0.clear();
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

impl Deref for Memory {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

/// A length for an error.
#[cold]
pub(super) fn found(length: usize) -> Found {
    Found::Value(i64::try_from(length).unwrap_or(i64::MAX))
}
