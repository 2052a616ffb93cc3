use gamewire_schema::ir::WireType;
use gamewire_wire::{CodecError, Found, Reader};

/// An integer on the wire, most significant byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    U8,
    U16,
    U32,
    S8,
    S16,
    S32,
    Bool8,
    Bool32,
}

impl Number {
    /// The number that a type of field is, if it is an integer.
    pub(crate) const fn of(wire: WireType) -> Option<Self> {
        Some(match wire {
            WireType::Uint8 => Self::U8,
            WireType::Uint16 => Self::U16,
            WireType::Uint32 => Self::U32,
            WireType::Sint8 => Self::S8,
            WireType::Sint16 => Self::S16,
            WireType::Sint32 => Self::S32,
            _ => return None,
        })
    }

    /// Returns the type in a definition.
    pub(super) const fn wire(self) -> WireType {
        match self {
            Self::U8 => WireType::Uint8,
            Self::U16 => WireType::Uint16,
            Self::U32 => WireType::Uint32,
            Self::S8 => WireType::Sint8,
            Self::S16 => WireType::Sint16,
            Self::S32 => WireType::Sint32,
            Self::Bool8 => WireType::Bool8,
            Self::Bool32 => WireType::Bool32,
        }
    }

    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::S8 | Self::Bool8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::U32 | Self::S32 | Self::Bool32 => 4,
        }
    }

    pub(super) const fn is_bool(self) -> bool {
        matches!(self, Self::Bool8 | Self::Bool32)
    }

    pub(crate) fn read(self, from: &mut Reader<'_>) -> Result<i64, CodecError> {
        let start = from.offset();
        let value = match self {
            Self::U8 => i64::from(from.u8("a uint8")?),
            Self::U16 => i64::from(from.be_u16("a uint16")?),
            Self::U32 => i64::from(from.be_u32("a uint32")?),
            Self::S8 => i64::from(i8::from_be_bytes(from.array("a sint8")?)),
            Self::S16 => i64::from(i16::from_be_bytes(from.array("a sint16")?)),
            Self::S32 => i64::from(i32::from_be_bytes(from.array("a sint32")?)),
            Self::Bool8 => i64::from(from.u8("a bool8")?),
            Self::Bool32 => i64::from(from.be_u32("a bool32")?),
        };
        if self.is_bool() && !(0..=1).contains(&value) {
            return Err(CodecError::new(start, "0 or 1", Found::Value(value)));
        }
        Ok(value)
    }

    pub(super) fn write(self, value: i64, to: &mut Vec<u8>) -> Result<(), CodecError> {
        let wrong = || CodecError::new(to.len(), self.range(), Found::Value(value));
        match self {
            Self::U8 => to.push(u8::try_from(value).map_err(|_| wrong())?),
            Self::U16 => to.extend(u16::try_from(value).map_err(|_| wrong())?.to_be_bytes()),
            Self::U32 => to.extend(u32::try_from(value).map_err(|_| wrong())?.to_be_bytes()),
            Self::S8 => to.extend(i8::try_from(value).map_err(|_| wrong())?.to_be_bytes()),
            Self::S16 => to.extend(i16::try_from(value).map_err(|_| wrong())?.to_be_bytes()),
            Self::S32 => to.extend(i32::try_from(value).map_err(|_| wrong())?.to_be_bytes()),
            Self::Bool8 | Self::Bool32 => {
                let last = u8::try_from(value).ok().filter(|value| *value <= 1).ok_or_else(wrong)?;
                if self == Self::Bool32 {
                    to.extend([0; 3]);
                }
                to.push(last);
            }
        }
        Ok(())
    }

    const fn range(self) -> &'static str {
        match self {
            Self::U8 => "a number that fits in a uint8",
            Self::U16 => "a number that fits in a uint16",
            Self::U32 => "a number that fits in a uint32",
            Self::S8 => "a number that fits in a sint8",
            Self::S16 => "a number that fits in a sint16",
            Self::S32 => "a number that fits in a sint32",
            Self::Bool8 | Self::Bool32 => "0 or 1",
        }
    }
}

/// Returns a number for an error.
#[cold]
pub(super) fn found(number: usize) -> Found {
    Found::Value(i64::try_from(number).unwrap_or(i64::MAX))
}
