use gamewire_wire::Found;

use super::block::Block;
use super::wire::{ElementCount, Wire};
use super::{ArrayDiff, Elements};

/// Where the fields of a packet are read from.
pub trait Source {
    /// What says that they cannot be.
    type Error;

    /// A field begins; whether it is on the wire and to be read. Without a bit it always is.
    fn begin(&mut self, field: usize, bit: Option<usize>) -> bool;

    /// Whether what is read over is another packet, so that a field that is not sent becomes zero.
    #[inline(always)]
    fn is_first(&self) -> bool {
        false
    }

    /// Whether a bit is set: the value of a folded field.
    fn bit(&self, bit: usize) -> bool;

    /// The next bytes as an array.
    ///
    /// # Errors
    /// When fewer are left.
    fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], Self::Error>;

    /// The next bytes.
    ///
    /// # Errors
    /// When fewer are left.
    fn take(&mut self, count: usize, expected: &'static str) -> Result<&[u8], Self::Error>;

    /// What is left.
    fn remaining(&self) -> &[u8];

    /// The first of what is left, and zeros behind it.
    #[inline(always)]
    fn block(&self) -> Block {
        Block::at_start(self.remaining(), &[])
    }

    /// Something is wrong, so many bytes ago.
    fn error(&self, back: usize, expected: &'static str, found: Found) -> Self::Error;

    /// The elements of an array begin.
    #[inline(always)]
    fn enter(&mut self) {}

    /// An element of the array begins.
    #[inline(always)]
    fn element(&mut self, index: usize) {
        _ = index;
    }

    /// The elements of an array end.
    #[inline(always)]
    fn leave(&mut self) {}

    /// Reads a field that is always sent: a key, or one of a packet without bitvector.
    ///
    /// # Errors
    /// When the bytes are not what its type allows.
    #[inline(always)]
    fn always<T: Wire>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        if self.begin(field, None) { to.read(self, counts) } else { Ok(()) }
    }

    /// Reads a key.
    ///
    /// # Errors
    /// When too few bytes are left.
    #[inline(always)]
    fn key<T: Wire + Into<i64>>(&mut self, field: usize) -> Result<i64, Self::Error>
    where
        Self: Sized,
    {
        let mut key = T::ZERO;
        self.always(field, &mut key, &[])?;
        Ok(key.into())
    }

    /// Reads a field if its bit is set; without it, it is what it was, or zero if that is another packet's.
    /// `counts` are those of its inner dimensions.
    ///
    /// # Errors
    /// When the bytes are not what its type allows.
    #[inline(always)]
    fn field<T: Wire>(
        &mut self,
        field: usize,
        bit: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        if self.begin(field, Some(bit)) {
            return to.read(self, counts);
        }
        if self.is_first() {
            to.reset();
        }
        Ok(())
    }

    /// Reads an array whose elements another field counts. Without its bit it is made to fit, like
    /// [`field`](Self::field) otherwise.
    ///
    /// # Errors
    /// When the count is over its limit, or the bytes are not what the type allows.
    #[inline(always)]
    fn counted<T: Wire>(
        &mut self,
        field: usize,
        bit: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        if self.begin(field, Some(bit)) {
            return to.read(self, counts);
        }
        if self.is_first() {
            to.reset();
        }
        self.fit(to, counts)
    }

    /// Makes an array fit its count.
    ///
    /// # Errors
    /// When the count is over its limit.
    #[inline(always)]
    fn fit<T: Wire>(&mut self, to: &mut T, counts: &[ElementCount]) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        let (count, _) = ElementCount::split(counts);
        let count = count.get().map_err(|(expected, found)| self.error(0, expected, found))?;
        to.resize_to(count);
        Ok(())
    }

    /// Reads the changed elements of an array if its bit is set, like [`field`](Self::field) otherwise.
    ///
    /// # Errors
    /// When an index is over the length, or the bytes are not what the type allows.
    #[inline(always)]
    fn changes<T: Elements>(
        &mut self,
        field: usize,
        bit: usize,
        form: ArrayDiff,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        if self.is_first() {
            to.reset();
        }
        if self.begin(field, Some(bit)) {
            to.read_changes(self, form, counts)
        } else if counts.is_empty() {
            Ok(())
        } else {
            self.fit(to, counts)
        }
    }
}
