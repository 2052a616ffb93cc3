//! Arrays of a fixed length, and large ones whose elements another field counts.

use gamewire_wire::Found;

use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire, WrongCount, fits, lists_differ};
use crate::delta::Value;

impl<T: Wire, const N: usize> Wire for [T; N] {
    const ZERO: Self = [const { T::ZERO }; N];
    const MIN_BYTES: usize = 0;
    const IS_FLOAT: bool = T::IS_FLOAT;

    #[inline]
    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        enough::<T, S>(N, from)?;
        from.enter();
        T::read_slice(self, from, counts)?;
        from.leave();
        Ok(())
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        to.enter();
        T::write_slice(self, to, counts)?;
        to.leave();
        Ok(())
    }

    #[inline]
    fn heap_bytes(&self) -> usize {
        heap(self)
    }
}

impl<T: Wire> Wire for Vec<T> {
    const ZERO: Self = Self::new();
    const MIN_BYTES: usize = 0;
    const IS_FLOAT: bool = T::IS_FLOAT;

    #[inline]
    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let (count, inner) = ElementCount::split(counts);
        let count = count.get().map_err(|(expected, found)| from.error(0, expected, found))?;
        read_list(self, count, from, inner)
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        write_list(self, to, counts)
    }

    #[inline]
    fn resize_to(&mut self, count: usize) {
        if self.len() != count {
            self.resize(count, T::ZERO);
        }
    }

    #[inline]
    fn matches_count(&self, counts: &[ElementCount]) -> Result<bool, WrongCount> {
        fits(self.len(), counts)
    }

    #[inline]
    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    #[inline]
    fn reset(&mut self) {
        self.clear();
    }

    #[inline]
    fn heap_bytes(&self) -> usize {
        heap(self).saturating_add(self.capacity().saturating_mul(size_of::<T>()))
    }
}

impl<T: Wire, const N: usize> FieldValue for [T; N] {
    fn value(&self) -> Value {
        Value::List(self.iter().map(T::value).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        match value {
            Value::List(list) if list.len() == N => {
                self.iter_mut().zip(list).try_for_each(|(element, value)| element.set_value(value))
            }
            Value::Absent => self.iter_mut().try_for_each(|element| element.set_value(value)),
            _ => Err(WrongValue::TYPE),
        }
    }
}

impl<T: Wire> FieldValue for Vec<T> {
    fn value(&self) -> Value {
        Value::List(self.iter().map(T::value).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.clear();
        match value {
            Value::List(list) => {
                self.resize(list.len(), T::ZERO);
                self.iter_mut().zip(list).try_for_each(|(element, value)| element.set_value(value))
            }
            Value::Absent => Ok(()),
            _ => Err(WrongValue::TYPE),
        }
    }
}

/// Reads so many elements over old ones.
#[inline]
pub(super) fn read_list<T: Wire, S: Source>(
    list: &mut Vec<T>,
    count: usize,
    from: &mut S,
    inner: &[ElementCount],
) -> Result<(), S::Error> {
    enough::<T, S>(count, from)?;
    from.enter();
    T::read_list(list, count, from, inner)?;
    from.leave();
    Ok(())
}

/// Writes elements that another field counts.
#[inline]
pub(super) fn write_list<T: Wire, S: Sink>(
    list: &[T],
    to: &mut S,
    counts: &[ElementCount],
) -> Result<(), S::Error> {
    let (count, inner) = ElementCount::split(counts);
    to.counted(count, list.len())?;
    to.enter();
    T::write_slice(list, to, inner)?;
    to.leave();
    Ok(())
}

/// Refuses an array whose elements cannot be there, before there is place for them.
#[inline(always)]
pub(super) fn enough<T: Wire, S: Source>(count: usize, from: &S) -> Result<(), S::Error> {
    let left = from.remaining().len();
    if count.saturating_mul(T::MIN_BYTES) > left {
        return Err(from.error(0, "all elements of an array", Found::Bytes(left)));
    }
    Ok(())
}

fn heap<T: Wire>(elements: &[T]) -> usize {
    elements.iter().fold(0, |sum, element| sum.saturating_add(element.heap_bytes()))
}
