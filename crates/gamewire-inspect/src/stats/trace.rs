use std::fmt;

use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

use super::counting_trace::{CountingTrace, Open, intern_problem};
use super::totals::add;
use crate::protocol::TraceTarget;

impl Trace for CountingTrace {
    fn wants_details(&self) -> bool {
        true
    }

    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        let is_counted = matches!(layer, Layer::Message | Layer::Item);
        let number = if is_counted { self.names.number(layer, name) } else { None };
        if layer == Layer::Message {
            let mut around = self.datagram.open.iter().rev().filter_map(|open| open.layer);
            let is_in_group = around.next() == Some(Layer::Group);
            // A message inside a message counts as a part of the outer one.
            let is_part = self.datagram.open.iter().any(|open| open.layer == Some(Layer::Message));
            add(&mut self.datagram.messages, u64::from(!is_part));
            add(&mut self.datagram.in_groups, u64::from(is_in_group && !is_part));
        }
        self.datagram.open.push(Open { number, span, layer: Some(layer) });
    }

    fn enter_source(&mut self, _: &str, _: &[u8]) {
        self.datagram.open.push(Open { number: None, span: Span::default(), layer: None });
    }

    fn exit(&mut self) {
        let Some(closed) = self.datagram.open.pop() else { return };
        if let Some(number) = closed.number {
            let bits = closed.span.end_bit().saturating_sub(closed.span.start_bit());
            self.datagram.met.push((number, u64::from(bits.div_ceil(8))));
            let _ = self.named(number);
        }
        if closed.layer.is_some()
            && let Some(parent) = self.datagram.open.last_mut()
        {
            parent.span = parent.span.join(closed.span);
        }
    }

    fn field(&mut self, _: &str, span: Span, _: Value<'_>) {
        if let Some(group) = self.datagram.open.last_mut() {
            group.span = group.span.join(span);
        }
    }

    fn warning(&mut self, _: Span, warning: &Warning) {
        self.datagram.warnings.push(intern_problem(&mut self.warnings, [warning.name, "", ""]));
    }

    fn error(&mut self, error: &CodecError) {
        self.datagram
            .errors
            .push(intern_problem(&mut self.errors, [error.packet, error.field, error.expected]));
    }
}

impl<'a> From<&'a mut CountingTrace> for TraceTarget<'a> {
    fn from(totals: &'a mut CountingTrace) -> Self {
        Self::Other(totals)
    }
}

/// A trace that forwards to two others.
#[derive(Debug)]
pub struct Tee<'a, A, B>(pub &'a mut A, pub &'a mut B);

impl<A: Trace, B: Trace> Trace for Tee<'_, A, B> {
    fn wants_details(&self) -> bool {
        self.0.wants_details() || self.1.wants_details()
    }

    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        self.0.enter(layer, name, span);
        self.1.enter(layer, name, span);
    }

    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        self.0.enter_source(name, bytes);
        self.1.enter_source(name, bytes);
    }

    fn exit(&mut self) {
        self.0.exit();
        self.1.exit();
    }

    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        self.0.field(name, span, value);
        self.1.field(name, span, value);
    }

    fn warning(&mut self, span: Span, warning: &Warning) {
        self.0.warning(span, warning);
        self.1.warning(span, warning);
    }

    fn error(&mut self, error: &CodecError) {
        self.0.error(error);
        self.1.error(error);
    }

    fn error_with_context(&mut self, error: &CodecError, sentence: &dyn fmt::Display) {
        self.0.error_with_context(error, sentence);
        self.1.error_with_context(error, sentence);
    }
}
