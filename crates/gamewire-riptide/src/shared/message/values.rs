//! Implementations of `Value` for types of Rust.

use gamewire_wire::Result;

use super::{Reader, Value, Writer};
use crate::ClientId;
use crate::shared::version::Version;

macro_rules! numbers {
    ($($number:ty)+) => {$(
        impl Value for $number {
            #[inline]
            fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
                to.number(*self)
            }

            #[inline]
            fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
                from.number()
            }

            fn read_array<V: Version>(
                count: usize,
                from: &mut Reader<'_, V>,
                each: impl FnMut(Self),
            ) -> Result<()> {
                from.array_of::<Self>(count)?.for_each(each);
                Ok(())
            }

            fn write_array<V: Version>(values: &[Self], to: &mut Writer<'_, V>) -> Result<()> {
                to.array_without_length(values)
            }

            fn read_into<V: Version>(
                values: &mut [Self],
                from: &mut Reader<'_, V>,
            ) -> Result<()> {
                from.array_of(values.len())?.copy_to(values);
                Ok(())
            }

            fn read_fixed<V: Version, const N: usize>(
                from: &mut Reader<'_, V>,
            ) -> Result<[Self; N]> {
                let mut numbers = [Self::default(); N];
                Self::read_into(&mut numbers, from)?;
                Ok(numbers)
            }
        }
    )+};
}

numbers! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

/// Encoded as a bit or a byte. Arrays are packed in both formats.
impl Value for bool {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.bool(*self)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        from.bool()
    }

    fn write_array<V: Version>(values: &[Self], to: &mut Writer<'_, V>) -> Result<()> {
        to.bools_without_length(values)
    }

    fn read_array<V: Version>(count: usize, from: &mut Reader<'_, V>, each: impl FnMut(Self)) -> Result<()> {
        from.bools_of(count)?.bits().for_each(each);
        Ok(())
    }
}

/// U+FFFD replaces invalid UTF-8 of a peer, as in the C# library.
impl Value for String {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.string(self)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        from.string().map(|text| text.to_string_lossy())
    }
}

/// Encoded as the length, then the values.
impl<T: Value> Value for Vec<T> {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.serializables(self)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        let mut values = Self::new();
        from.nested(|from| from.serializables(|value| values.push(value)))?;
        Ok(values)
    }
}

/// Encoded as the values. Unity's vectors and quaternions are such arrays of floats.
impl<T: Value, const N: usize> Value for [T; N] {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.serializables_without_length(self)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        T::read_fixed(from)
    }
}

/// Encoded as a bool, then the value if the bool is true.
impl<T: Value> Value for Option<T> {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.bool(self.is_some())?;
        self.as_ref().map_or(Ok(()), |value| value.write(to))
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        from.bool()?.then(|| T::read(from)).transpose()
    }
}

macro_rules! tuples {
    ($(($($name:ident)+))+) => {$(
        /// Encoded as the values in order.
        impl<$($name: Value),+> Value for ($($name,)+) {
            fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
                #[allow(non_snake_case, reason = "the type names are reused as variable names")]
                let ($($name,)+) = self;
                $($name.write(to)?;)+
                Ok(())
            }

            fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
                Ok(($($name::read(from)?,)+))
            }
        }
    )+};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

/// A variable-length number: small numbers take fewer bytes. 2.0 does not support it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VarULong(pub u64);

/// A signed variable-length number: numbers near 0 take fewer bytes. 2.0 does not support it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VarLong(pub i64);

/// Encoded like `AddUShort`.
impl Value for ClientId {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        self.0.write(to)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        Value::read(from).map(Self)
    }
}

impl Value for VarULong {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.var_ulong(self.0)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        from.var_ulong().map(Self)
    }
}

impl Value for VarLong {
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.var_long(self.0)
    }

    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
        from.var_long().map(Self)
    }
}
