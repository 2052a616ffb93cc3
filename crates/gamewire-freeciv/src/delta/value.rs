use core::mem::size_of;

/// The value of a field.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum Value {
    /// No value: the field does not exist with the capabilities of the connection.
    Absent,
    /// A boolean.
    Bool(bool),
    /// An integer of any type.
    Int(i64),
    /// A scaled number, as the integer on the wire: the number times the factor of its type.
    Scaled(i64),
    /// A text without its NUL. It can contain any bytes.
    Text(#[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_bytes"))] Vec<u8>),
    /// A bitvector, lowest bit first, or raw memory.
    Bytes(Vec<u8>),
    /// The parts of a structure as numbers. For a list of structures, the parts of all structures in order.
    Parts(Vec<i64>),
    /// The elements of an array.
    List(Vec<Self>),
}

impl Value {
    /// Returns the number; 0 or 1 for a boolean.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) | Self::Scaled(value) => Some(*value),
            Self::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// Returns the text, without its NUL.
    pub fn as_text(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of the array.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the approximate bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        match self {
            Self::Absent | Self::Bool(_) | Self::Int(_) | Self::Scaled(_) => 0,
            Self::Text(bytes) | Self::Bytes(bytes) => bytes.capacity(),
            Self::Parts(parts) => parts.capacity().saturating_mul(size_of::<i64>()),
            Self::List(elements) => {
                let own = elements.capacity().saturating_mul(size_of::<Self>());
                elements.iter().fold(own, |sum, element| sum.saturating_add(element.heap()))
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.as_bytes().to_vec())
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        match self {
            Self::Absent => Self::Absent,
            Self::Bool(value) => Self::Bool(*value),
            Self::Int(value) => Self::Int(*value),
            Self::Scaled(value) => Self::Scaled(*value),
            Self::Text(bytes) => Self::Text(bytes.clone()),
            Self::Bytes(bytes) => Self::Bytes(bytes.clone()),
            Self::Parts(parts) => Self::Parts(parts.clone()),
            Self::List(elements) => Self::List(elements.clone()),
        }
    }

    /// Reuses the memory of the old value.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Text(to), Self::Text(from)) | (Self::Bytes(to), Self::Bytes(from)) => to.clone_from(from),
            (Self::Parts(to), Self::Parts(from)) => to.clone_from(from),
            (Self::List(to), Self::List(from)) => to.clone_from(from),
            (to, from) => *to = from.clone(),
        }
    }
}
