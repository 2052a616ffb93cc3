//! Small arrays whose elements another field counts: they are kept in place, so that remembering them takes
//! no memory of its own.

use arrayvec::ArrayVec;

use super::array::{enough, write_list};
use super::block::Block;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire, WrongCount, fits, lists_differ};
use crate::delta::Value;

impl<T: Wire, const N: usize> Wire for ArrayVec<T, N> {
    const ZERO: Self = Self::new_const();
    const MIN_BYTES: usize = 0;
    const IS_FLOAT: bool = T::IS_FLOAT;

    #[inline]
    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let (count, inner) = ElementCount::split(counts);
        let count = count.get().map_err(|(expected, found)| from.error(0, expected, found))?;
        enough::<T, S>(count, from)?;
        from.enter();
        T::read_small(self, count, from, inner)?;
        from.leave();
        Ok(())
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        write_list(self, to, counts)
    }

    #[inline]
    fn resize_to(&mut self, count: usize) {
        self.truncate(count);
        while self.len() < count && self.try_push(T::ZERO).is_ok() {}
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
}

/// Sets a list to the first `count` elements of a block, for which it has room.
#[inline(always)]
pub(super) fn set_to_start<T: Copy, const N: usize>(
    list: &mut ArrayVec<T, N>,
    block: &[T; Block::SIZE],
    count: usize,
) {
    list.clear();
    // All of them at once are quicker than some; what is too much is given back.
    _ = list.try_extend_from_slice(block);
    list.truncate(count);
}

impl<T: Wire, const N: usize> FieldValue for ArrayVec<T, N> {
    fn value(&self) -> Value {
        Value::List(self.iter().map(T::value).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        let list = match value {
            Value::List(list) if list.len() <= N => list.as_slice(),
            Value::List(_) => return Err(WrongValue { expected: "as many elements as there may be" }),
            Value::Absent => &[],
            _ => return Err(WrongValue::TYPE),
        };
        self.clear();
        self.resize_to(list.len());
        self.iter_mut().zip(list).try_for_each(|(element, value)| element.set_value(value))
    }
}
