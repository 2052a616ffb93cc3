use crate::ir::WireType;
use crate::parse::TypeName;

/// A basic type without its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BasicType<'a> {
    /// Needs no size.
    Wire(WireType),
    /// The constants define its size under this name.
    Bitvector(&'a str),
    /// Its last dimension is its size.
    String { is_estring: bool },
    /// A list of strings with its length on the wire; each string may be as long as a packet.
    StringVector { is_estring: bool },
    /// Its only dimension is its size.
    Memory,
}

/// Maximum bytes of a string in a vector: those of the largest packet.
pub(super) const VECTOR_STRING: u32 = 4096;

/// Names of the basic types without parameters.
const WORDS: &[(&str, WireType)] = &[
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
];

/// Returns the names of all basic types, for hints.
pub(super) fn type_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word).chain([
        "bitvector",
        "string",
        "estring",
        "memory",
        "ufloat",
        "sfloat",
    ])
}

/// Returns the basic type of a name and its C type.
pub(super) fn basic_type<'a>(name: &TypeName<'a>) -> Option<BasicType<'a>> {
    let public = name.public.as_ref()?.text;
    let word = name.word.text;
    let is_vector = public == "struct strvec";
    Some(match word {
        "bitvector" => BasicType::Bitvector(public),
        "memory" => BasicType::Memory,
        "string" | "estring" if is_vector => BasicType::StringVector { is_estring: word == "estring" },
        "string" | "estring" => BasicType::String { is_estring: word == "estring" },
        _ => BasicType::Wire(plain(word).or_else(|| float(word))?),
    })
}

fn plain(word: &str) -> Option<WireType> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, wire)| *wire)
}

/// Parses `ufloat` and `sfloat` with their factor.
fn float(word: &str) -> Option<WireType> {
    let factor = |digits: &str| {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        digits.parse::<u32>().ok().filter(|_| is_plain)
    };
    if let Some(digits) = word.strip_prefix("ufloat") {
        return factor(digits).map(|factor| WireType::Ufloat { factor });
    }
    word.strip_prefix("sfloat").and_then(factor).map(|factor| WireType::Sfloat { factor })
}

pub(super) fn string(is_estring: bool, size: u32) -> WireType {
    if is_estring { WireType::Estring { size } } else { WireType::String { size } }
}
