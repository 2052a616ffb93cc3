use super::name;
use super::scalar::Scalar;

/// A field of a message or struct.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldLayout {
    /// Name.
    pub name: &'static str,
    /// Type of each value.
    pub field_type: FieldType,
    /// Number of values.
    pub count: Count,
    /// Type as the definition writes it.
    pub type_name: String,
    /// Documentation; may be empty.
    pub doc: String,
}

impl FieldLayout {
    /// Parses `tick: ushort # counts up`.
    pub(super) fn parse(text: &str, structs: &[&str]) -> Result<Self, String> {
        let (text, doc) = text.split_once('#').unwrap_or((text, ""));
        let Some((name, type_name)) = text.split_once(':') else {
            let text = text.trim().escape_debug();
            return Err(format!(
                "\"{text}\" is not a field: write a name and a type, as in \"tick: ushort\""
            ));
        };
        let (name, type_name) = (name::intern(name.trim())?, type_name.trim());
        let (field_type, count) =
            parse_type(type_name, structs).map_err(|message| format!("field {name}: {message}"))?;
        Ok(Self { name, field_type, count, type_name: type_name.to_owned(), doc: doc.trim().to_owned() })
    }

    /// Returns the names of the components, if the field is a vector or a list of vectors.
    pub fn components(&self) -> &'static [&'static str] {
        match self.field_type {
            FieldType::Vector(count) => vector_components(count),
            _ => &[],
        }
    }

    /// Returns whether the field is a list.
    pub fn is_list(&self) -> bool {
        self.count != Count::One
    }
}

/// Returns the names of the components of a vector.
pub(super) fn vector_components(count: u8) -> &'static [&'static str] {
    const COMPONENTS: &[&str] = &["x", "y", "z", "w"];
    COMPONENTS.get(..count.into()).unwrap_or(COMPONENTS)
}

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A value without components.
    Scalar(Scalar),
    /// A string.
    String,
    /// A vector of this many floats.
    Vector(u8),
    /// The struct with this index.
    Struct(usize),
}

/// Number of values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One value, without a length prefix.
    One,
    /// A length prefix contains the number of values.
    Prefixed,
    /// This many values, without a length prefix.
    Fixed(u16),
}

/// Names of the built-in types that are not scalars.
const NAMES: [(&str, FieldType); 4] = [
    ("string", FieldType::String),
    ("vector2", FieldType::Vector(2)),
    ("vector3", FieldType::Vector(3)),
    ("quaternion", FieldType::Vector(4)),
];

/// Iterates over the built-in types with their names.
fn built_in() -> impl Iterator<Item = (&'static str, FieldType)> {
    Scalar::ALL.iter().map(|scalar| (scalar.name(), FieldType::Scalar(*scalar))).chain(NAMES)
}

impl FieldType {
    /// Returns whether a built-in type has this name.
    pub(super) fn is_reserved(name: &str) -> bool {
        let one = name.strip_suffix('s').unwrap_or(name);
        name == "bits" || built_in().any(|(known, _)| known == one || known == name)
    }
}

/// Parses a type: `int`, `int[]` or `ints`, `int[4]`, `bits:5`. `structs` are the names of structs.
pub(super) fn parse_type(text: &str, structs: &[&str]) -> Result<(FieldType, Count), String> {
    let (name, count) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        None => (text, Count::One),
        Some((name, "")) => (name, Count::Prefixed),
        Some((name, digits)) => match digits.parse() {
            Ok(count) if count > 0 => (name, Count::Fixed(count)),
            _ => return Err(format!("\"{}\" is not a length: use 1 to 65535", digits.escape_debug())),
        },
    };
    if let Some(bits) = name.strip_prefix("bits:") {
        return match bits.parse() {
            Ok(bits @ 1..=64) => Ok((FieldType::Scalar(Scalar::Bits(bits)), count)),
            _ => Err("invalid number of bits: use 1 to 64, as in bits:5".into()),
        };
    }
    let known = |name: &str| built_in().find(|(known, _)| *known == name).map(|(_, field_type)| field_type);
    if let Some(field_type) = known(name) {
        return Ok((field_type, count));
    }
    if let Some(index) = structs.iter().position(|known| *known == name) {
        return Ok((FieldType::Struct(index), count));
    }
    if let (Some(field_type), Count::One) = (name.strip_suffix('s').and_then(known), count) {
        return Ok((field_type, Count::Prefixed));
    }
    let all: Vec<&str> =
        built_in().map(|(name, _)| name).chain(["bits:N"]).chain(structs.iter().copied()).collect();
    Err(format!("unknown type \"{}\"; use one of {}", name.escape_debug(), all.join(", ")))
}
