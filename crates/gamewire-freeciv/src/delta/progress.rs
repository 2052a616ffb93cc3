//! How far a packet has been read or written, for the error that may come.

use gamewire_schema::ir::Packet;
use gamewire_wire::{Layer, Span, Trace};

use super::element::Element;
use super::error::{DeltaError, DeltaErrorKind, FieldContext};
use super::plan::{FieldLayout, PacketLayout};
use super::tell;
use super::value::Value;

/// The field at hand and the one before it, and who is told of what was read.
#[derive(Debug, Default)]
pub(super) struct FieldCursor<T = ()> {
    pub(super) trace: T,
    /// Where the body begins in the source that the trace knows.
    pub(super) base: usize,
    now: Option<FieldPosition>,
    before: Option<FieldPosition>,
    /// The element of the field at hand.
    pub(super) element: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct FieldPosition {
    field: usize,
    bit: Option<usize>,
    start: usize,
}

impl<T: Trace> FieldCursor<T> {
    /// At the start of a body.
    pub(super) const fn new(trace: T, base: usize) -> Self {
        Self { trace, base, now: None, before: None, element: None }
    }

    /// A value was read, from a byte of the body up to another.
    #[inline]
    pub(super) fn trace_value(
        &mut self,
        name: &str,
        kind: Element,
        (start, end): (usize, usize),
        value: &Value,
    ) {
        if self.trace.wants_details() {
            let range = (self.base.saturating_add(start), self.base.saturating_add(end));
            tell::element(&mut self.trace, name, kind, range, value);
        }
    }

    /// An array or its changes begin.
    #[inline]
    pub(super) fn enter(&mut self, layer: Layer, name: &str, start: usize) {
        if self.trace.wants_details() {
            let start = self.base.saturating_add(start);
            self.trace.enter(layer, name, Span::bytes(start, start));
        }
    }

    /// An array ends.
    #[inline]
    pub(super) fn leave(&mut self) {
        if self.trace.wants_details() {
            self.trace.exit();
        }
    }

    /// A field begins at a byte of the body.
    pub(super) fn begin(&mut self, step: &FieldLayout, start: usize) {
        self.before = self.now;
        self.now = Some(FieldPosition { field: step.field, bit: step.bit, start });
        self.element = None;
    }

    /// What went wrong, with everything around it.
    #[cold]
    pub(super) fn error(
        &self,
        (packet, plan): (&Packet, &PacketLayout),
        bits: &[u8],
        fault: DeltaErrorKind,
        previous: Option<&str>,
    ) -> Box<DeltaError> {
        let name =
            |field: usize| packet.fields.get(field).map(|field| field.name.clone()).unwrap_or_default();
        let field = self.now.map(|now| FieldContext {
            name: name(now.field),
            bit: now.bit,
            element: self.element,
            before: self.before.map(|at| (name(at.field), at.start)),
            after: next(plan, now.field, bits).map(name),
        });
        let previous = previous.map(str::to_owned);
        Box::new(DeltaError { number: packet.number, packet: packet.name.clone(), field, fault, previous })
    }
}

/// The field behind this one that is on the wire.
fn next(plan: &PacketLayout, field: usize, bits: &[u8]) -> Option<usize> {
    let order = plan.keys.iter().chain(&plan.steps);
    let mut behind = order.skip_while(|step| step.field != field).skip(1);
    behind.find(|step| is_on_wire(step, bits)).map(|step| step.field)
}

/// Whether something of a field is in the body.
fn is_on_wire(step: &FieldLayout, bits: &[u8]) -> bool {
    !step.is_folded && step.bit.is_none_or(|bit| is_set(bits, bit))
}

/// Whether a bit of a bitvector is set, the lowest bit of the first byte being the first.
#[inline]
pub(super) fn is_set(bits: &[u8], bit: usize) -> bool {
    bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
}
