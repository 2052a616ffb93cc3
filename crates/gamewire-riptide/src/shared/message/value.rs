use gamewire_wire::CodecError;

use super::{Reader, Writer};
use crate::shared::version::Version;

/// What stands in messages: a number, a string, an array, or a type of the application, which
/// stands there as its values in a row without a mark of its own (the original's
/// `IMessageSerializable`). `#[derive(Value)]` and `#[derive(Message)]` implement it.
///
/// Numbers, `bool` and `String` stand as `AddInt` and its like write them; `Vec<T>` with its
/// length in front, `[T; N]` without; `Option<T>` as a bool and then the value if there is one.
pub trait Value: Sized {
    /// Writes it.
    ///
    /// # Errors
    /// When there is no room, or it has no form on the wire.
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError>;

    /// Reads it.
    ///
    /// # Errors
    /// When the data end before, or are no such value.
    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self, CodecError>;

    /// Writes an array without its length: one value after the other, unless a format packs them.
    ///
    /// # Errors
    /// When there is no room, or one has no form on the wire.
    fn write_array<V: Version>(values: &[Self], to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        values.iter().try_for_each(|value| value.write(to))
    }

    /// Reads `count` values of an array and hands them over one after the other, those before an
    /// error too.
    ///
    /// # Errors
    /// When the data end before, or one is no such value.
    fn read_array<V: Version>(
        count: usize,
        from: &mut Reader<'_, V>,
        mut each: impl FnMut(Self),
    ) -> Result<(), CodecError> {
        (0..count).try_for_each(|_| Self::read(from).map(&mut each))
    }
}
