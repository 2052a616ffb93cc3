//! Fields in the words of a trace.

use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value as Told};

use super::element::Element;
use super::error::{DeltaError, DeltaErrorKind};
use super::plan::{FieldLayout, PacketLayout};
use super::progress::is_set;
use super::structure::StructField;
use super::value::Value;

/// The bytes that something takes, from the one up to the other.
pub(super) type Range = (usize, usize);

/// Tells the bits of a packet, and which of them are set. Each has the place of its bit, counted
/// from the least significant one of its byte.
pub(super) fn bits<T: Trace>(trace: &mut T, plan: &PacketLayout, bits: &[u8], base: usize) {
    if bits.is_empty() {
        return;
    }
    trace.field("bits", Span::bytes(base, base.saturating_add(bits.len())), Told::Bytes(bits));
    trace.enter(Layer::List, "set", Span::bytes(base, base));
    for bit in (0..plan.bits).filter(|bit| is_set(bits, *bit)) {
        trace.field("", bit_span(bit, base), whole(bit));
    }
    trace.exit();
}

/// Tells a truth value that is a bit.
pub(super) fn folded<T: Trace>(trace: &mut T, name: &str, bit: usize, is_set: bool, base: usize) {
    trace.field(name, bit_span(bit, base), Told::Bool(is_set));
}

fn bit_span(bit: usize, base: usize) -> Span {
    let first = u32::try_from(bit % 8).unwrap_or(0);
    Span::bits(base.saturating_add(bit / 8), first, 1)
}

fn whole(number: usize) -> Told<'static> {
    Told::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Tells a value of a field that is no array, or one element of it. `range` is empty for what is
/// not in the bytes at hand.
pub(super) fn element<T: Trace>(trace: &mut T, name: &str, kind: Element, range: Range, value: &Value) {
    let span = Span::bytes(range.0, range.1);
    match (kind, value) {
        (Element::Parts(parts), Value::Parts(values)) => {
            structure(trace, name, parts, (values, range));
        }
        (Element::Counted(parts), Value::Parts(values)) => {
            trace.enter(Layer::List, name, span);
            let is_here = range.0 < range.1;
            // Behind the byte that counts them.
            let mut start = range.0.saturating_add(usize::from(is_here));
            let size = if is_here { parts.iter().map(|part| part.number.bytes()).sum() } else { 0 };
            for values in values.chunks(parts.len().max(1)) {
                let end = start.saturating_add(size);
                match (parts, values) {
                    ([_], [value]) => trace.field("", Span::bytes(start, end), Told::Int(*value)),
                    _ => structure(trace, "", parts, (values, (start, end))),
                }
                start = end;
            }
            trace.exit();
        }
        (Element::Scaled(_, scale), Value::Scaled(raw)) => {
            trace.field(name, span, Told::Decimal { raw: *raw, scale });
        }
        (_, Value::Bool(value)) => trace.field(name, span, Told::Bool(*value)),
        (_, Value::Int(value) | Value::Scaled(value)) => trace.field(name, span, Told::Int(*value)),
        (_, Value::Text(text)) => trace.field(name, span, Told::Text(text)),
        (_, Value::Bytes(bytes)) => trace.field(name, span, Told::Bytes(bytes)),
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
        let value = if part.number.is_bool() { Told::Bool(*value != 0) } else { Told::Int(*value) };
        trace.field(part.name, Span::bytes(start, end), value);
        start = end;
    }
    trace.exit();
}

/// Tells the fields that were not sent, with the values that they have kept, as nothing at `base`.
pub(super) fn remembered<T: Trace>(
    trace: &mut T,
    plan: &PacketLayout,
    bits: &[u8],
    values: &[Value],
    base: usize,
) {
    let kept = |step: &&FieldLayout| !step.is_folded && step.bit.is_some_and(|bit| !is_set(bits, bit));
    if !plan.steps.iter().any(|step| kept(&step)) {
        return;
    }
    trace.enter(Layer::Baseline, "as_before", Span::bytes(base, base));
    for step in plan.steps.iter().filter(kept) {
        if let Some(value) = values.get(step.field) {
            element(trace, &step.name, step.element, (base, base), value);
        }
    }
    trace.exit();
}

/// Tells what went wrong in the packet at hand.
#[cold]
pub(super) fn error<T: Trace>(trace: &mut T, error: &DeltaError, base: usize) {
    let number = Found::Value(error.number.into());
    let of_packet = |expected, found| CodecError::new(0, expected, found);
    let limit = |limit: usize| Found::Value(i64::try_from(limit).unwrap_or(i64::MAX));
    let mut short = match error.fault {
        DeltaErrorKind::Codec(error) => error,
        DeltaErrorKind::Unknown => of_packet("a type of the definition", number),
        DeltaErrorKind::Direction => of_packet("a type that this side sends", number),
        DeltaErrorKind::Variant => of_packet("no type that depends on capabilities yet", number),
        DeltaErrorKind::Baselines { limit: most } => of_packet("no more packets to remember", limit(most)),
        DeltaErrorKind::Memory { limit: most } => of_packet("no more bytes to remember", limit(most)),
    };
    short.offset = short.offset.saturating_add(base);
    trace.error_with_context(&short.in_packet("freeciv"), error);
}
