use core::fmt;

use gamewire_schema::ir::Structure;
use gamewire_wire::Result;

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use crate::delta::Value;

/// The type of a field, which defines how it is sent.
pub trait Wire: FieldValue + Clone + PartialEq + fmt::Debug {
    /// The value of the field before the first packet.
    const ZERO: Self;
    /// Minimum bytes of one element; 0 for arrays, which check their elements separately.
    const MIN_BYTES: usize;
    /// The size in the definition: bytes of a text with its NUL, or of a bitvector; 0 for other types.
    const SIZE: u32 = 0;
    /// The end mark of a list that has one.
    const END: u8 = 0;
    /// The parts of a structure of the application.
    const STRUCTURE: Option<&'static Structure> = None;
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

/// A field that not every connection sends. It is absent if the version or the capabilities lack it.
impl<T: Wire> FieldValue for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, T::value)
    }

    fn set_value(&mut self, value: &Value) -> core::result::Result<(), WrongValue> {
        if *value == Value::Absent {
            *self = None;
            return Ok(());
        }
        self.get_or_insert(T::ZERO).set_value(value)
    }
}

/// Returns whether lists differ. Two empty lists are not compared byte by byte, because they point to no memory, and a
/// masked load from there costs hundreds of cycles.
#[inline]
pub(super) fn lists_differ<T: PartialEq>(new: &[T], old: &[T]) -> bool {
    new.len() != old.len() || (!new.is_empty() && new != old)
}

/// Makes a newtype of a `Vec` dereference to it.
macro_rules! deref_to_vec {
    ([$($generic:ident)?] $list:ty => $element:ty) => {
        impl$(<$generic>)? core::ops::Deref for $list {
            type Target = Vec<$element>;

            fn deref(&self) -> &Vec<$element> {
                &self.0
            }
        }

        impl$(<$generic>)? core::ops::DerefMut for $list {
            fn deref_mut(&mut self) -> &mut Vec<$element> {
                &mut self.0
            }
        }
    };
}

pub(super) use deref_to_vec;
