use super::field_type::{Count, FieldType, parse_type};
use super::name;

/// A field of a message or struct.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldLayout {
    pub(super) name: &'static str,
    pub(super) field_type: FieldType,
    pub(super) count: Count,
    /// Type as the definition writes it.
    type_name: String,
    doc: String,
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

    /// Returns the name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the type as the definition writes it.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Returns the documentation; may be empty.
    #[must_use]
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// Returns the names of its components if it is a vector or a list of vectors.
    #[must_use]
    pub fn components(&self) -> &'static [&'static str] {
        match self.field_type {
            FieldType::Vector(count) => vector_components(count),
            _ => &[],
        }
    }

    /// Returns whether the field is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.count != Count::One
    }
}

/// Returns the names of the components of a vector.
pub(super) fn vector_components(count: u8) -> &'static [&'static str] {
    const COMPONENTS: &[&str] = &["x", "y", "z", "w"];
    COMPONENTS.get(..count.into()).unwrap_or(COMPONENTS)
}
