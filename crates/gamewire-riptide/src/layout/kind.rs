use super::scalar::Scalar;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    String,
    /// So many floats.
    Vector(u8),
    /// The struct with this number.
    Struct(usize),
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    One,
    /// As many as the number in front says.
    Prefixed,
    /// So many, and no number in front.
    Fixed(u16),
}

/// The types that are always there.
const NAMES: &[(&str, Kind)] = &[
    ("byte", Kind::Scalar(Scalar::Byte)),
    ("sbyte", Kind::Scalar(Scalar::SByte)),
    ("bool", Kind::Scalar(Scalar::Bool)),
    ("short", Kind::Scalar(Scalar::Short)),
    ("ushort", Kind::Scalar(Scalar::UShort)),
    ("int", Kind::Scalar(Scalar::Int)),
    ("uint", Kind::Scalar(Scalar::UInt)),
    ("long", Kind::Scalar(Scalar::Long)),
    ("ulong", Kind::Scalar(Scalar::ULong)),
    ("float", Kind::Scalar(Scalar::Float)),
    ("double", Kind::Scalar(Scalar::Double)),
    ("string", Kind::String),
    ("var_long", Kind::Scalar(Scalar::VarLong)),
    ("var_ulong", Kind::Scalar(Scalar::VarULong)),
    ("vector2", Kind::Vector(2)),
    ("vector3", Kind::Vector(3)),
    ("quaternion", Kind::Vector(4)),
];

impl Kind {
    /// Whether a struct cannot have this name.
    pub(super) fn is_taken(name: &str) -> bool {
        name == "bits"
            || NAMES
                .iter()
                .any(|(known, _)| name.strip_suffix('s').unwrap_or(name) == *known || name == *known)
    }
}

/// Reads a type: `int`, `int[]` or `ints`, `int[4]`, `bits:5`; `structs` has the names of structs.
pub(super) fn parse(text: &str, structs: &[&str]) -> Result<(Kind, Count), String> {
    let (name, count) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        None => (text, Count::One),
        Some((name, "")) => (name, Count::Prefixed),
        Some((name, digits)) => match digits.parse() {
            Ok(count) if count > 0 => (name, Count::Fixed(count)),
            _ => return Err(format!("\"{}\" is no length: it is 1 to 65535", digits.escape_debug())),
        },
    };
    if let Some(bits) = name.strip_prefix("bits:") {
        return match bits.parse() {
            Ok(bits @ 1..=64) => Ok((Kind::Scalar(Scalar::Bits(bits)), count)),
            _ => Err("bits are 1 to 64, as in bits:5".into()),
        };
    }
    let known = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    if let Some(kind) = known(name) {
        return Ok((kind, count));
    }
    if let Some(index) = structs.iter().position(|known| *known == name) {
        return Ok((Kind::Struct(index), count));
    }
    if let (Some(kind), Count::One) = (name.strip_suffix('s').and_then(known), count) {
        return Ok((kind, Count::Prefixed));
    }
    let all: Vec<&str> =
        NAMES.iter().map(|(name, _)| *name).chain(["bits:N"]).chain(structs.iter().copied()).collect();
    Err(format!("there is no type \"{}\"; there are {}", name.escape_debug(), all.join(", ")))
}
