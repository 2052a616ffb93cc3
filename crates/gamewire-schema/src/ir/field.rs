use super::wire_type::WireType;

/// One field of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in the definition.
    pub name: String,
    /// How one element is sent.
    pub wire: WireType,
    /// The type in the interface of the reference implementation, such as `int`, `bool` or
    /// `enum unit_activity`. On the wire only `bool` matters: see
    /// [`Packet::is_folded`](super::Packet::is_folded).
    pub c_type: String,
    /// The type as the definition writes it: an alias or a basic type; may be empty.
    pub type_name: String,
    /// The dimensions, the outermost first; none for a scalar. The size of a string or memory is
    /// part of its wire type and not among them.
    pub dims: Vec<Dim>,
    /// The flag `key`: remembered values are kept apart by it. Sent always, without a bit.
    pub key: bool,
    /// The flag `diff` and how it is sent; `None`: all elements in use are sent.
    pub diff: Option<ArrayDiff>,
    /// Sent only where all of these capabilities are active.
    pub add_caps: Vec<String>,
    /// Not sent where any of these capabilities is active.
    pub remove_caps: Vec<String>,
    /// What the definition says about it in `///` lines; may be empty.
    pub doc: String,
}

/// One dimension of an array. Its length is not on the wire, except with [`Count::Own`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// How many elements there are at most; exactly so many with [`Count::Fixed`].
    pub limit: u32,
    /// What says how many elements are sent.
    pub count: Count,
}

/// What says how many elements of a dimension are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// `[10]`: always all.
    Fixed,
    /// `[10:count]`: the value of the field with this index in the same packet. Where that field
    /// is not sent, the remembered value counts.
    Field(usize),
    /// `[*]`: an own uint16 before the elements.
    Own,
}

/// How the changed elements of an array are sent: pairs of index and element, then an end mark
/// in place of an index. A file of constants chooses it: `array-diff = "end-255"` or
/// `"end-length"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ArrayDiff {
    /// Freeciv 3.0 and 3.1: the index is one byte, the end mark is 255. One dimension only.
    #[default]
    End255,
    /// Freeciv 3.2 and later: the index is one byte up to a limit of 255 and two bytes above it,
    /// the end mark is the number of elements, and new elements of a grown array are always sent.
    /// Inner dimensions are sent likewise where all outer ones are fixed.
    EndLength,
}

impl ArrayDiff {
    /// How many bytes an index takes in an array of at most this many elements.
    #[must_use]
    pub fn index_bytes(self, limit: u32) -> usize {
        match self {
            Self::End255 => 1,
            Self::EndLength if limit <= 255 => 1,
            Self::EndLength => 2,
        }
    }

    /// The largest limit of an array that can be sent so.
    #[must_use]
    pub fn max_limit(self) -> u32 {
        match self {
            Self::End255 => 254,
            Self::EndLength => 65_535,
        }
    }
}

impl Field {
    /// A scalar without flags. The public type is `bool` for `bool8` and `bool32`, else empty.
    #[must_use]
    pub fn new(name: impl Into<String>, wire: WireType) -> Self {
        let public = if matches!(wire, WireType::Bool8 | WireType::Bool32) { "bool" } else { "" };
        Self {
            name: name.into(),
            wire,
            c_type: public.to_owned(),
            type_name: String::new(),
            dims: Vec::new(),
            key: false,
            diff: None,
            add_caps: Vec::new(),
            remove_caps: Vec::new(),
            doc: String::new(),
        }
    }

    /// Adds an inner dimension of exactly this many elements.
    #[must_use]
    pub fn array(mut self, limit: u32) -> Self {
        self.dims.push(Dim { limit, count: Count::Fixed });
        self
    }

    /// Adds an inner dimension of as many elements as the field with this index says.
    #[must_use]
    pub fn counted(mut self, limit: u32, count_field: usize) -> Self {
        self.dims.push(Dim { limit, count: Count::Field(count_field) });
        self
    }

    /// Adds an inner dimension with an own length on the wire.
    #[must_use]
    pub fn vector(mut self) -> Self {
        self.dims.push(Dim { limit: Dim::MAX_OWN, count: Count::Own });
        self
    }

    /// Makes it a key.
    #[must_use]
    pub fn key(mut self) -> Self {
        self.key = true;
        self
    }

    /// Sends its changes as array-diff.
    #[must_use]
    pub fn diff(mut self, form: ArrayDiff) -> Self {
        self.diff = Some(form);
        self
    }

    /// Sends it only with this capability.
    #[must_use]
    pub fn add_capability(mut self, capability: impl Into<String>) -> Self {
        self.add_caps.push(capability.into());
        self
    }

    /// Sends it only without this capability.
    #[must_use]
    pub fn remove_cap(mut self, capability: impl Into<String>) -> Self {
        self.remove_caps.push(capability.into());
        self
    }

    /// Whether an element is a truth value: 0 or 1 on the wire.
    #[must_use]
    pub fn is_bool(&self) -> bool {
        self.c_type == "bool"
    }

    /// Whether it is sent with the capabilities for which this says true.
    #[must_use]
    pub fn is_present(&self, is_active: impl Fn(&str) -> bool) -> bool {
        self.add_caps.iter().all(|capability| is_active(capability))
            && !self.remove_caps.iter().any(|capability| is_active(capability))
    }
}

impl Dim {
    /// The most elements of a dimension with [`Count::Own`].
    pub const MAX_OWN: u32 = 65_535;
}
