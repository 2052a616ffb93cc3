use gamewire_wire::Found;

use super::memory::found;
use super::wire::{ElementCount, Wire, WrongCount};
use super::{ArrayDiff, Elements};

/// Where the fields of a packet are written to.
pub trait Sink {
    /// What says that they cannot be.
    type Error;

    /// A field begins that differs or not; whether it is to be written. Without a bit it always is.
    fn begin(&mut self, field: usize, bit: Option<usize>, differs: bool) -> bool;

    /// A folded field.
    fn folded(&mut self, bit: usize, old: bool, new: bool);

    /// Whether the sender's memory may differ in a float field that does not.
    fn is_kept(&self, bit: usize) -> bool;

    /// A field is not written, and has as many elements as its count says or not.
    ///
    /// # Errors
    /// When its count is over the limit: the receiver refuses it all the same.
    fn skip(&mut self, field: usize, bit: usize, fits: Result<bool, WrongCount>) -> Result<(), Self::Error>;

    /// Writes bytes whose number is known.
    fn bytes<const N: usize>(&mut self, bytes: [u8; N]);

    /// Writes bytes.
    fn slice(&mut self, bytes: &[u8]);

    /// Writes so many of these bytes.
    #[inline(always)]
    fn start_of<const N: usize>(&mut self, bytes: &[u8; N], count: usize) {
        self.slice(bytes.get(..count).unwrap_or_default());
    }

    /// What comes next cannot be written.
    fn error(&self, expected: &'static str, found: Found) -> Self::Error;

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

    /// Refuses an array that does not have as many elements as its count says.
    ///
    /// # Errors
    /// When it does not, or the count is over its limit.
    #[inline(always)]
    fn counted(&mut self, count: ElementCount, length: usize) -> Result<(), Self::Error> {
        match count.get() {
            Ok(count) if count == length => Ok(()),
            Ok(_) => Err(self.error("as many elements as the array has", found(length))),
            Err((expected, found)) => Err(self.error(expected, found)),
        }
    }

    /// Writes a field that is always sent: a key, or one of a packet without bitvector.
    ///
    /// # Errors
    /// When it holds what cannot be said on the wire.
    #[inline(always)]
    fn always<T: Wire>(&mut self, field: usize, new: &T, counts: &[ElementCount]) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        if self.begin(field, None, true) { new.write(self, counts) } else { Ok(()) }
    }

    /// Writes a field if it differs.
    ///
    /// # Errors
    /// When it holds what cannot be said on the wire.
    #[inline(always)]
    fn field<T: Wire>(
        &mut self,
        field: usize,
        bit: usize,
        old: &T,
        new: &T,
        counts: &[ElementCount],
    ) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        let differs = new.differs(old) || (T::IS_FLOAT && self.is_kept(bit));
        if self.begin(field, Some(bit), differs) {
            return new.write(self, counts);
        }
        self.skip(field, bit, new.matches_count(counts))
    }

    /// Writes the changed elements of an array if there are any.
    ///
    /// # Errors
    /// When there are more elements than an index can say, or an element cannot be said.
    #[inline(always)]
    fn changes<T: Elements>(
        &mut self,
        field: usize,
        bit: usize,
        form: ArrayDiff,
        (old, new): (&T, &T),
        counts: &[ElementCount],
    ) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        let differs = new.differs(old) || (T::IS_FLOAT && self.is_kept(bit));
        if self.begin(field, Some(bit), differs) {
            return new.write_changes(old, self, form, counts);
        }
        self.skip(field, bit, new.matches_count(counts))
    }
}
