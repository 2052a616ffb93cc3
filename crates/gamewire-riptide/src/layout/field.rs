use super::kind::{self, Count, FieldType};
use super::name;

/// A field of a message or struct.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldLayout {
    pub(super) name: &'static str,
    pub(super) kind: FieldType,
    pub(super) count: Count,
    /// Its type as its definition spells it.
    spelled: String,
    doc: String,
}

impl FieldLayout {
    /// Reads `tick: ushort # counts up`.
    pub(super) fn parse(text: &str, structs: &[&str]) -> Result<Self, String> {
        let (text, doc) = text.split_once('#').unwrap_or((text, ""));
        let Some((name, spelled)) = text.split_once(':') else {
            let text = text.trim().escape_debug();
            return Err(format!("\"{text}\" is no field: write a name and a type, as in \"tick: ushort\""));
        };
        let (name, spelled) = (name::intern(name.trim())?, spelled.trim());
        let (kind, count) =
            kind::parse(spelled, structs).map_err(|message| format!("field {name}: {message}"))?;
        Ok(Self { name, kind, count, spelled: spelled.to_owned(), doc: doc.trim().to_owned() })
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its type as its definition spells it.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.spelled
    }

    /// What it means; may be empty.
    #[must_use]
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// The names of its parts, if it is a vector or a list of them.
    #[must_use]
    pub fn components(&self) -> &'static [&'static str] {
        match self.kind {
            FieldType::Vector(count) => axes(count),
            _ => &[],
        }
    }

    /// Whether it has more values than one.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.count != Count::One
    }
}

/// The names of the parts of a vector.
pub(super) fn axes(count: u8) -> &'static [&'static str] {
    const AXES: &[&str] = &["x", "y", "z", "w"];
    AXES.get(..count.into()).unwrap_or(AXES)
}
