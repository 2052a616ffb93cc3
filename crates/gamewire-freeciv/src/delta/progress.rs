//! The position in a packet, for errors and traces.

use gamewire_schema::ir::Packet;
use gamewire_wire::{Layer, Span, Trace};

use super::element::Element;
use super::error::{DeltaError, DeltaErrorKind, FieldContext};
use super::packet_layout::{FieldLayout, PacketLayout, is_set};
use super::trace;
use super::value::Value;

/// The current field and the one before it, and the trace.
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
    bit: Option<usize>,
    start: usize,
}

impl<T: Trace> FieldCursor<T> {
    /// Creates a cursor at the start of a body.
    pub(super) const fn new(trace: T, base: usize) -> Self {
        Self { trace, base, now: None, before: None, element: None }
    }

    /// Reports a value that was read from a range of the body.
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
            trace::element(&mut self.trace, name, kind, range, value);
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

    /// Moves to a field that starts at a byte of the body.
    pub(super) fn begin(&mut self, step: &FieldLayout, start: usize) {
        self.begin_at(step.field, step.bit, start);
    }

    /// Moves to the field with this index and bit, which starts at a byte of the body.
    #[inline]
    pub(crate) fn begin_at(&mut self, field: usize, bit: Option<usize>, start: usize) {
        self.before = self.now;
        self.now = Some(FieldPosition { field, bit, start });
        self.element = None;
    }

    /// Creates the error of the current field.
    #[cold]
    pub(crate) fn error(
        &self,
        (packet, plan): (&Packet, &PacketLayout),
        bits: &[u8],
        kind: DeltaErrorKind,
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
        Box::new(DeltaError { number: packet.number, packet: packet.name.clone(), field, kind, previous })
    }
}

/// Returns the field after this one that is on the wire.
fn next(plan: &PacketLayout, field: usize, bits: &[u8]) -> Option<usize> {
    let order = plan.keys.iter().chain(&plan.steps);
    let mut later = order.skip_while(|step| step.field != field).skip(1);
    later.find(|step| is_on_wire(step, bits)).map(|step| step.field)
}

/// Returns whether a field has bytes in the body.
fn is_on_wire(step: &FieldLayout, bits: &[u8]) -> bool {
    !step.is_folded && step.bit.is_none_or(|bit| is_set(bits, bit))
}
