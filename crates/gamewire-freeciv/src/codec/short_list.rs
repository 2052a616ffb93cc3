use core::ops::{Deref, DerefMut};

use super::fields::{FieldValue, WrongValue};
use super::memory::found;
use super::sink::Sink;
use super::source::Source;
use super::structure::{Part, Work};
use super::wire::{ElementCount, Wire, lists_differ};
use crate::delta::Value;

/// Structures or numbers with a count of one byte in front.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShortList<T>(
    /// At most 255.
    pub Vec<T>,
);

/// What a city is to build, one after the other.
pub type Worklist = ShortList<Work>;

impl<T: Wire + Part> Wire for ShortList<T> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 1;

    fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let [count] = from.array("a count")?;
        self.0.clear();
        for _ in 0..count {
            let mut element = T::ZERO;
            element.read(from, &[])?;
            self.0.push(element);
        }
        Ok(())
    }

    fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let Ok(count) = u8::try_from(self.0.len()) else {
            return Err(to.error("at most 255 structures", found(self.0.len())));
        };
        to.bytes([count]);
        self.0.iter().try_for_each(|element| element.write(to, &[]))
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
        self.0.capacity().saturating_mul(size_of::<T>())
    }
}

impl<T: Wire + Part> FieldValue for ShortList<T> {
    fn value(&self) -> Value {
        let mut parts = Vec::new();
        self.0.iter().for_each(|element| element.part(&mut parts));
        Value::Parts(parts)
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.clear();
        let mut rest = match value {
            Value::Parts(parts) => parts.as_slice(),
            Value::Absent => &[],
            _ => return Err(WrongValue::TYPE),
        };
        while !rest.is_empty() {
            let mut element = T::ZERO;
            rest = element.set_part(rest)?;
            self.0.push(element);
        }
        Ok(())
    }
}

impl<T> Deref for ShortList<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for ShortList<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}
