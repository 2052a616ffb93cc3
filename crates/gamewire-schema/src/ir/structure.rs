use std::borrow::Cow;
use std::fmt;

use super::wire_type::WireType;

/// A type of the application with several parts, which are sent one after another.
///
/// ```
/// use gamewire_schema::ir::{Part, Structure, WireType};
///
/// let point = Structure::new("point", vec![Part::new("x", WireType::Sint16), Part::new("y", WireType::Sint16)]);
/// let mut corners = Part::of("corners", point);
/// corners.count = Some(2);
/// let area = Structure::new("area", vec![Part::new("kind", WireType::Uint8), corners]);
/// assert_eq!(area.to_string(), "struct(uint8,struct(sint16,sint16)[2])");
/// let names: Vec<String> = area.numbers().into_iter().map(|number| number.name).collect();
/// assert_eq!(names, ["kind", "corners_0_x", "corners_0_y", "corners_1_x", "corners_1_y"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Structure {
    /// Name of the type.
    pub name: Cow<'static, str>,
    /// The parts, in the order of the wire.
    pub parts: Cow<'static, [Part]>,
}

/// A part of a [`Structure`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Part {
    /// Name of the part.
    pub name: Cow<'static, str>,
    /// Type of the part.
    pub part_type: PartType,
    /// Number of elements if the part is an array, which is sent whole.
    pub count: Option<u32>,
}

/// The type of a [`Part`], or of its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartType {
    /// An integer or a boolean.
    Number(WireType),
    /// Another structure.
    Structure(Cow<'static, Structure>),
}

/// A number of a structure, after its nested structures and arrays are replaced by their elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartNumber {
    /// Names of the part and its structures, and indices of elements, joined by `_`.
    pub name: String,
    /// Type of the number.
    pub wire: WireType,
}

impl Structure {
    /// Maximum numbers in one structure.
    pub const MAX_NUMBERS: u32 = 1024;
    /// Maximum nesting of structures.
    pub const MAX_DEPTH: usize = 8;

    /// Creates a structure.
    pub fn new(name: impl Into<Cow<'static, str>>, parts: Vec<Part>) -> Self {
        Self { name: name.into(), parts: parts.into() }
    }

    /// Returns all numbers, in the order of the wire.
    pub fn numbers(&self) -> Vec<PartNumber> {
        let mut numbers = Vec::new();
        self.add_numbers("", &mut numbers);
        numbers
    }

    fn add_numbers(&self, prefix: &str, numbers: &mut Vec<PartNumber>) {
        for part in self.parts.iter() {
            let name = format!("{prefix}{}", part.name);
            match part.count {
                None => part.part_type.add_numbers(&name, numbers),
                Some(count) => {
                    for index in 0..count {
                        part.part_type.add_numbers(&format!("{name}_{index}"), numbers);
                    }
                }
            }
        }
    }

    /// Returns the number of numbers, at most `u32::MAX`.
    #[must_use]
    pub fn number_count(&self) -> u32 {
        self.sum(|part_type| match part_type {
            PartType::Number(_) => 1,
            PartType::Structure(inner) => inner.number_count(),
        })
    }

    /// Returns the number of bytes on the wire, at most `u32::MAX`.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.sum(|part_type| match part_type {
            PartType::Number(wire) => wire.fixed_bytes().unwrap_or(0),
            PartType::Structure(inner) => inner.bytes(),
        })
    }

    /// Returns the nesting of structures: 1 if no part is a structure.
    #[must_use]
    pub fn depth(&self) -> usize {
        let inner = self.parts.iter().map(|part| match &part.part_type {
            PartType::Number(_) => 0,
            PartType::Structure(inner) => inner.depth(),
        });
        inner.max().unwrap_or(0).saturating_add(1)
    }

    /// Adds up a property of all elements of all parts.
    fn sum(&self, of: impl Fn(&PartType) -> u32) -> u32 {
        self.parts.iter().fold(0, |sum, part| {
            sum.saturating_add(of(&part.part_type).saturating_mul(part.count.unwrap_or(1)))
        })
    }
}

impl Part {
    /// Creates a part that is a number.
    pub fn new(name: impl Into<Cow<'static, str>>, wire: WireType) -> Self {
        Self { name: name.into(), part_type: PartType::Number(wire), count: None }
    }

    /// Creates a part that is a structure.
    pub fn of(name: impl Into<Cow<'static, str>>, structure: Structure) -> Self {
        Self { name: name.into(), part_type: PartType::Structure(Cow::Owned(structure)), count: None }
    }
}

impl PartType {
    fn add_numbers(&self, name: &str, numbers: &mut Vec<PartNumber>) {
        match self {
            Self::Number(wire) => numbers.push(PartNumber { name: name.to_owned(), wire: *wire }),
            Self::Structure(inner) => inner.add_numbers(&format!("{name}_"), numbers),
        }
    }
}

/// Writes the types of the parts, such as `struct(uint8,sint16[3])`.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts.iter().map(ToString::to_string).collect();
        write!(f, "struct({})", parts.join(","))
    }
}

/// Writes the type of the part, such as `sint16[3]`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part_type {
            PartType::Number(wire) => write!(f, "{wire}")?,
            PartType::Structure(inner) => write!(f, "{inner}")?,
        }
        self.count.map_or(Ok(()), |count| write!(f, "[{count}]"))
    }
}
