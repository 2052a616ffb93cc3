use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire};
use crate::delta::Value;

macro_rules! float {
    ($(#[$doc:meta])* $name:ident, $integer:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name<const FACTOR: u32>(
            /// The number times the factor, as it stands on the wire.
            pub $integer,
        );

        impl<const FACTOR: u32> $name<FACTOR> {
            /// The number, as near as a float comes to it.
            #[must_use]
            pub const fn get(self) -> f32 {
                self.0 as f32 / FACTOR as f32
            }

            /// From a number, cut to the next integer on the wire.
            #[must_use]
            #[allow(clippy::cast_sign_loss, reason = "what is below zero becomes zero where the wire has no sign")]
            pub const fn new(number: f32) -> Self {
                Self((number * FACTOR as f32) as $integer)
            }
        }

        impl<const FACTOR: u32> Wire for $name<FACTOR> {
            const ZERO: Self = Self(0);
            const MIN_BYTES: usize = 4;
            const IS_FLOAT: bool = true;

            #[inline(always)]
            fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
                self.0.read(from, counts)
            }

            #[inline(always)]
            fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
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
    /// A number that is not negative, with a fixed number of digits behind the point.
    Ufloat, u32
}
float! {
    /// A number with a fixed number of digits behind the point.
    Sfloat, i32
}
