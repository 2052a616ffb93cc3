use core::fmt;
use core::str::FromStr;

use gamewire_wire::{Result, Value};

use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

/// Defines the types of numbers: the name in definitions, the type in Rust, the method of cursors, the value in traces
/// and the parser.
macro_rules! scalars {
    ($($name:ident $word:literal: $number:ty, $method:ident, $traced:ident, $parse:ident;)+) => {
        /// Type of a value without components.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scalar {
            /// `bool` of the C# library.
            Bool,
            $(
                #[doc = concat!("A number: `", stringify!($number), "`.")]
                $name,
            )+
            /// This many bits.
            Bits(u8),
        }

        /// A value without components.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub(super) enum ScalarValue {
            Bool(bool),
            $($name($number),)+
            /// The lowest `count` bits.
            Bits { count: u8, value: u64 },
        }

        impl Scalar {
            /// All types, except [`Bits`](Self::Bits).
            pub(super) const ALL: &'static [Self] = &[Self::Bool, $(Self::$name,)+];

            /// Returns the name in definitions, such as `ushort`. The name of bits has no number.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Bool => "bool",
                    $(Self::$name => $word,)+
                    Self::Bits(_) => "bits",
                }
            }

            /// Reads a value.
            pub(super) fn read<V: Version>(self, from: &mut Reader<'_, V>) -> Result<ScalarValue> {
                Ok(match self {
                    Self::Bool => ScalarValue::Bool(from.bool()?),
                    $(Self::$name => ScalarValue::$name(from.$method()?),)+
                    Self::Bits(count) => ScalarValue::Bits { count, value: from.bits(count.into())? },
                })
            }

            /// Parses a word. `Err` describes the expected value.
            pub(super) fn parse(self, word: &str) -> Result<ScalarValue, String> {
                Ok(match self {
                    Self::Bool => ScalarValue::Bool(word.parse().map_err(|_| "true or false")?),
                    $(Self::$name => ScalarValue::$name($parse(word, <$number>::MIN, <$number>::MAX)?),)+
                    Self::Bits(count) => {
                        let max = u64::MAX.checked_shr(64_u32.saturating_sub(count.into())).unwrap_or(0);
                        ScalarValue::Bits { count, value: parse_int(word, 0, max)? }
                    }
                })
            }
        }

        impl ScalarValue {
            /// Writes the value.
            pub(super) fn write<V: Version>(self, to: &mut Writer<'_, V>) -> Result<()> {
                match self {
                    Self::Bool(value) => to.bool(value),
                    $(Self::$name(value) => to.$method(value),)+
                    Self::Bits { count, value } => to.bits(count.into(), value),
                }
            }

            /// Converts to a value for traces.
            pub(super) fn to_trace_value(self) -> Value<'static> {
                match self {
                    Self::Bool(value) => Value::Bool(value),
                    $(Self::$name(value) => Value::$traced(value.into()),)+
                    Self::Bits { value, .. } => Value::Uint(value),
                }
            }
        }
    };
}

scalars! {
    Byte "byte": u8, u8, Int, parse_int;
    SByte "sbyte": i8, i8, Int, parse_int;
    Short "short": i16, i16, Int, parse_int;
    UShort "ushort": u16, u16, Int, parse_int;
    Int "int": i32, i32, Int, parse_int;
    UInt "uint": u32, u32, Int, parse_int;
    Long "long": i64, i64, Int, parse_int;
    ULong "ulong": u64, u64, Uint, parse_int;
    VarLong "var_long": i64, var_long, Int, parse_int;
    VarULong "var_ulong": u64, var_ulong, Uint, parse_int;
    Float "float": f32, f32, Float, parse_float;
    Double "double": f64, f64, Double, parse_float;
}

/// Parses an integer in decimal or hexadecimal.
fn parse_int<N>(word: &str, min: N, max: N) -> Result<N, String>
where
    N: TryFrom<i128> + Into<i128> + fmt::Display + Copy,
{
    let (is_negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let (radix, digits) = match digits.strip_prefix("0x") {
        Some(digits) => (16, digits),
        None => (10, digits),
    };
    let number = Some(digits)
        .filter(|digits| !digits.starts_with(['+', '-']))
        .and_then(|digits| i128::from_str_radix(digits, radix).ok())
        .map(|number| if is_negative { number.saturating_neg() } else { number })
        .filter(|number| (min.into()..=max.into()).contains(number));
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| format!("a whole number from {min} to {max}"))
}

/// Parses a float. Ignores the limits, which only integers have.
fn parse_float<N: FromStr>(word: &str, _: N, _: N) -> Result<N, String> {
    word.parse().map_err(|_| "a number such as -1.5".into())
}

/// Writes the value in the form that [`Scalar::parse`] reads. A float has the shortest text that parses to the same
/// number; long numbers have an exponent.
impl fmt::Display for ScalarValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_trace_value() {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Uint(value) => write!(f, "{value}"),
            Value::Float(value) if is_short_decimal(value.abs().into()) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Double(value) if is_short_decimal(value.abs()) => write!(f, "{value}"),
            Value::Double(value) => write!(f, "{value:?}"),
            _ => Ok(()),
        }
    }
}

/// Returns whether a number is short without an exponent.
fn is_short_decimal(size: f64) -> bool {
    size == 0.0 || (1e-4..1e16).contains(&size)
}
