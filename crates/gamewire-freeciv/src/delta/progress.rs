//! The position in a packet, and reports to a trace.

use core::ops::Range;

use gamewire_schema::ir::Packet;
use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value as TraceValue};

use super::element::{Element, StructField};
use super::error::{DeltaError, DeltaErrorKind, FieldContext};
use super::number::found;
use super::packet_layout::{FieldLayout, PacketLayout, is_set};
use super::value::Value;

/// The current field, the field before it, and the trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldCursor<T = ()> {
    pub(super) trace: T,
    /// Offset of the body in the trace's source.
    pub(super) base: usize,
    now: Option<FieldPosition>,
    before: Option<FieldPosition>,
    /// The current element of an array.
    pub(crate) element: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct FieldPosition {
    field: usize,
    start: usize,
}

impl<T: Trace> FieldCursor<T> {
    /// Creates a cursor at the start of a body.
    pub(super) const fn new(trace: T, base: usize) -> Self {
        Self { trace, base, now: None, before: None, element: None }
    }

    /// Reports a value that was read from a range of the body.
    #[inline]
    pub(super) fn trace_value(&mut self, name: &str, kind: &Element, range: Range<usize>, value: &Value) {
        if self.trace.wants_details() {
            let range = self.base.saturating_add(range.start)..self.base.saturating_add(range.end);
            trace_element(&mut self.trace, name, kind, range, value);
        }
    }

    /// Enters an array or its changes.
    #[inline]
    pub(super) fn enter(&mut self, layer: Layer, name: &str, start: usize) {
        if self.trace.wants_details() {
            let start = self.base.saturating_add(start);
            self.trace.enter(layer, name, Span::bytes(start, start));
        }
    }

    /// Exits an array.
    #[inline]
    pub(super) fn exit(&mut self) {
        if self.trace.wants_details() {
            self.trace.exit();
        }
    }

    /// Moves to a field that starts at offset `start` of the body.
    pub(super) fn begin(&mut self, step: &FieldLayout, start: usize) {
        self.begin_at(step.field, start);
    }

    /// Moves to the field with this index, which starts at offset `start` of the body.
    #[inline]
    pub(crate) fn begin_at(&mut self, field: usize, start: usize) {
        self.before = self.now;
        self.now = Some(FieldPosition { field, start });
        self.element = None;
    }

    /// Creates an error for the current field.
    #[cold]
    pub(crate) fn error(
        &self,
        packet: &Packet,
        plan: &PacketLayout,
        bits: &[u8],
        kind: DeltaErrorKind,
        previous: Option<&str>,
    ) -> Box<DeltaError> {
        let name =
            |field: usize| packet.fields.get(field).map(|field| field.name.clone()).unwrap_or_default();
        let field = self.now.map(|now| FieldContext {
            name: name(now.field),
            bit: plan.steps.iter().find(|step| step.field == now.field).and_then(|step| step.bit),
            element: self.element,
            before: self.before.map(|at| (name(at.field), at.start)),
            after: next(plan, now.field, bits).map(name),
        });
        let previous = previous.map(str::to_owned);
        Box::new(DeltaError { number: packet.number, packet: packet.name.clone(), field, kind, previous })
    }
}

/// Returns the next field after `field` that has bytes in the body.
fn next(plan: &PacketLayout, field: usize, bits: &[u8]) -> Option<usize> {
    let order = plan.keys.iter().chain(&plan.steps);
    let mut later = order.skip_while(|step| step.field != field).skip(1);
    later.find(|step| is_on_wire(step, bits)).map(|step| step.field)
}

/// Returns whether a field has bytes in the body.
fn is_on_wire(step: &FieldLayout, bits: &[u8]) -> bool {
    !step.is_folded && step.bit.is_none_or(|bit| is_set(bits, bit))
}

/// Reports the bitvector of a packet and its set bits. Each bit has a bit span, counted from the least significant
/// bit of its byte.
pub(super) fn trace_bits<T: Trace>(trace: &mut T, plan: &PacketLayout, bits: &[u8], base: usize) {
    if bits.is_empty() {
        return;
    }
    trace.field("bits", Span::bytes(base, base.saturating_add(bits.len())), TraceValue::Bytes(bits));
    trace.enter(Layer::List, "set", Span::bytes(base, base));
    for bit in (0..plan.bits).filter(|bit| is_set(bits, *bit)) {
        trace.field("", bit_span(bit, base), whole(bit));
    }
    trace.exit();
}

/// Reports a boolean that is sent as its bit.
pub(super) fn trace_folded<T: Trace>(trace: &mut T, name: &str, bit: usize, is_set: bool, base: usize) {
    trace.field(name, bit_span(bit, base), TraceValue::Bool(is_set));
}

fn bit_span(bit: usize, base: usize) -> Span {
    let first = u32::try_from(bit % 8).unwrap_or(0);
    Span::bits(base.saturating_add(bit / 8), first, 1)
}

