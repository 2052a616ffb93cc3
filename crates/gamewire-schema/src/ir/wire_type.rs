use std::fmt;

/// How one element is sent. All integers are big-endian, in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WireType {
    /// One byte, 0 or 1.
    Bool8,
    /// Four bytes, 0 or 1.
    Bool32,
    /// One byte.
    Uint8,
    /// Two bytes.
    Uint16,
    /// Four bytes. The reference implementation reads it into a signed integer.
    Uint32,
    /// One byte.
    Sint8,
    /// Two bytes.
    Sint16,
    /// Four bytes.
    Sint32,
    /// A number times the factor, in a uint32.
    Ufloat {
        /// What the number is multiplied with; not 0.
        factor: u32,
    },
    /// A number times the factor, in a sint32.
    Sfloat {
        /// What the number is multiplied with; not 0.
        factor: u32,
    },
    /// Raw bytes, the lowest bit first.
    Bitvector {
        /// How many bytes.
        bytes: u32,
    },
    /// UTF-8 up to and including one NUL.
    String {
        /// The most bytes, with the NUL; not 0.
        size: u32,
    },
    /// On the binary wire the same as [`String`](Self::String); escaped like a URI in JSON only.
    Estring {
        /// The most bytes, with the NUL; not 0.
        size: u32,
    },
    /// Raw bytes; the only dimension of the field says how many.
    Memory,
    /// uint8 kind, sint32 value, uint8 range, bool8 survives, bool8 present, bool8 quiet.
    Requirement,
    /// uint8 count, then so many times uint8 kind, uint8 id.
    Worklist,
    /// uint8 minimum, uint8 maximum.
    ActionProbability,
    /// uint8 order, uint8 activity, sint32 target, sint16 sub-target, uint8 action, sint8 direction.
    UnitOrder,
    /// 6 sint16 minimal surplus, 4 bool8, 6 uint16 factor, uint16 happy factor.
    CmParameter,
    /// uint8 count, then so many uint8.
    Uint8Vec8,
    /// uint8 count, then so many uint16.
    Uint16Vec8,
}

impl WireType {
    /// How many bytes an element takes; `None` where that depends on its value.
    #[must_use]
    pub fn fixed_bytes(self) -> Option<u32> {
        match self {
            Self::Bool8 | Self::Uint8 | Self::Sint8 | Self::Memory => Some(1),
            Self::Uint16 | Self::Sint16 | Self::ActionProbability => Some(2),
            Self::Bool32 | Self::Uint32 | Self::Sint32 | Self::Ufloat { .. } | Self::Sfloat { .. } => Some(4),
            Self::Bitvector { bytes } => Some(bytes),
            Self::Requirement => Some(9),
            Self::UnitOrder => Some(10),
            Self::CmParameter => Some(30),
            Self::String { .. }
            | Self::Estring { .. }
            | Self::Worklist
            | Self::Uint8Vec8
            | Self::Uint16Vec8 => None,
        }
    }

    /// Whether it is a plain integer, so that it can say how many elements an array has.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Uint8 | Self::Uint16 | Self::Uint32 | Self::Sint8 | Self::Sint16 | Self::Sint32)
    }

    /// The word of the definition language, without parameters; `ufloat` and `sfloat` are written
    /// there with their factor behind.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Bool8 => "bool8",
            Self::Bool32 => "bool32",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Sint8 => "sint8",
            Self::Sint16 => "sint16",
            Self::Sint32 => "sint32",
            Self::Ufloat { .. } => "ufloat",
            Self::Sfloat { .. } => "sfloat",
            Self::Bitvector { .. } => "bitvector",
            Self::String { .. } => "string",
            Self::Estring { .. } => "estring",
            Self::Memory => "memory",
            Self::Requirement => "requirement",
            Self::Worklist => "worklist",
            Self::ActionProbability => "action_probability",
            Self::UnitOrder => "unit_order",
            Self::CmParameter => "cm_parameter",
            Self::Uint8Vec8 => "uint8_vec8",
            Self::Uint16Vec8 => "uint16_vec8",
        }
    }
}

/// The word with its parameter: `ufloat100`, `bitvector(3)`, `string(48)`.
impl fmt::Display for WireType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word();
        match *self {
            Self::Ufloat { factor } | Self::Sfloat { factor } => write!(f, "{word}{factor}"),
            Self::Bitvector { bytes: size } | Self::String { size } | Self::Estring { size } => {
                write!(f, "{word}({size})")
            }
            _ => f.write_str(word),
        }
    }
}
