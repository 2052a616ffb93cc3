use crate::{Layer, Shape};

/// A message, object or header described as data, for lists, filters and code generators.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Layer in traces.
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
    /// Name in traces. Unused if the field is composed of [`Shape::parts`].
    pub name: &'static str,
    /// Type and value rule, as the definition spells them.
    pub kind: &'static str,
    /// Documentation, one element per line; may be empty.
    pub doc: &'static [&'static str],
    /// Encoding of the field.
    pub encoding: &'static dyn Encoding,
}

/// The encoding of a field.
pub trait Encoding: core::fmt::Debug + Sync {
    /// Returns the encoding as data.
    fn shape(&self) -> Shape;
}

impl Encoding for Shape {
    fn shape(&self) -> Shape {
        self.clone()
    }
}

impl FieldDefinition {
    /// Creates a field of a header.
    pub const fn new(name: &'static str, kind: &'static str, doc: &'static [&'static str]) -> Self {
        Self { name, kind, doc, encoding: &Shape::Header }
    }
}