fn whole(number: usize) -> TraceValue<'static> {
    TraceValue::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Reports the value of a field, or of one of its elements. `range` is empty if it has no bytes in the source.
pub(super) fn trace_element<T: Trace>(
    trace: &mut T,
    name: &str,
    kind: &Element,
    range: Range<usize>,
    value: &Value,
) {
    let span = Span::bytes(range.start, range.end);
    match (kind, value) {
        (Element::Parts(parts), Value::Parts(values)) => {
            trace_structure(trace, name, parts, values, range);
        }
        (Element::Counted(parts), Value::Parts(values)) => {
            trace.enter(Layer::List, name, span);
            let is_here = !range.is_empty();
            // Skip the byte that counts the structures.
            let mut start = range.start.saturating_add(usize::from(is_here));
            let size = if is_here { parts.iter().map(|part| part.number.bytes()).sum() } else { 0 };
            for values in values.chunks(parts.len().max(1)) {
                let end = start.saturating_add(size);
                match (&**parts, values) {
                    ([_], [value]) => trace.field("", Span::bytes(start, end), TraceValue::Int(*value)),
                    _ => trace_structure(trace, "", parts, values, start..end),
                }
                start = end;
            }
            trace.exit();
        }
        (Element::Ended(..), Value::Parts(values)) => {
            trace.enter(Layer::List, name, span);
            // Each element has one byte.
            let is_here = usize::from(!range.is_empty());
            for (index, value) in values.iter().enumerate() {
                let start = range.start.saturating_add(index.saturating_mul(is_here));
                let span = Span::bytes(start, start.saturating_add(is_here));
                trace.field("", span, TraceValue::Int(*value));
            }
            trace.exit();
        }
        (Element::Scaled(_, scale), Value::Scaled(raw)) => {
            trace.field(name, span, TraceValue::Decimal { raw: *raw, scale: *scale });
        }
        (_, Value::Bool(value)) => trace.field(name, span, TraceValue::Bool(*value)),
        (_, Value::Int(value) | Value::Scaled(value)) => trace.field(name, span, TraceValue::Int(*value)),
        (_, Value::Text(text)) => trace.field(name, span, TraceValue::Text(text)),
        (_, Value::Bytes(bytes)) => trace.field(name, span, TraceValue::Bytes(bytes)),
        (_, Value::List(elements)) => {
            trace.enter(Layer::List, name, span);
            elements.iter().for_each(|value| trace_element(trace, "", kind, range.clone(), value));
            trace.exit();
        }
        (_, Value::Absent | Value::Parts(_)) => {}
    }
}

fn trace_structure<T: Trace>(
    trace: &mut T,
    name: &str,
    parts: &[StructField],
    values: &[i64],
    range: Range<usize>,
) {
    let mut start = range.start;
    trace.enter(Layer::Group, name, Span::bytes(range.start, range.end));
    for (part, value) in parts.iter().zip(values) {
        let size = if !range.is_empty() { part.number.bytes() } else { 0 };
        let end = start.saturating_add(size);
        let value =
            if part.number.is_bool() { TraceValue::Bool(*value != 0) } else { TraceValue::Int(*value) };
        trace.field(&part.name, Span::bytes(start, end), value);
        start = end;
    }
    trace.exit();
}

/// Reports the fields that were not sent, with their values in the baseline, at the empty span `base`.
pub(super) fn trace_baseline<T: Trace>(
    trace: &mut T,
    plan: &PacketLayout,
    bits: &[u8],
    values: &[Value],
    base: usize,
) {
    let is_unsent = |step: &&FieldLayout| !step.is_folded && step.bit.is_some_and(|bit| !is_set(bits, bit));
    if !plan.steps.iter().any(|step| is_unsent(&step)) {
        return;
    }
    trace.enter(Layer::Baseline, "as_before", Span::bytes(base, base));
    for step in plan.steps.iter().filter(is_unsent) {
        if let Some(value) = values.get(step.field) {
            trace_element(trace, &step.name, &step.element, base..base, value);
        }
    }
    trace.exit();
}

/// Reports the error of the current packet.
#[cold]
pub(super) fn trace_error<T: Trace>(trace: &mut T, error: &DeltaError, base: usize) {
    let number = Found::Value(error.number.into());
    let of_packet = |expected, found| CodecError::new(0, expected, found);
    let mut short = match error.kind {
        DeltaErrorKind::Codec(error) => error,
        DeltaErrorKind::Unknown => of_packet("a packet type of the definition", number),
        DeltaErrorKind::Direction => of_packet("a packet type of this direction", number),
        DeltaErrorKind::Variant => of_packet("no packet type that depends on capabilities yet", number),
        DeltaErrorKind::Baselines { limit: max } => of_packet("no more baselines", found(max)),
        DeltaErrorKind::Memory { limit: max } => of_packet("no more bytes of baselines", found(max)),
    };
    short.offset = short.offset.saturating_add(base);
    trace.error_with_context(&short.in_packet("freeciv"), error);
}
