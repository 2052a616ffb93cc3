use core::fmt;

use arrayvec::ArrayVec;
use gamewire_wire::Found;

use super::fields::FieldValue;
use super::sink::Sink;
use super::source::Source;

/// A type of field, as it stands on the wire.
pub trait Wire: FieldValue + Clone + PartialEq + fmt::Debug {
    /// What it is before anything was sent.
    const ZERO: Self;
    /// Bytes that it has at least; 0 for arrays, which check that themselves.
    const MIN_BYTES: usize;
    /// Whether it is a floating-point number in the sender's memory, or an array of such.
    const IS_FLOAT: bool = false;

    /// Reads it over the old value. `counts` are those of the dimensions that other fields count, the
    /// outermost first.
    ///
    /// # Errors
    /// When the bytes are not what the type allows.
    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error>;

    /// Writes it.
    ///
    /// # Errors
    /// When it holds what cannot be said on the wire.
    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error>;

    /// Reads so many of them over old ones.
    ///
    /// # Errors
    /// When the bytes are not what the type allows.
    #[inline]
    fn read_list<S: Source>(
        list: &mut Vec<Self>,
        count: usize,
        from: &mut S,
        counts: &[ElementCount],
    ) -> Result<(), S::Error> {
        if list.capacity() < count {
            // As much as is needed: most lists never grow.
            list.reserve_exact(count.saturating_sub(list.len()));
        }
        list.resize(count, Self::ZERO);
        Self::read_slice(list, from, counts)
    }

    /// Reads so many of them, but no more than there is room for, over old ones.
    ///
    /// # Errors
    /// When the bytes are not what the type allows.
    #[inline]
    fn read_small<S: Source, const N: usize>(
        list: &mut ArrayVec<Self, N>,
        count: usize,
        from: &mut S,
        counts: &[ElementCount],
    ) -> Result<(), S::Error> {
        list.resize_to(count);
        Self::read_slice(list, from, counts)
    }

    /// Reads as many of them as there is place for.
    ///
    /// # Errors
    /// When the bytes are not what the type allows.
    #[inline]
    fn read_slice<S: Source>(
        slice: &mut [Self],
        from: &mut S,
        counts: &[ElementCount],
    ) -> Result<(), S::Error> {
        read_one_by_one(slice, from, counts)
    }

    /// Writes all of them.
    ///
    /// # Errors
    /// When one holds what cannot be said on the wire.
    #[inline]
    fn write_slice<S: Sink>(slice: &[Self], to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        for (index, element) in slice.iter().enumerate() {
            to.element(index);
            element.write(to, counts)?;
        }
        Ok(())
    }

    /// Whether it is to be sent again after an old value.
    #[inline(always)]
    fn differs(&self, old: &Self) -> bool {
        self != old
    }

    /// Whether it has as many elements as its count says.
    ///
    /// # Errors
    /// When there cannot be so many.
    #[inline(always)]
    fn matches_count(&self, counts: &[ElementCount]) -> Result<bool, WrongCount> {
        _ = counts;
        Ok(true)
    }

    /// Cuts or fills an array that was not sent to as many elements as its count says by now.
    #[inline]
    fn resize_to(&mut self, count: usize) {
        _ = count;
    }

    /// Makes it what it is before anything was sent, and keeps the memory that it has.
    #[inline]
    fn reset(&mut self) {
        *self = Self::ZERO;
    }

    /// About how many bytes it keeps beside itself.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }
}

/// A count over its limit: what was expected, and what it is.
pub type WrongCount = (&'static str, Found);

/// How many elements another field says that a dimension has.
#[derive(Clone, Copy, Debug)]
pub struct ElementCount {
    /// The value of that field.
    pub value: i64,
    /// How many there may be.
    pub limit: u32,
}

impl ElementCount {
    /// What says how many elements a dimension has.
    #[inline(always)]
    pub fn new(value: impl Into<i64>, limit: u32) -> Self {
        Self { value: value.into(), limit }
    }

    /// The number of elements; what is wrong if there cannot be so many.
    #[inline(always)]
    pub(super) fn get(self) -> Result<usize, WrongCount> {
        match u32::try_from(self.value) {
            Ok(count) if count <= self.limit => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
            _ => Err(("a count within the declared size", Found::Value(self.value))),
        }
    }

    /// Splits the outermost count off.
    #[inline(always)]
    pub(super) fn split(counts: &[Self]) -> (Self, &[Self]) {
        counts.split_first().map_or((Self { value: 0, limit: 0 }, &[]), |(first, rest)| (*first, rest))
    }
}

/// Reads elements one after the other, so that an error shows which of them is wrong.
#[inline]
pub(super) fn read_one_by_one<T: Wire, S: Source>(
    slice: &mut [T],
    from: &mut S,
    counts: &[ElementCount],
) -> Result<(), S::Error> {
    slice.iter_mut().enumerate().try_for_each(|(index, element)| {
        from.element(index);
        element.read(from, counts)
    })
}

/// Whether a list has as many elements as its count says.
#[inline(always)]
pub(super) fn fits(length: usize, counts: &[ElementCount]) -> Result<bool, WrongCount> {
    ElementCount::split(counts).0.get().map(|count| count == length)
}

/// Whether lists differ. Most are empty, and to ask for the elements of an empty one can be slow: there may be
/// no memory where they would be.
#[inline(always)]
pub(super) fn lists_differ<T: PartialEq>(new: &[T], old: &[T]) -> bool {
    new.len() != old.len() || (!new.is_empty() && new != old)
}
