use gamewire_wire::CodecError;

use super::single::ScalarValue;
use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

/// A type of values that have no parts.
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
    /// So many bits.
    Bits(u8),
}

impl Scalar {
    /// Reads one.
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
    /// Writes it.
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
