use core::mem::size_of;

/// What a field holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing: the field is not sent with the capabilities at hand.
    Absent,
    /// True or false.
    Bool(bool),
    /// A number of any integer type.
    Int(i64),
    /// The integer that stands for a number times the factor of its type.
    Scaled(i64),
    /// Text without its NUL, as the peer sent it: any bytes.
    Text(Vec<u8>),
    /// A bitvector, the lowest bit first, or raw memory.
    Bytes(Vec<u8>),
    /// The parts of a structure in their order, as numbers; of a list of structures all of them.
    Parts(Vec<i64>),
    /// The elements of an array.
    List(Vec<Self>),
}

impl Value {
    /// The number that it is, also as truth value.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) | Self::Scaled(value) => Some(*value),
            Self::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The text that it is, without its NUL.
    #[must_use]
    pub fn as_text(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of the array that it is.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// About how many bytes it keeps beside itself.
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

    /// Takes the memory of the old value.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Text(to), Self::Text(from)) | (Self::Bytes(to), Self::Bytes(from)) => to.clone_from(from),
            (Self::Parts(to), Self::Parts(from)) => to.clone_from(from),
            (Self::List(to), Self::List(from)) => to.clone_from(from),
            (to, from) => *to = from.clone(),
        }
    }
}
