use super::scalar::Scalar;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldType {
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
const NAMES: &[(&str, FieldType)] = &[
    ("byte", FieldType::Scalar(Scalar::Byte)),
    ("sbyte", FieldType::Scalar(Scalar::SByte)),
    ("bool", FieldType::Scalar(Scalar::Bool)),
    ("short", FieldType::Scalar(Scalar::Short)),
    ("ushort", FieldType::Scalar(Scalar::UShort)),
    ("int", FieldType::Scalar(Scalar::Int)),
    ("uint", FieldType::Scalar(Scalar::UInt)),
    ("long", FieldType::Scalar(Scalar::Long)),
    ("ulong", FieldType::Scalar(Scalar::ULong)),
    ("float", FieldType::Scalar(Scalar::Float)),
    ("double", FieldType::Scalar(Scalar::Double)),
    ("string", FieldType::String),
    ("var_long", FieldType::Scalar(Scalar::VarLong)),
    ("var_ulong", FieldType::Scalar(Scalar::VarULong)),
    ("vector2", FieldType::Vector(2)),
    ("vector3", FieldType::Vector(3)),
    ("quaternion", FieldType::Vector(4)),
];

impl FieldType {
    /// Whether a struct cannot have this name.
    pub(super) fn is_taken(name: &str) -> bool {
        name == "bits"
            || NAMES
                .iter()
                .any(|(known, _)| name.strip_suffix('s').unwrap_or(name) == *known || name == *known)
    }
}

/// Reads a type: `int`, `int[]` or `ints`, `int[4]`, `bits:5`; `structs` has the names of structs.
pub(super) fn parse(text: &str, structs: &[&str]) -> Result<(FieldType, Count), String> {
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
            Ok(bits @ 1..=64) => Ok((FieldType::Scalar(Scalar::Bits(bits)), count)),
            _ => Err("bits are 1 to 64, as in bits:5".into()),
        };
    }
    let known = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    if let Some(kind) = known(name) {
        return Ok((kind, count));
    }
    if let Some(index) = structs.iter().position(|known| *known == name) {
        return Ok((FieldType::Struct(index), count));
    }
    if let (Some(kind), Count::One) = (name.strip_suffix('s').and_then(known), count) {
        return Ok((kind, Count::Prefixed));
    }
    let all: Vec<&str> =
        NAMES.iter().map(|(name, _)| *name).chain(["bits:N"]).chain(structs.iter().copied()).collect();
    Err(format!("there is no type \"{}\"; there are {}", name.escape_debug(), all.join(", ")))
}
