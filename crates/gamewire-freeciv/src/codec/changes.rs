//! The changed elements of an array: pairs of an index and an element, up to an index that ends them.

use super::ArrayDiff;
use super::memory::found;
use super::sink::Sink;
use super::source::Source;
use super::vector::Vector;
use super::wire::{ElementCount, Wire};

/// An array whose changed elements can be sent alone.
pub trait Elements: Wire {
    /// Reads what has changed over the old elements.
    ///
    /// # Errors
    /// When an index is over the length, or the bytes are not what the type allows.
    fn read_changes<S: Source>(
        &mut self,
        from: &mut S,
        form: ArrayDiff,
        counts: &[ElementCount],
    ) -> Result<(), S::Error>;

    /// Writes what has changed since `old`.
    ///
    /// # Errors
    /// When there are more elements than an index can say, or an element cannot be said.
    fn write_changes<S: Sink>(
        &self,
        old: &Self,
        to: &mut S,
        form: ArrayDiff,
        counts: &[ElementCount],
    ) -> Result<(), S::Error>;
}

impl<T: Wire, const N: usize> Elements for [T; N] {
    #[inline]
    fn read_changes<S: Source>(
        &mut self,
        from: &mut S,
        form: ArrayDiff,
        _: &[ElementCount],
    ) -> Result<(), S::Error> {
        read(self, from, form, limit(N))
    }

    #[inline]
    fn write_changes<S: Sink>(
        &self,
        old: &Self,
        to: &mut S,
        form: ArrayDiff,
        _: &[ElementCount],
    ) -> Result<(), S::Error> {
        write(self, old, to, form, limit(N))
    }
}

impl<T: Wire> Elements for Vec<T> {
    fn read_changes<S: Source>(
        &mut self,
        from: &mut S,
        form: ArrayDiff,
        counts: &[ElementCount],
    ) -> Result<(), S::Error> {
        let (count, _) = ElementCount::split(counts);
        let length = count.get().map_err(|(expected, found)| from.error(0, expected, found))?;
        self.resize_to(length);
        read(self, from, form, count.limit)
    }

    fn write_changes<S: Sink>(
        &self,
        old: &Self,
        to: &mut S,
        form: ArrayDiff,
        counts: &[ElementCount],
    ) -> Result<(), S::Error> {
        let (count, _) = ElementCount::split(counts);
        to.counted(count, self.len())?;
        write(self, old, to, form, count.limit)
    }
}

impl<T: Wire> Elements for Vector<T> {
    fn read_changes<S: Source>(
        &mut self,
        from: &mut S,
        form: ArrayDiff,
        _: &[ElementCount],
    ) -> Result<(), S::Error> {
        let length = Self::read_length(from)?;
        self.0.resize_to(length);
        read(&mut self.0, from, form, u16::MAX.into())
    }

    fn write_changes<S: Sink>(
        &self,
        old: &Self,
        to: &mut S,
        form: ArrayDiff,
        _: &[ElementCount],
    ) -> Result<(), S::Error> {
        self.write_length(to)?;
        write(&self.0, &old.0, to, form, u16::MAX.into())
    }
}

#[inline]
fn read<T: Wire, S: Source>(
    list: &mut [T],
    from: &mut S,
    form: ArrayDiff,
    limit: u32,
) -> Result<(), S::Error> {
    const EXPECTED: &str = "the index of an element, or the end mark";
    let end = end_mark(form, list.len());
    let bytes = form.index_bytes(limit);
    from.enter();
    loop {
        let index = match bytes {
            1 => usize::from(u8::from_be_bytes(from.array(EXPECTED)?)),
            _ => usize::from(u16::from_be_bytes(from.array(EXPECTED)?)),
        };
        if index == end {
            from.leave();
            return Ok(());
        }
        from.element(index);
        let Some(element) = list.get_mut(index) else {
            return Err(from.error(bytes, "an index below the number of elements", found(index)));
        };
        element.read(from, &[])?;
    }
}

#[inline]
fn write<T: Wire, S: Sink>(
    new: &[T],
    old: &[T],
    to: &mut S,
    form: ArrayDiff,
    limit: u32,
) -> Result<(), S::Error> {
    let is_wide = form.index_bytes(limit) > 1;
    to.enter();
    for (index, element) in new.iter().enumerate() {
        let is_same = match (old.get(index), form) {
            (Some(old), _) => old == element,
            (None, ArrayDiff::End255) => *element == T::ZERO,
            (None, ArrayDiff::EndLength) => false,
        };
        if !is_same {
            to.element(index);
            write_index(index, is_wide, to)?;
            element.write(to, &[])?;
        }
    }
    to.leave();
    write_index(end_mark(form, new.len()), is_wide, to)
}

#[inline]
fn write_index<S: Sink>(index: usize, is_wide: bool, to: &mut S) -> Result<(), S::Error> {
    if is_wide && let Ok(index) = u16::try_from(index) {
        to.bytes(index.to_be_bytes());
    } else if !is_wide && let Ok(index) = u8::try_from(index) {
        to.bytes([index]);
    } else {
        return Err(to.error("an index that the array-diff can say", found(index)));
    }
    Ok(())
}

/// The index that ends the changes of an array with so many elements.
const fn end_mark(form: ArrayDiff, length: usize) -> usize {
    match form {
        ArrayDiff::End255 => 255,
        ArrayDiff::EndLength => length,
    }
}

fn limit(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
