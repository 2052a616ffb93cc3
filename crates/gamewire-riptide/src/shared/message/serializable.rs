use gamewire_wire::CodecError;

use super::{Reader, Writer};
use crate::shared::version::Version;

/// A type of the application that stands in messages as `IMessageSerializable` does: by the
/// values that it writes, without a mark of its own.
pub trait Serializable: Sized {
    /// Writes its values.
    ///
    /// # Errors
    /// When there is no room, or it has no form on the wire.
    fn serialize<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError>;

    /// Reads its values, in the same order.
    ///
    /// # Errors
    /// When the data end before.
    fn deserialize<V: Version>(from: &mut Reader<'_, V>) -> Result<Self, CodecError>;
}

/// Unity's vectors and quaternions: 2, 3 or 4 floats in the order x, y, z, w.
impl<const N: usize> Serializable for [f32; N] {
    fn serialize<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        to.array_without_length(self)
    }

    fn deserialize<V: Version>(from: &mut Reader<'_, V>) -> Result<Self, CodecError> {
        let mut floats = [0.0; N];
        for (to, from) in floats.iter_mut().zip(from.array_of(N)?) {
            *to = from;
        }
        Ok(floats)
    }
}
