use core::fmt;

use gamewire_wire::Value;

use super::scalar::Scalar;

/// A value without parts.
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
    /// As a trace is told of it.
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

    /// Reads the word of a person; `Err` says what is expected.
    pub(super) fn parse(scalar: Scalar, word: &str) -> Result<Self, String> {
        match scalar {
            Scalar::Bool => match word {
                "true" => Ok(Self::Bool(true)),
                "false" => Ok(Self::Bool(false)),
                _ => Err("true or false".into()),
            },
            Scalar::Byte => whole(word, u8::MIN, u8::MAX).map(Self::Byte),
            Scalar::SByte => whole(word, i8::MIN, i8::MAX).map(Self::SByte),
            Scalar::Short => whole(word, i16::MIN, i16::MAX).map(Self::Short),
            Scalar::UShort => whole(word, u16::MIN, u16::MAX).map(Self::UShort),
            Scalar::Int => whole(word, i32::MIN, i32::MAX).map(Self::Int),
            Scalar::UInt => whole(word, u32::MIN, u32::MAX).map(Self::UInt),
            Scalar::Long => whole(word, i64::MIN, i64::MAX).map(Self::Long),
            Scalar::VarLong => whole(word, i64::MIN, i64::MAX).map(Self::VarLong),
            Scalar::ULong => whole(word, u64::MIN, u64::MAX).map(Self::ULong),
            Scalar::VarULong => whole(word, u64::MIN, u64::MAX).map(Self::VarULong),
            Scalar::Float => word.parse().map(Self::Float).map_err(|_| NUMBER.into()),
            Scalar::Double => word.parse().map(Self::Double).map_err(|_| NUMBER.into()),
            Scalar::Bits(count) => {
                let most = u64::MAX.checked_shr(64_u32.saturating_sub(count.into())).unwrap_or(0);
                let value = whole(word, 0, most)?;
                Ok(Self::Bits { count, value })
            }
        }
    }
}

const NUMBER: &str = "a number such as -1.5";

/// A whole number, also in hexadecimal.
fn whole<N>(word: &str, least: N, most: N) -> Result<N, String>
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
        .filter(|number| (least.into()..=most.into()).contains(number));
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| format!("a whole number from {least} to {most}"))
}

/// As a person would write it.
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
            // Shortest that reads as the same number; with an exponent where it would be long.
            Self::Float(value) if is_short_decimal(value.abs().into()) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Double(value) if is_short_decimal(value.abs()) => write!(f, "{value}"),
            Self::Double(value) => write!(f, "{value:?}"),
        }
    }
}

/// Whether a number is short without an exponent.
fn is_short_decimal(size: f64) -> bool {
    size == 0.0 || (1e-4..1e16).contains(&size)
}
