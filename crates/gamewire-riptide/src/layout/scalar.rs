use gamewire_wire::CodecError;

use super::single::Single;
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
    pub(super) fn read<V: Version>(self, from: &mut Reader<'_, V>) -> Result<Single, CodecError> {
        Ok(match self {
            Self::Bool => Single::Bool(from.bool()?),
            Self::Byte => Single::Byte(from.u8()?),
            Self::SByte => Single::SByte(from.i8()?),
            Self::Short => Single::Short(from.i16()?),
            Self::UShort => Single::UShort(from.u16()?),
            Self::Int => Single::Int(from.i32()?),
            Self::UInt => Single::UInt(from.u32()?),
            Self::Long => Single::Long(from.i64()?),
            Self::ULong => Single::ULong(from.u64()?),
            Self::Float => Single::Float(from.f32()?),
            Self::Double => Single::Double(from.f64()?),
            Self::VarLong => Single::VarLong(from.var_long()?),
            Self::VarULong => Single::VarULong(from.var_ulong()?),
            Self::Bits(count) => Single::Bits { count, value: from.bits(count.into())? },
        })
    }
}

impl Single {
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
