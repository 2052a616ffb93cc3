use core::fmt;

use gamewire_wire::{CodecError, Value};

use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

/// Type of a value without components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Byte,
    SByte,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
    VarLong,
    VarULong,
    /// This many bits.
    Bits(u8),
}

impl Scalar {
    /// Reads a value.
    pub(super) fn read<V: Version>(self, from: &mut Reader<'_, V>) -> Result<ScalarValue, CodecError> {
        Ok(match self {
            Self::Bool => ScalarValue::Bool(from.bool()?),
            Self::Byte => ScalarValue::Byte(from.u8()?),
            Self::SByte => ScalarValue::SByte(from.i8()?),
            Self::Short => ScalarValue::Short(from.i16()?),
            Self::UShort => ScalarValue::UShort(from.u16()?),
            Self::Int => ScalarValue::Int(from.i32()?),
            Self::UInt => ScalarValue::UInt(from.u32()?),
            Self::Long => ScalarValue::Long(from.i64()?),
            Self::ULong => ScalarValue::ULong(from.u64()?),
            Self::Float => ScalarValue::Float(from.f32()?),
            Self::Double => ScalarValue::Double(from.f64()?),
            Self::VarLong => ScalarValue::VarLong(from.var_long()?),
            Self::VarULong => ScalarValue::VarULong(from.var_ulong()?),
            Self::Bits(count) => ScalarValue::Bits { count, value: from.bits(count.into())? },
        })
    }
}

impl ScalarValue {
    /// Writes the value.
    pub(super) fn write<V: Version>(self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        match self {
            Self::Bool(value) => to.bool(value),
            Self::Byte(value) => to.u8(value),
            Self::SByte(value) => to.i8(value),
            Self::Short(value) => to.i16(value),
            Self::UShort(value) => to.u16(value),
            Self::Int(value) => to.i32(value),
            Self::UInt(value) => to.u32(value),
            Self::Long(value) => to.i64(value),
            Self::ULong(value) => to.u64(value),
            Self::Float(value) => to.f32(value),
            Self::Double(value) => to.f64(value),
            Self::VarLong(value) => to.var_long(value),
            Self::VarULong(value) => to.var_ulong(value),
            Self::Bits { count, value } => to.bits(count.into(), value),
        }
    }
}

/// A value without components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ScalarValue {
    Bool(bool),
    Byte(u8),
    SByte(i8),
    Short(i16),
    UShort(u16),
    Int(i32),
    UInt(u32),
    Long(i64),
    ULong(u64),
    Float(f32),
    Double(f64),
    VarLong(i64),
    VarULong(u64),
    /// The lowest `count` bits.
    Bits {
        count: u8,
        value: u64,
    },
}

impl ScalarValue {
    /// Converts to a value for traces.
    pub(super) const fn to_trace_value(self) -> Value<'static> {
        match self {
            Self::Bool(value) => Value::Bool(value),
            Self::Byte(value) => Value::Int(value as i64),
            Self::SByte(value) => Value::Int(value as i64),
            Self::Short(value) => Value::Int(value as i64),
            Self::UShort(value) => Value::Int(value as i64),
            Self::Int(value) => Value::Int(value as i64),
            Self::UInt(value) => Value::Int(value as i64),
            Self::Long(value) | Self::VarLong(value) => Value::Int(value),
            Self::ULong(value) | Self::VarULong(value) | Self::Bits { value, .. } => Value::Uint(value),
            Self::Float(value) => Value::Float(value),
            Self::Double(value) => Value::Double(value),
        }
    }

    /// Parses a word. `Err` is the expected value.
    pub(super) fn parse(scalar: Scalar, word: &str) -> Result<Self, String> {
        match scalar {
            Scalar::Bool => match word {
                "true" => Ok(Self::Bool(true)),
                "false" => Ok(Self::Bool(false)),
                _ => Err("true or false".into()),
            },
            Scalar::Byte => parse_int(word, u8::MIN, u8::MAX).map(Self::Byte),
            Scalar::SByte => parse_int(word, i8::MIN, i8::MAX).map(Self::SByte),
            Scalar::Short => parse_int(word, i16::MIN, i16::MAX).map(Self::Short),
            Scalar::UShort => parse_int(word, u16::MIN, u16::MAX).map(Self::UShort),
            Scalar::Int => parse_int(word, i32::MIN, i32::MAX).map(Self::Int),
            Scalar::UInt => parse_int(word, u32::MIN, u32::MAX).map(Self::UInt),
            Scalar::Long => parse_int(word, i64::MIN, i64::MAX).map(Self::Long),
            Scalar::VarLong => parse_int(word, i64::MIN, i64::MAX).map(Self::VarLong),
            Scalar::ULong => parse_int(word, u64::MIN, u64::MAX).map(Self::ULong),
            Scalar::VarULong => parse_int(word, u64::MIN, u64::MAX).map(Self::VarULong),
            Scalar::Float => word.parse().map(Self::Float).map_err(|_| NUMBER.into()),
            Scalar::Double => word.parse().map(Self::Double).map_err(|_| NUMBER.into()),
            Scalar::Bits(count) => {
                let max = u64::MAX.checked_shr(64_u32.saturating_sub(count.into())).unwrap_or(0);
                let value = parse_int(word, 0, max)?;
                Ok(Self::Bits { count, value })
            }
        }
    }
}

const NUMBER: &str = "a number such as -1.5";

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

/// Writes the value as [`ScalarValue::parse`] reads it.
impl fmt::Display for ScalarValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Byte(value) => write!(f, "{value}"),
            Self::SByte(value) => write!(f, "{value}"),
            Self::Short(value) => write!(f, "{value}"),
            Self::UShort(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::UInt(value) => write!(f, "{value}"),
            Self::Long(value) | Self::VarLong(value) => write!(f, "{value}"),
            Self::ULong(value) | Self::VarULong(value) | Self::Bits { value, .. } => write!(f, "{value}"),
            // The shortest text that parses to the same number, with an exponent for long ones.
            Self::Float(value) if is_short_decimal(value.abs().into()) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Double(value) if is_short_decimal(value.abs()) => write!(f, "{value}"),
            Self::Double(value) => write!(f, "{value:?}"),
        }
    }
}

/// Returns whether a number is short without an exponent.
fn is_short_decimal(size: f64) -> bool {
    size == 0.0 || (1e-4..1e16).contains(&size)
}
