use gamewire_schema::ir::WireType;
use gamewire_wire::{CodecError, Found, Reader, Result};

/// Defines [`Number`] by its integers: the type in a definition, the Rust type, and the name in error messages.
macro_rules! numbers {
    ($($number:ident = $wire:ident, $type:ty, $word:literal;)+) => {
        /// A number on the wire, most significant byte first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Number {
            $($number,)+
            Bool8,
            Bool32,
        }

        impl Number {
            /// Returns the number for a type in a definition, or `None` if the type is not an integer.
            pub(crate) const fn of(wire: WireType) -> Option<Self> {
                match wire {
                    $(WireType::$wire => Some(Self::$number),)+
                    _ => None,
                }
            }

            /// Returns the type in a definition.
            pub(super) const fn wire(self) -> WireType {
                match self {
                    $(Self::$number => WireType::$wire,)+
                    Self::Bool8 => WireType::Bool8,
                    Self::Bool32 => WireType::Bool32,
                }
            }

            pub(super) const fn bytes(self) -> usize {
                match self {
                    $(Self::$number => size_of::<$type>(),)+
                    Self::Bool8 => 1,
                    Self::Bool32 => 4,
                }
            }

            pub(crate) fn read(self, from: &mut Reader<'_>) -> Result<i64> {
                let start = from.offset();
                let value = match self {
                    $(Self::$number => {
                        return Ok(i64::from(<$type>::from_be_bytes(from.array(concat!("a ", $word))?)));
                    })+
                    Self::Bool8 => i64::from(from.u8("a bool8")?),
                    Self::Bool32 => i64::from(from.be_u32("a bool32")?),
                };
                if (0..=1).contains(&value) {
                    Ok(value)
                } else {
                    Err(CodecError::new(start, "0 or 1", Found::Value(value)))
                }
            }

            pub(super) fn write(self, value: i64, to: &mut Vec<u8>) -> Result<()> {
                let wrong = |expected| CodecError::new(to.len(), expected, Found::Value(value));
                match self {
                    $(Self::$number => {
                        let number = <$type>::try_from(value);
                        let number = number.map_err(|_| wrong(concat!("a number that fits in a ", $word)))?;
                        to.extend(number.to_be_bytes());
                    })+
                    Self::Bool8 | Self::Bool32 => {
                        let last = u8::try_from(value).ok().filter(|value| *value <= 1);
                        let last = last.ok_or_else(|| wrong("0 or 1"))?;
                        if self == Self::Bool32 {
                            to.extend([0; 3]);
                        }
                        to.push(last);
                    }
                }
                Ok(())
            }
        }
    };
}

numbers! {
    U8 = Uint8, u8, "uint8";
    U16 = Uint16, u16, "uint16";
    U32 = Uint32, u32, "uint32";
    S8 = Sint8, i8, "sint8";
    S16 = Sint16, i16, "sint16";
    S32 = Sint32, i32, "sint32";
}

impl Number {
    pub(super) const fn is_bool(self) -> bool {
        matches!(self, Self::Bool8 | Self::Bool32)
    }
}

/// Converts a number for an error.
#[cold]
pub(super) fn found(number: usize) -> Found {
    Found::Value(i64::try_from(number).unwrap_or(i64::MAX))
}
