use std::collections::BTreeMap;

use crate::lua::Lua;

/// The type of a field in Wireshark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Unstructured bytes.
    Bytes,
    /// A boolean.
    Bool,
    /// A signed 32-bit number.
    Int,
    /// An unsigned 32-bit number.
    Uint,
    /// A hexadecimal number with 2, 4 or 8 digits.
    Hex(u8),
    /// A signed 64-bit number.
    Int64,
    /// An unsigned 64-bit number.
    Uint64,
    /// A 32-bit floating-point number.
    Float,
    /// A 64-bit floating-point number.
    Double,
    /// A text.
    Text,
}

/// A group of fields: a header, message, object or structure.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Name in traces.
    pub(crate) name: String,
    /// Documentation, as one line.
    pub(crate) doc: String,
    /// All fields that it can have.
    pub(crate) fields: Vec<GroupField>,
}

/// A field of a [`Group`].
#[derive(Clone, Debug)]
pub(crate) struct GroupField {
    /// Name in traces.
    pub(crate) name: String,
    /// Type.
    pub(crate) kind: Kind,
    /// Documentation, as one line.
    pub(crate) doc: String,
    /// Names of its numbers.
    pub(crate) names: BTreeMap<i64, String>,
    /// Version of the protocol in which the numbers have these names.
    pub(crate) variant: &'static str,
    /// Names in other versions, where they differ, by version.
    pub(crate) other_names: BTreeMap<&'static str, BTreeMap<i64, String>>,
}

impl GroupField {
    /// Creates a field without names for its numbers.
    pub(crate) fn new(name: impl Into<String>, kind: Kind, doc: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind,
            doc: doc.into(),
            names: BTreeMap::new(),
            variant: "",
            other_names: BTreeMap::new(),
        }
    }
}

impl Kind {
    /// Returns the type that can hold the values of both types.
    fn and(self, other: Self) -> Self {
        match (self.min(other), self.max(other)) {
            (Self::Int, Self::Uint) => Self::Int64,
            (_, wider) => wider,
        }
    }

    /// Returns whether the type is a number. Wireshark cannot show bytes as a number.
    const fn is_number(self) -> bool {
        !matches!(self, Self::Bytes | Self::Text)
    }

    fn name(self) -> String {
        match self {
            Self::Bytes => "bytes",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Hex(digits) => return format!("hex{digits}"),
            Self::Int64 => "int64",
            Self::Uint64 => "uint64",
            Self::Float => "float",
            Self::Double => "double",
            Self::Text => "text",
        }
        .to_owned()
    }
}

/// Joins the lines of a documentation to one line.
pub(crate) fn one_line(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Merges groups with the same name, and fields with the same name in a group. Wireshark has one type for each name, so
/// the wider type is used.
pub(crate) fn merge(groups: impl IntoIterator<Item = Group>) -> Vec<Group> {
    let mut merged: Vec<Group> = Vec::new();
    for group in groups {
        let Some(known) = merged.iter_mut().find(|known| known.name == group.name) else {
            let fields = Vec::new();
            merged.push(Group { fields, ..group.clone() });
            if let Some(known) = merged.last_mut() {
                group.fields.into_iter().for_each(|field| add_field(&mut known.fields, field));
            }
            continue;
        };
        if known.doc.is_empty() {
            known.doc = group.doc;
        }
        group.fields.into_iter().for_each(|field| add_field(&mut known.fields, field));
    }
    merged
}

/// Suffix for the name of a field that is bits in one version and a number in another. It marks the bits.
const BITS: &str = "_bits";

fn add_field(fields: &mut Vec<GroupField>, mut field: GroupField) {
    if let Some(known) = fields.iter_mut().find(|known| known.name == field.name) {
        if known.kind == Kind::Bytes && field.kind.is_number() {
            known.name.push_str(BITS);
        } else if known.kind.is_number() && field.kind == Kind::Bytes {
            field.name.push_str(BITS);
        }
    }
    let Some(known) = fields.iter_mut().find(|known| known.name == field.name) else {
        fields.push(field);
        return;
    };
    known.kind = known.kind.and(field.kind);
    if known.doc.is_empty() {
        known.doc = field.doc;
    }
    if known.names.is_empty() {
        (known.names, known.variant) = (field.names, field.variant);
    } else if !field.names.is_empty() && known.names != field.names {
        known.other_names.entry(field.variant).or_insert(field.names);
    }
}

/// Converts groups to the table that `display.protocol` expects.
pub(crate) fn to_lua(groups: &[Group]) -> Lua {
    Lua::list(groups.iter().map(|group| {
        let fields = group.fields.iter().map(|field| {
            let mut row =
                vec![Lua::from(field.name.as_str()), field.kind.name().into(), field.doc.as_str().into()];
            if !field.names.is_empty() {
                row.push(numbered(&field.names));
                let others = field.other_names.iter().map(|(variant, names)| (*variant, numbered(names)));
                row.push(Lua::table(others));
            }
            Lua::List(row)
        });
        Lua::List(vec![group.name.as_str().into(), group.doc.as_str().into(), Lua::List(fields.collect())])
    }))
}

fn numbered(names: &BTreeMap<i64, String>) -> Lua {
    Lua::numbered(names.iter().map(|(number, name)| (*number, name.as_str().into())))
}
