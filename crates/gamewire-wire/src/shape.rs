use crate::Definition;

/// The encoding of a field as data, for generators of decoders and of documentation.
///
/// "Integer" is a variable-length integer in a message, and one of the integers of an item in an object.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Hand-written code reads it: a part of a header. The field's kind describes it.
    Header,
    /// An integer.
    Int {
        /// Minimum that real programs accept.
        min: i32,
        /// Maximum that real programs accept.
        max: i32,
    },
    /// An integer that is 0 or 1. Other values are an error.
    Bool,
    /// An integer with names for its values.
    Named(&'static [(i32, &'static str)]),
    /// An integer of flags, named from the least significant bit.
    Flags(&'static [&'static str]),
    /// Integers with these names, as many as the data contain, divided by `scale`. More integers are reported as
    /// `further`.
    Scaled {
        /// Names in order.
        names: &'static [&'static str],
        /// Wire value of one unit.
        scale: u32,
    },
    /// Text up to a zero byte; empty at the end of the data.
    Text,
    /// Text up to a zero byte or the end of the data.
    TextToEnd,
    /// Text in four bytes of each of this many integers.
    IntText(usize),
    /// A number in decimal as text.
    DecimalText,
    /// All bytes up to the end.
    Rest,
    /// All bytes up to the end, which are only reported if there are any.
    Padding,
    /// An integer, then this many bytes.
    SizedBytes,
    /// This many bytes.
    Bytes(usize),
    /// An unsigned big-endian number of this many bytes.
    Unsigned(usize),
    /// 4 bytes, displayed as a hexadecimal number.
    Token,
    /// The 16 bytes of a UUID.
    Uuid,
    /// 16 bytes of an IPv6 or mapped IPv4 address and 2 bytes of a port, big-endian.
    Address,
    /// The fields of a structure, reported in the enclosing group.
    Inline(&'static Definition),
    /// A structure, reported as a group.
    Group(&'static Definition),
    /// The size in bytes of a list of integers, reported as `input_size`; then the fields of a structure; then the
    /// remaining integers of the list, reported as `further`.
    SizedInput(&'static Definition),
    /// A structure that a hand-written reader of the protocol reads, by its name. Its fields are reported in the
    /// enclosing group.
    Custom(&'static Definition),
    /// A list of this many values.
    Array(usize, Box<Self>),
    /// A list of values up to the end.
    List(Box<Self>),
    /// A value, absent at the end of the data.
    Optional(Box<Self>),
}

impl Shape {
    /// Returns the fields that a trace reports in place of the field, if it is composed of several.
    pub fn parts(&self) -> Option<&'static Definition> {
        match self {
            Self::Inline(parts) | Self::Group(parts) | Self::SizedInput(parts) | Self::Custom(parts) => {
                Some(parts)
            }
            Self::List(inner) | Self::Optional(inner) => inner.parts(),
            _ => None,
        }
    }
}
