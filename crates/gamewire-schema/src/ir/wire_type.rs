use std::fmt;

/// The encoding of one element. All integers are big-endian and in two's complement.
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
    /// Four bytes. Freeciv reads it into a signed integer.
    Uint32,
    /// One byte.
    Sint8,
    /// Two bytes.
    Sint16,
    /// Four bytes.
    Sint32,
    /// A number times the factor, as a uint32.
    Ufloat {
        /// Factor; not 0.
        factor: u32,
    },
    /// A number times the factor, as a sint32.
    Sfloat {
        /// Factor; not 0.
        factor: u32,
    },
    /// Raw bytes, the lowest bit first.
    Bitvector {
        /// Number of bytes.
        bytes: u32,
    },
    /// UTF-8 up to and including one NUL.
    String {
        /// Maximum bytes, including the NUL; not 0.
        size: u32,
    },
    /// The same encoding as [`String`](Self::String) on the binary wire. It is only escaped in JSON, like a URI.
    Estring {
        /// Maximum bytes, including the NUL; not 0.
        size: u32,
    },
    /// Raw bytes. Their number is the only dimension of the field.
    Memory,
    /// uint8 kind, sint32 value, uint8 range, bool8 survives, bool8 present, bool8 quiet.
    Requirement,
    /// uint8 count, then `count` pairs of uint8 kind, uint8 id.
    Worklist,
    /// uint8 minimum, uint8 maximum.
    ActionProbability,
    /// uint8 order, uint8 activity, sint32 target, sint16 sub-target, uint8 action, sint8 direction.
    UnitOrder,
    /// 6 sint16 minimal surplus, 4 bool8, 6 uint16 factor, uint16 happy factor.
    CmParameter,
    /// uint8 count, then `count` uint8 values.
    Uint8Vec8,
    /// uint8 count, then `count` uint16 values.
    Uint16Vec8,
    /// uint8 values up to an end mark. The mark is omitted after the maximum number of values.
    EndedList {
        /// The end mark.
        end: u8,
        /// Maximum number of values; not 0.
        max: u32,
    },
    /// A uint16 number of bits, then the bits, the lowest bit of each byte first. In C it is a text of `0` and `1`.
    BitString {
        /// Maximum bytes of the text, including the NUL; not 0.
        size: u32,
    },
    /// A type of the application with several parts; see [`Field::structure`](super::Field::structure).
    Structure,
}

/// Maximum bytes of a string in a vector, which is the size of the largest packet.
const MAX_STRING: u32 = 4096;

/// The keywords of all types. Factors and sizes are set for each field.
pub(crate) const WORDS: [(&str, WireType); 26] = [
    ("bool8", WireType::Bool8),
    ("bool32", WireType::Bool32),
    ("uint8", WireType::Uint8),
    ("uint16", WireType::Uint16),
    ("uint32", WireType::Uint32),
    ("sint8", WireType::Sint8),
    ("sint16", WireType::Sint16),
    ("sint32", WireType::Sint32),
    ("requirement", WireType::Requirement),
    ("worklist", WireType::Worklist),
    ("action_probability", WireType::ActionProbability),
    ("unit_order", WireType::UnitOrder),
    ("cm_parameter", WireType::CmParameter),
    ("uint8_vec8", WireType::Uint8Vec8),
    ("uint16_vec8", WireType::Uint16Vec8),
    ("bitvector", WireType::Bitvector { bytes: 1 }),
    ("string", WireType::String { size: MAX_STRING }),
    ("estring", WireType::Estring { size: MAX_STRING }),
    ("memory", WireType::Memory),
    ("ufloat", WireType::Ufloat { factor: 1 }),
    ("sfloat", WireType::Sfloat { factor: 1 }),
    ("tech_list", WireType::EndedList { end: 0, max: 1 }),
    ("unit_list", WireType::EndedList { end: 0, max: 1 }),
    ("building_list", WireType::EndedList { end: 0, max: 1 }),
    ("bit_string", WireType::BitString { size: MAX_STRING }),
    ("city_map", WireType::Memory),
];

impl WireType {
    /// Returns the number of bytes of an element, or `None` if it depends on the value.
    #[must_use]
    #[inline]
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
            | Self::Uint16Vec8
            | Self::EndedList { .. }
            | Self::BitString { .. }
            | Self::Structure => None,
        }
    }

    /// Returns whether the type is a plain integer. Fields of such types can hold the number of elements of an array.
    #[must_use]
    #[inline]
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Uint8 | Self::Uint16 | Self::Uint32 | Self::Sint8 | Self::Sint16 | Self::Sint32)
    }

    /// Returns the keyword in the definition language, without parameters. Definitions append the factor to `ufloat`
    /// and `sfloat`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            // Three keywords have this type, and definitions have none for a structure.
            Self::EndedList { .. } => return "ended_list",
            Self::Structure => return "struct",
            _ => {}
        }
        let kind = std::mem::discriminant(&self);
        WORDS.iter().find(|(_, wire)| std::mem::discriminant(wire) == kind).map_or("", |(word, _)| word)
    }
}

/// Writes the keyword with its parameter, such as `ufloat100`, `bitvector(3)` or `string(48)`.
impl fmt::Display for WireType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word();
        match *self {
            Self::Ufloat { factor } | Self::Sfloat { factor } => write!(f, "{word}{factor}"),
            Self::Bitvector { bytes: size }
            | Self::String { size }
            | Self::Estring { size }
            | Self::BitString { size } => write!(f, "{word}({size})"),
            Self::EndedList { end, max } => write!(f, "{word}({end},{max})"),
            _ => f.write_str(word),
        }
    }
}
