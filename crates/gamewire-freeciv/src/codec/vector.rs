use core::ops::{Deref, DerefMut};

use super::array::read_list;
use super::fields::{FieldValue, WrongValue};
use super::memory::found;
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire, lists_differ};
use crate::delta::Value;

/// An array with an own length of two bytes on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Vector<T>(
    /// The elements; at most 65,535.
    pub Vec<T>,
);

impl<T> Vector<T> {
    /// Reads the length.
    pub(super) fn read_length<S: Source>(from: &mut S) -> Result<usize, S::Error> {
        let length = u16::from_be_bytes(from.array("the length of an array")?);
        Ok(usize::from(length))
    }

    /// Writes the length.
    pub(super) fn write_length<S: Sink>(&self, to: &mut S) -> Result<(), S::Error> {
        let length = u16::try_from(self.0.len()).ok();
        to.bytes(length.unwrap_or_default().to_be_bytes());
        match length {
            Some(_) => Ok(()),
            None => Err(to.error("as many elements as the array has", found(self.0.len()))),
        }
    }
}

impl<T: Wire> Wire for Vector<T> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 0;
    const IS_FLOAT: bool = T::IS_FLOAT;

    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let length = Self::read_length(from)?;
        read_list(&mut self.0, length, from, counts)
    }

    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        self.write_length(to)?;
        to.enter();
        T::write_slice(&self.0, to, counts)?;
        to.leave();
        Ok(())
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
        self.0.heap_bytes()
    }
}

impl<T: Wire> FieldValue for Vector<T> {
    fn value(&self) -> Value {
        self.0.value()
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.set_value(value)
    }
}

impl<T> Deref for Vector<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Vector<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}
