//! Definitions of structures. Generated code writes them as constants.

use std::sync::Arc;

use gamewire_schema::ir::{Part, PartType, Structure, WireType};

/// The type of a part of a structure; see [`PartType`].
#[derive(Clone, Copy, Debug)]
pub enum PartShape {
    /// An integer or a boolean.
    Number(WireType),
    /// Another structure.
    Structure(&'static StructureDefinition),
}

/// A type of the application with several parts; see [`Structure`].
#[derive(Clone, Copy, Debug)]
pub struct StructureDefinition {
    /// Name of the type.
    pub name: &'static str,
    /// The parts, in the order of the wire.
    pub parts: &'static [PartDefinition],
}

/// A part of a [`StructureDefinition`].
#[derive(Clone, Copy, Debug)]
pub struct PartDefinition {
    /// Name of the part.
    pub name: &'static str,
    /// Type of the part, or of its elements.
    pub shape: PartShape,
    /// Number of elements if the part is an array.
    pub count: Option<u32>,
}

impl PartShape {
    /// Returns the shape of a part that is a structure.
    pub const fn of(structure: Option<&'static StructureDefinition>) -> Self {
        match structure {
            Some(structure) => Self::Structure(structure),
            None => Self::Structure(&StructureDefinition { name: "", parts: &[] }),
        }
    }
}

impl StructureDefinition {
    /// Returns the structure in the form that the compiler and the interpreter use.
    pub fn structure(&self) -> Structure {
        let part = |part: &PartDefinition| Part {
            name: part.name.to_owned(),
            part_type: match part.shape {
                PartShape::Number(wire) => PartType::Number(wire),
                PartShape::Structure(inner) => PartType::Structure(Arc::new(inner.structure())),
            },
            count: part.count,
        };
        Structure::new(self.name, self.parts.iter().map(part).collect())
    }
}
