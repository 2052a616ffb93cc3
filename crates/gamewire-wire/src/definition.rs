use crate::{Layer, Shape};

/// A message, object or header described as data, for lists, filters and code generators.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Layer that a trace reports it as.
    pub layer: Layer,
    /// Name in traces.
    pub name: &'static str,
    /// Documentation, one element per line.
    pub doc: &'static [&'static str],
    /// Fields in wire order.
    pub fields: &'static [FieldDefinition],
}

/// A field of a [`Definition`].
#[derive(Clone, Copy, Debug)]
pub struct FieldDefinition {
    /// Name in traces; unused if there are `parts`.
    pub name: &'static str,
    /// Type and value rule as the definition spells them.
    pub kind: &'static str,
    /// Documentation, one element per line; may be empty.
    pub doc: &'static [&'static str],
    /// Returns its encoding.
    pub shape: fn() -> Shape,
    /// Fields that the trace reports in its place, if it is composed of several.
    pub parts: Option<&'static Definition>,
}

impl FieldDefinition {
    /// Creates a field of a header, without parts.
    #[must_use]
    pub const fn new(name: &'static str, kind: &'static str, doc: &'static [&'static str]) -> Self {
        Self { name, kind, doc, shape: || Shape::Header, parts: None }
    }
}
