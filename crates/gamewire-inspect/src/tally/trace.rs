use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

use super::count::{Count, CountingTrace, Open, add, intern_problem};

impl Trace for CountingTrace {
    #[inline]
    fn wants_details(&self) -> bool {
        true
    }

    #[inline]
    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        let is_counted = matches!(layer, Layer::Message | Layer::Item);
        let number = if is_counted { self.names.number(layer, name) } else { None };
        if layer == Layer::Message {
            let mut around = self.datagram.open.iter().rev().filter_map(|open| open.layer);
            let is_in_group = around.next() == Some(Layer::Group);
            // What a message carries is part of it.
            let is_part = self.datagram.open.iter().any(|open| open.layer == Some(Layer::Message));
            add(&mut self.datagram.messages, u64::from(!is_part));
            add(&mut self.datagram.in_groups, u64::from(is_in_group && !is_part));
        }
        self.datagram.open.push(Open { number, span, layer: Some(layer) });
    }

    #[inline]
    fn enter_source(&mut self, _: &str, _: &[u8]) {
        self.datagram.open.push(Open { number: None, span: Span::default(), layer: None });
    }

    #[inline]
    fn exit(&mut self) {
        let Some(closed) = self.datagram.open.pop() else { return };
        if let Some(number) = closed.number {
            let bits = closed.span.end_bit().saturating_sub(closed.span.start_bit());
            self.datagram.met.push((number, u64::from(bits.div_ceil(8))));
            if number >= self.counts.len() {
                self.counts.resize_with(number.saturating_add(1), Count::default);
            }
        }
        if closed.layer.is_some()
            && let Some(parent) = self.datagram.open.last_mut()
        {
            parent.span = parent.span.join(closed.span);
        }
    }

    #[inline]
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
