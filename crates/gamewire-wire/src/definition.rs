use crate::Layer;

/// A message, object or header as data: for lists, filters and other generators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Definition {
    /// What kind of group it is told as.
    pub layer: Layer,
    /// Its name in traces.
    pub name: &'static str,
    /// Its documentation, a line each.
    pub doc: &'static [&'static str],
    /// Its fields in wire order.
    pub fields: &'static [FieldDefinition],
}

/// A field of a [`Definition`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldDefinition {
    /// Its name in traces, unless it has `parts`.
    pub name: &'static str,
    /// Its type as the definition spells it, with its rule.
    pub kind: &'static str,
    /// Its documentation, a line each; may be empty.
    pub doc: &'static [&'static str],
    /// The fields that stand in its place, if it is made of several.
    pub parts: Option<&'static Definition>,
}

impl FieldDefinition {
    /// A field that is not made of others.
    #[must_use]
    pub const fn new(name: &'static str, kind: &'static str, doc: &'static [&'static str]) -> Self {
        Self { name, kind, doc, parts: None }
    }
}
