//! The layout of a packet type with the capabilities of one connection.

use core::mem::size_of;

use gamewire_schema::ir::{ArrayDiff, CapabilityMask, Count, Dim, Packet, WireType};
use thiserror::Error;

use super::element::Element;
use super::value::Value;

/// Maximum number of keys. No packet of any version has more than one.
pub(crate) const MAX_KEYS: usize = 4;
/// Maximum number of dimensions of an array.
const MAX_DIMS: usize = 4;
/// Maximum bytes of a packet's default values. Fixed arrays count with all their elements.
const MAX_WEIGHT: usize = 1 << 20;

/// The values of a packet's keys.
pub(super) type Key = [i64; MAX_KEYS];

/// The error for a packet that the interpreter does not support.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{packet}: {what}")]
pub struct UnsupportedPacket {
    /// Name of the packet.
    pub packet: String,
    /// The unsupported feature.
    pub what: &'static str,
}

#[derive(Debug)]
pub(crate) struct PacketLayout {
    /// Index in the protocol.
    pub(super) packet: usize,
    /// Name in traces.
    pub(super) label: String,
    pub(super) is_delta: bool,
    /// Bytes of the bitvector.
    pub(super) bitvector: usize,
    /// Number of bits that belong to a field.
    pub(super) bits: usize,
    pub(super) keys: Vec<FieldLayout>,
    pub(super) steps: Vec<FieldLayout>,
    /// The first field that is sent. Its value is the key of the packets that this packet cancels.
    first: Option<usize>,
    /// Default values of all fields.
    pub(super) zero: Vec<Value>,
    /// Approximate bytes of `zero`.
    pub(super) weight: usize,
}

/// The layout of one field.
#[derive(Debug)]
pub(super) struct FieldLayout {
    /// Index in the packet.
    pub(super) field: usize,
    pub(super) name: Box<str>,
    pub(super) bit: Option<usize>,
    /// True if the bit is the value of the field.
    pub(super) is_folded: bool,
    pub(super) element: Element,
    /// The dimensions, outermost first.
    pub(super) dims: Vec<Dim>,
    pub(super) diff: Option<ArrayDiff>,
    /// True if the memory for the value can grow or shrink.
    pub(super) is_variable_size: bool,
    /// True if the sender stores a floating-point number.
    pub(super) is_float: bool,
}

impl PacketLayout {
    pub(crate) fn new(packet: &Packet, at: usize, mask: CapabilityMask) -> Result<Self, UnsupportedPacket> {
        let unsupported = |what| UnsupportedPacket { packet: packet.name.clone(), what };
        let variant = packet.variant(mask);
        let is_delta = packet.is_delta();
        let (mut keys, mut steps) = (Vec::new(), Vec::new());
        let mut zero = vec![Value::Absent; packet.fields.len()];
        let mut weight = zero.len().saturating_mul(size_of::<Value>());
        for &index in variant.present() {
            let Some(field) = packet.fields.get(index) else { continue };
            let is_key = is_delta && field.key;
            let step = FieldLayout {
                field: index,
                name: field.name.as_str().into(),
                bit: (is_delta && !is_key).then_some(steps.len()),
                is_folded: packet.is_folded(field),
                element: Element::of(field),
                dims: field.dims.clone(),
                diff: field.diff.filter(|_| is_delta),
                is_variable_size: field.wire.fixed_bytes().is_none() || !field.dims.is_empty(),
                is_float: matches!(field.wire, WireType::Ufloat { .. } | WireType::Sfloat { .. }),
            };
            if is_key && !(field.wire.is_integer() && step.dims.is_empty()) {
                return Err(unsupported("a key that is not an integer"));
            }
            if field.wire == WireType::Memory && step.dims.len() != 1 {
                return Err(unsupported("memory with other than one dimension"));
            }
            if step.dims.len() > MAX_DIMS {
                return Err(unsupported("more than four dimensions"));
            }
            if let (Some(diff), Some(dim)) = (step.diff, step.dims.first())
                && dim.limit > diff.max_limit()
            {
                return Err(unsupported("an array too large for its array-diff"));
            }
            let left = MAX_WEIGHT.saturating_sub(weight);
            let value = step.zero(left).ok_or_else(|| unsupported("arrays of more than a megabyte"))?;
            let value = if step.is_folded { Value::Bool(false) } else { value };
            weight = weight.saturating_add(value.heap());
            if let Some(place) = zero.get_mut(index) {
                *place = value;
            }
            if is_key { keys.push(step) } else { steps.push(step) }
        }
        if keys.len() > MAX_KEYS {
            return Err(unsupported("more than four keys"));
        }
        let bits = if is_delta { steps.len() } else { 0 };
        Ok(Self {
            packet: at,
            label: label(&packet.name),
            is_delta,
            bitvector: variant.bitvector_bytes(),
            bits,
            keys,
            steps,
            first: variant.present().first().copied(),
            zero,
            weight,
        })
    }

    /// Returns the value of the first field that is sent, as a number.
    pub(super) fn first(&self, values: &[Value]) -> Option<i64> {
        self.first.and_then(|field| values.get(field)).and_then(Value::as_int)
    }
}

impl FieldLayout {
    /// Returns the default value; `None` if it takes more than `max` bytes.
    fn zero(&self, max: usize) -> Option<Value> {
        if matches!(self.element, Element::Memory) {
            let count = self.dims.first().map_or(0, fixed);
            return (count <= max).then(|| Value::Bytes(vec![0; count]));
        }
        let mut value = self.element.zero();
        for dim in self.dims.iter().rev() {
            let each = value.heap().saturating_add(size_of::<Value>());
            if fixed(dim).saturating_mul(each) > max {
                return None;
            }
            value = Value::List(vec![value; fixed(dim)]);
        }
        (value.heap() <= max).then_some(value)
    }

    /// Returns the default value of an element of an outer dimension. `inner` are the inner dimensions.
    pub(super) fn zero_of(&self, inner: &[Dim]) -> Value {
        inner.iter().rev().fold(self.element.zero(), |value, dim| Value::List(vec![value; fixed(dim)]))
    }
}

/// Returns the name of a packet in traces: `city_info` for `PACKET_CITY_INFO`.
pub fn label(name: &str) -> String {
    name.strip_prefix("PACKET_").unwrap_or(name).to_ascii_lowercase()
}

/// Returns the default number of elements of a dimension.
fn fixed(dim: &Dim) -> usize {
    match dim.count {
        Count::Fixed => usize::try_from(dim.limit).unwrap_or(usize::MAX),
        Count::Field(_) | Count::Own => 0,
    }
}

/// Returns whether a bit is set. The lowest bit of the first byte is bit 0.
#[inline]
pub(super) fn is_set(bits: &[u8], bit: usize) -> bool {
    bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
}
