//! Integers, booleans and fixed-point numbers.

use gamewire_wire::{Found, Result};

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::Wire;
use crate::delta::Value;

macro_rules! integer {
    ($($type:ty, $bytes:literal, $expected:literal, $range:literal;)+) => {$(
        impl Wire for $type {
            const ZERO: Self = 0;
            const MIN_BYTES: usize = $bytes;

            fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
                *self = <$type>::from_be_bytes(from.array($expected)?);
                Ok(())
            }

            fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
                to.bytes(&self.to_be_bytes());
                Ok(())
            }

            fn read_slice(
                slice: &mut [Self],
                from: &mut Source<'_>,
                _: &[ElementCount],
            ) -> Result<()> {
                let bytes = from.take(slice.len().saturating_mul($bytes), $expected)?;
                for (to, bytes) in slice.iter_mut().zip(bytes.as_chunks::<$bytes>().0) {
                    *to = <$type>::from_be_bytes(*bytes);
                }
                Ok(())
            }
        }

        impl FieldValue for $type {
            fn value(&self) -> Value {
                Value::Int((*self).into())
            }

            fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
                match value {
                    Value::Int(value) => {
                        *self = <$type>::try_from(*value).map_err(|_| WrongValue { expected: $range })?;
                    }
                    Value::Absent => *self = 0,
                    _ => return Err(WrongValue::TYPE),
                }
                Ok(())
            }
        }
    )+};
}

integer! {
    u8, 1, "a uint8", "a number that fits in a uint8";
    u16, 2, "a uint16", "a number that fits in a uint16";
    u32, 4, "a uint32", "a number that fits in a uint32";
    i8, 1, "a sint8", "a number that fits in a sint8";
    i16, 2, "a sint16", "a number that fits in a sint16";
    i32, 4, "a sint32", "a number that fits in a sint32";
}

/// A boolean of one byte, in fields that have a separate bit.
impl Wire for bool {
    const ZERO: Self = false;
    const MIN_BYTES: usize = 1;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        let [byte] = from.array("a bool8")?;
        if byte > 1 {
            return Err(from.error_before(1, "0 or 1", Found::Value(byte.into())));
        }
        *self = byte == 1;
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        to.bytes(&[u8::from(*self)]);
        Ok(())
    }
}

impl FieldValue for bool {
    fn value(&self) -> Value {
        Value::Bool(*self)
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        match value {
            Value::Bool(value) => *self = *value,
            Value::Absent => *self = false,
            _ => return Err(WrongValue::TYPE),
        }
        Ok(())
    }
}

/// A boolean of four bytes, in fields that have a separate bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bool32(pub bool);

impl Wire for Bool32 {
    const ZERO: Self = Self(false);
    const MIN_BYTES: usize = 4;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        let value = u32::from_be_bytes(from.array("a bool32")?);
        if value > 1 {
            return Err(from.error_before(4, "0 or 1", Found::Value(value.into())));
        }
        self.0 = value == 1;
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        to.bytes(&u32::from(self.0).to_be_bytes());
        Ok(())
    }
}

impl FieldValue for Bool32 {
    fn value(&self) -> Value {
        self.0.value()
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.set_value(value)
    }
}

impl From<Bool32> for i64 {
    fn from(value: Bool32) -> Self {
        value.0.into()
    }
}

macro_rules! float {
    ($(#[$doc:meta])* $name:ident, $integer:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name<const FACTOR: u32>(
            /// The number times the factor: the integer on the wire.
            pub $integer,
        );

        impl<const FACTOR: u32> $name<FACTOR> {
            /// Returns the number, rounded to the precision of `f32`.
            #[must_use]
            pub const fn get(self) -> f32 {
                self.0 as f32 / FACTOR as f32
            }

            /// Creates the value for a number, truncated to an integer on the wire.
            #[allow(clippy::cast_sign_loss, reason = "a negative number becomes 0 where the wire has no sign")]
            pub const fn new(number: f32) -> Self {
                Self((number * FACTOR as f32) as $integer)
            }
        }

        impl<const FACTOR: u32> Wire for $name<FACTOR> {
            const ZERO: Self = Self(0);
            const MIN_BYTES: usize = 4;
            const IS_FLOAT: bool = true;

            fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
                self.0.read(from, counts)
            }

            fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
                self.0.write(to, counts)
            }
        }

        impl<const FACTOR: u32> FieldValue for $name<FACTOR> {
            fn value(&self) -> Value {
                Value::Scaled(self.0.into())
            }

            fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
                match value {
                    Value::Scaled(value) => self.0.set_value(&Value::Int(*value)),
                    Value::Absent => self.0.set_value(&Value::Absent),
                    _ => Err(WrongValue::TYPE),
                }
            }
        }
    };
}

float! {
    /// A non-negative fixed-point number.
    Ufloat, u32
}
float! {
    /// A fixed-point number.
    Sfloat, i32
}
