use crate::protocol::FieldName;

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
    /// Returns the type of a field of a protocol, by its words or its description.
    pub(super) fn of(field: &FieldName) -> Self {
        if !field.words.is_empty() {
            return Self::Names(field.words.clone());
        }
        // Such as "10 or 12 bits".
        if field.kind.ends_with(" bits") && field.kind.starts_with(|first: char| first.is_ascii_digit()) {
            return Self::Number;
        }
        let types = field.kind.split(" or ").map(|kind| {
            let kind = kind.strip_prefix("list of ").unwrap_or(kind);
            let kind = kind.trim_end_matches(", optional").trim_end_matches("[]");
            match kind.split([' ', '[']).next().unwrap_or_default() {
                "integer" | "number" | "tick" | "milliseconds" => Self::Number,
                "byte" | "sbyte" | "short" | "ushort" | "int" | "uint" | "long" | "ulong" => Self::Number,
                "float" | "double" => Self::Number,
                "boolean" | "bool" | "bit" => Self::Bool,
                "text" | "string" | "uuid" => Self::Text,
                "bytes" => Self::Bytes,
                _ => Self::Any,
            }
        });
        types.reduce(Self::or).unwrap_or(Self::Any)
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
