use core::fmt;
use core::ops::{Deref, DerefMut};

use gamewire_wire::{Found, Result};

use super::array::Vector;
use super::bytes::Memory;
use super::fields::FieldValue;
use super::sink::Sink;
use super::source::Source;
use super::structure::ShortList;

/// The type of a field, which defines how it is sent.
pub trait Wire: FieldValue + Clone + PartialEq + fmt::Debug {
    /// The value of the field before the first packet.
    const ZERO: Self;
    /// Minimum bytes of one element; 0 for arrays, which check their elements separately.
    const MIN_BYTES: usize;
    /// The size in the definition: bytes of a text with its NUL, or of a bitvector; 0 for other types.
    const SIZE: u32 = 0;
    /// True if the sender stores a float, or an array of floats.
    const IS_FLOAT: bool = false;
    /// True if another field holds the number of outermost elements.
    const IS_COUNTED: bool = false;

    /// Reads a value over the old one. `counts` has the counts of all dimensions that other fields count, outermost
    /// first.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the type does not allow the bytes.
    fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()>;

    /// Writes the value.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the value cannot be sent.
    fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()>;

    /// Reads all elements of an array. The source has at least [`MIN_BYTES`](Self::MIN_BYTES) bytes for each element.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the type does not allow the bytes.
    fn read_slice(slice: &mut [Self], from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
        for (index, element) in slice.iter_mut().enumerate() {
            element.read(from, counts).inspect_err(|_| from.element(Some(index)))?;
        }
        Ok(())
    }

    /// Returns whether the value differs from an old one and must be sent.
    fn differs(&self, old: &Self) -> bool {
        self != old
    }

    /// Resizes an array that was not sent to `count` elements.
    fn resize_to(&mut self, count: usize) {
        _ = count;
    }

    /// Returns its approximate bytes on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }
}

/// The number of elements of a dimension that another field counts.
#[derive(Clone, Copy, Debug)]
pub struct ElementCount {
    /// The value of the count field.
    pub value: i64,
    /// Maximum number of elements.
    pub limit: u32,
}

impl ElementCount {
    /// Creates a count from the value of its field.
    #[inline]
    pub fn new(value: impl Into<i64>, limit: u32) -> Self {
        Self { value: value.into(), limit }
    }

    /// Returns the number of elements. If it exceeds the limit, returns the expected and the found value.
    #[inline]
    pub(super) fn get(self) -> Result<usize, (&'static str, Found)> {
        match u32::try_from(self.value) {
            Ok(count) if count <= self.limit => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
            _ => Err(("a count within the declared size", Found::Value(self.value))),
        }
    }

    /// Returns the outermost count and the inner ones.
    #[inline]
    pub(super) fn split(counts: &[Self]) -> (Self, &[Self]) {
        counts.split_first().map_or((Self { value: 0, limit: 0 }, &[]), |(first, rest)| (*first, rest))
    }
}

/// Returns whether lists differ. Two empty lists are not compared byte by byte, because they point to no memory, and a
/// masked load from there costs hundreds of cycles.
#[inline]
pub(super) fn lists_differ<T: PartialEq>(new: &[T], old: &[T]) -> bool {
    new.len() != old.len() || (!new.is_empty() && new != old)
}

macro_rules! deref_to_vec {
    ($([$($generic:ident)?] $list:ty => $element:ty;)+) => {$(
        impl$(<$generic>)? Deref for $list {
            type Target = Vec<$element>;

            fn deref(&self) -> &Vec<$element> {
                &self.0
            }
        }

        impl$(<$generic>)? DerefMut for $list {
            fn deref_mut(&mut self) -> &mut Vec<$element> {
                &mut self.0
            }
        }
    )+};
}

deref_to_vec! {
    [] Memory => u8;
    [T] ShortList<T> => T;
    [T] Vector<T> => T;
}
