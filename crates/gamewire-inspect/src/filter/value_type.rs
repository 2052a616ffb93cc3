use crate::protocol::{FieldName, FieldValues};

/// The type of a value, for comparisons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Several types, or a value with a special form.
    Any,
    Number,
    Bool,
    Text,
    Bytes,
    Address,
    Time,
    /// One of a few keywords.
    Keyword(&'static [&'static str]),
    /// A number that has one of these names, or flags with these names.
    Names(Vec<&'static str>),
}

impl ValueType {
    /// Returns the type of a field of a protocol.
    pub(super) fn of(field: &FieldName) -> Self {
        match field.values {
            _ if !field.words.is_empty() => Self::Names(field.words.clone()),
            FieldValues::Other => Self::Any,
            FieldValues::Int(_) | FieldValues::Uint(_) | FieldValues::Float => Self::Number,
            FieldValues::Bool => Self::Bool,
            FieldValues::Text => Self::Text,
            FieldValues::Bytes => Self::Bytes,
        }
    }

    /// Returns the type of a field that has either type, in different versions.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Names(mut words), Self::Names(more)) => {
                words.extend(more);
                words.sort_unstable();
                words.dedup();
                Self::Names(words)
            }
            (Self::Names(words), Self::Number) | (Self::Number, Self::Names(words)) => Self::Names(words),
            (one, other) if one == other => one,
            _ => Self::Any,
        }
    }
}
