use std::sync::Arc;

use super::structure::Structure;
use super::wire_type::WireType;

/// One field of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Field {
    /// The name in the definition.
    pub name: String,
    /// Other names of the field, which are accepted in its place.
    pub aliases: Vec<String>,
    /// Wire type of one element.
    pub wire: WireType,
    /// The parts of an element if the wire type is [`WireType::Structure`].
    pub structure: Option<Arc<Structure>>,
    /// The C type in the reference implementation, such as `int`, `bool` or `enum unit_activity`. Only `bool` affects
    /// the wire; see [`Packet::is_folded`](super::Packet::is_folded).
    pub c_type: String,
    /// The type name in the definition: an alias or a basic type. It may be empty.
    pub type_name: String,
    /// The dimensions, outermost first; empty for a scalar. The size of a string or memory is not a dimension, but part
    /// of the wire type.
    pub dims: Vec<Dim>,
    /// The flag `key`: each value has a separate baseline. A key is always sent, without a bit.
    pub key: bool,
    /// The flag `diff` with its encoding; `None` if all elements in use are sent.
    pub diff: Option<ArrayDiff>,
    /// Sent only if all of these capabilities are active.
    pub add_caps: Vec<String>,
    /// Not sent if any of these capabilities is active.
    pub remove_caps: Vec<String>,
    /// Text of the `///` lines before the field. It may be empty.
    pub doc: String,
}

/// One dimension of an array. Its length is only on the wire with [`Count::Own`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// Maximum number of elements, or the exact number with [`Count::Fixed`].
    pub limit: u32,
    /// Source of the number of elements that are sent.
    pub count: Count,
}

/// Source of the number of elements of a dimension that are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// `[10]`: all elements are always sent.
    Fixed,
    /// `[10:count]`: the value of the field with this index in the same packet. If that field is not sent, its value in
    /// the baseline is used.
    Field(usize),
    /// `[*]`: a uint16 before the elements.
    Own,
}

/// The encoding of changed elements of an array: pairs of an index and an element, followed by an end mark in place of
/// an index. The constants file selects it with `array-diff = "end-255"` or `"end-length"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "compiler",
    derive(serde::Deserialize, serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum ArrayDiff {
    /// Freeciv 3.0 and 3.1: the index has one byte, and the end mark is 255. Only for arrays of one dimension.
    #[default]
    #[cfg_attr(feature = "compiler", serde(rename = "end-255"))]
    End255,
    /// Freeciv 3.2 and later: the index has one byte up to a limit of 255 and two bytes above it. The end mark is the
    /// number of elements. New elements of an array that has grown are always sent. Inner dimensions are sent in the
    /// same way if all outer dimensions are fixed.
    EndLength,
}

impl ArrayDiff {
    /// Returns the number of bytes of an index in an array of at most `limit` elements.
    #[must_use]
    #[inline]
    pub fn index_bytes(self, limit: u32) -> usize {
        match self {
            Self::End255 => 1,
            Self::EndLength if limit <= 255 => 1,
            Self::EndLength => 2,
        }
    }

    /// Returns the index that ends the changes of an array of `length` elements.
    #[must_use]
    #[inline]
    pub const fn end_mark(self, length: usize) -> usize {
        match self {
            Self::End255 => 255,
            Self::EndLength => length,
        }
    }

    /// Returns the maximum limit of an array that can be sent in this form.
    #[must_use]
    #[inline]
    pub fn max_limit(self) -> u32 {
        match self {
            Self::End255 => 254,
            Self::EndLength => 65_535,
        }
    }
}

impl Field {
    /// Creates a scalar without flags. The C type is `bool` for `bool8` and `bool32`, and otherwise empty.
    pub fn new(name: impl Into<String>, wire: WireType) -> Self {
        let c_type = if matches!(wire, WireType::Bool8 | WireType::Bool32) { "bool" } else { "" };
        Self {
            name: name.into(),
            aliases: Vec::new(),
            wire,
            structure: None,
            c_type: c_type.to_owned(),
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
    pub fn array(mut self, limit: u32) -> Self {
        self.dims.push(Dim { limit, count: Count::Fixed });
        self
    }

    /// Adds an inner dimension. The value of the field with this index is its number of elements.
    pub fn counted(mut self, limit: u32, count_field: usize) -> Self {
        self.dims.push(Dim { limit, count: Count::Field(count_field) });
        self
    }

    /// Adds an inner dimension with a length prefix.
    pub fn vector(mut self) -> Self {
        self.dims.push(Dim { limit: Dim::MAX_OWN, count: Count::Own });
        self
    }

    /// Adds another name.
    pub fn alias(mut self, name: impl Into<String>) -> Self {
        self.aliases.push(name.into());
        self
    }

    /// Marks the field as a key.
    pub fn key(mut self) -> Self {
        self.key = true;
        self
    }

    /// Marks the field to be sent as array-diff in this form.
    pub fn diff(mut self, form: ArrayDiff) -> Self {
        self.diff = Some(form);
        self
    }

    /// Restricts the field to connections with this capability.
    pub fn add_capability(mut self, capability: impl Into<String>) -> Self {
        self.add_caps.push(capability.into());
        self
    }

    /// Restricts the field to connections without this capability.
    pub fn remove_capability(mut self, capability: impl Into<String>) -> Self {
        self.remove_caps.push(capability.into());
        self
    }

    /// Returns whether the elements are booleans, which are 0 or 1 on the wire.
    #[inline]
    pub fn is_bool(&self) -> bool {
        self.c_type == "bool"
    }

    /// Returns the name without the width that distinguishes two forms of a field. If capabilities select between
    /// `id16` and `id32`, the name is `id`.
    pub fn base_name(&self) -> &str {
        if self.add_caps.is_empty() && self.remove_caps.is_empty() {
            return &self.name;
        }
        let base = self.name.strip_suffix("16").or_else(|| self.name.strip_suffix("32"));
        base.map_or(&self.name, |base| base.strip_suffix('_').unwrap_or(base))
    }

    /// Returns whether this is the name of the field, its name without a width, or one of its aliases.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.base_name() == name || self.has_alias(name)
    }

    /// Returns whether this is one of the aliases of the field.
    pub fn has_alias(&self, name: &str) -> bool {
        self.aliases.iter().any(|alias| alias == name)
    }

    /// Returns whether no variant has both fields, because one needs a capability that removes the other.
    pub fn is_exclusive(&self, other: &Self) -> bool {
        let meet = |added: &[String], removed: &[String]| added.iter().any(|name| removed.contains(name));
        meet(&self.add_caps, &other.remove_caps) || meet(&other.add_caps, &self.remove_caps)
    }

    /// Returns whether the field is sent if `is_active` returns true for the active capabilities.
    pub fn is_present(&self, is_active: impl Fn(&str) -> bool) -> bool {
        self.add_caps.iter().all(|capability| is_active(capability))
            && !self.remove_caps.iter().any(|capability| is_active(capability))
    }
}

impl Dim {
    /// Maximum number of elements of a dimension with [`Count::Own`].
    pub const MAX_OWN: u32 = 65_535;
}
