//! Reports fields to a trace.

use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value as TraceValue};

use super::element::Element;
use super::error::{DeltaError, DeltaErrorKind};
use super::packet_layout::{FieldLayout, PacketLayout, is_set};
use super::structure::StructField;
use super::value::Value;

/// A range of bytes: start and end.
pub(super) type Range = (usize, usize);

/// Reports the bitvector of a packet and its set bits. Each bit has a bit span, counted from the least significant
/// bit of its byte.
pub(super) fn bits<T: Trace>(trace: &mut T, plan: &PacketLayout, bits: &[u8], base: usize) {
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

/// Reports a boolean that is a bit.
pub(super) fn folded<T: Trace>(trace: &mut T, name: &str, bit: usize, is_set: bool, base: usize) {
    trace.field(name, bit_span(bit, base), TraceValue::Bool(is_set));
}

fn bit_span(bit: usize, base: usize) -> Span {
    let first = u32::try_from(bit % 8).unwrap_or(0);
    Span::bits(base.saturating_add(bit / 8), first, 1)
}

fn whole(number: usize) -> TraceValue<'static> {
    TraceValue::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Reports the value of a field, or of one element of it. `range` is empty if it has no bytes in the source.
pub(super) fn element<T: Trace>(trace: &mut T, name: &str, kind: Element, range: Range, value: &Value) {
    let span = Span::bytes(range.0, range.1);
    match (kind, value) {
        (Element::Parts(parts), Value::Parts(values)) => {
            structure(trace, name, parts, (values, range));
        }
        (Element::Counted(parts), Value::Parts(values)) => {
            trace.enter(Layer::List, name, span);
            let is_here = range.0 < range.1;
            // Skip the byte that counts the structures.
            let mut start = range.0.saturating_add(usize::from(is_here));
            let size = if is_here { parts.iter().map(|part| part.number.bytes()).sum() } else { 0 };
            for values in values.chunks(parts.len().max(1)) {
                let end = start.saturating_add(size);
                match (parts, values) {
                    ([_], [value]) => trace.field("", Span::bytes(start, end), TraceValue::Int(*value)),
                    _ => structure(trace, "", parts, (values, (start, end))),
                }
                start = end;
            }
            trace.exit();
        }
        (Element::Scaled(_, scale), Value::Scaled(raw)) => {
            trace.field(name, span, TraceValue::Decimal { raw: *raw, scale });
        }
        (_, Value::Bool(value)) => trace.field(name, span, TraceValue::Bool(*value)),
        (_, Value::Int(value) | Value::Scaled(value)) => trace.field(name, span, TraceValue::Int(*value)),
        (_, Value::Text(text)) => trace.field(name, span, TraceValue::Text(text)),
        (_, Value::Bytes(bytes)) => trace.field(name, span, TraceValue::Bytes(bytes)),
        (_, Value::List(elements)) => {
            trace.enter(Layer::List, name, span);
            elements.iter().for_each(|value| element(trace, "", kind, range, value));
            trace.exit();
        }
        (_, Value::Absent | Value::Parts(_)) => {}
    }
}

fn structure<T: Trace>(trace: &mut T, name: &str, parts: &[StructField], (values, range): (&[i64], Range)) {
    let mut start = range.0;
    trace.enter(Layer::Group, name, Span::bytes(range.0, range.1));
    for (part, value) in parts.iter().zip(values) {
        let size = if range.0 < range.1 { part.number.bytes() } else { 0 };
        let end = start.saturating_add(size);
        let value =
            if part.number.is_bool() { TraceValue::Bool(*value != 0) } else { TraceValue::Int(*value) };
        trace.field(part.name, Span::bytes(start, end), value);
        start = end;
    }
    trace.exit();
}

/// Reports the fields that were not sent, with their values in the baseline, at the empty span `base`.
pub(super) fn baseline<T: Trace>(
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
            element(trace, &step.name, step.element, (base, base), value);
        }
    }
    trace.exit();
}

/// Reports the error of the current packet.
#[cold]
pub(super) fn error<T: Trace>(trace: &mut T, error: &DeltaError, base: usize) {
    let number = Found::Value(error.number.into());
    let of_packet = |expected, found| CodecError::new(0, expected, found);
    let limit = |limit: usize| Found::Value(i64::try_from(limit).unwrap_or(i64::MAX));
    let mut short = match error.kind {
        DeltaErrorKind::Codec(error) => error,
        DeltaErrorKind::Unknown => of_packet("a packet type of the definition", number),
        DeltaErrorKind::Direction => of_packet("a packet type of this direction", number),
        DeltaErrorKind::Variant => of_packet("no packet type that depends on capabilities yet", number),
        DeltaErrorKind::Baselines { limit: max } => of_packet("no more baselines", limit(max)),
        DeltaErrorKind::Memory { limit: max } => of_packet("no more bytes of baselines", limit(max)),
    };
    short.offset = short.offset.saturating_add(base);
    trace.error_with_context(&short.in_packet("freeciv"), error);
}
