use std::borrow::Cow;

use gamewire_machine::Role;
use gamewire_wire::{Layer, Span, Trace, Value};

use super::definition::MessageKind;
use super::layouts::{MessageLayout, MessageLayouts};
use super::scalar::ScalarValue;
use super::visitor::{Group, Visitor, Walker};
use crate::Format;
use crate::shared::message::Reader;
use crate::shared::packet::trace_rest;
use crate::shared::payload::{Payload, span};
use crate::shared::version::Version;
use crate::versions::by_format;

impl MessageLayouts {
    /// Traces user data of a packet that `from` sends, as one group with the name of the message. Returns
    /// false and traces nothing if there is no layout.
    ///
    /// Bits after the last field are traced as `extra_bytes`; less than a byte is padding.
    pub fn trace<T: Trace>(
        &self,
        kind: MessageKind,
        from: Role,
        payload: &Payload<'_>,
        format: Format,
        trace: &mut T,
    ) -> bool {
        let Some(message) = self.find(kind, from) else { return false };
        // Most connects, rejects and kicks have no data.
        let is_optional = !matches!(kind, MessageKind::Message(_) | MessageKind::Notify);
        if is_optional && payload.is_empty() {
            return false;
        }
        by_format!(format, V => self.trace_message(message, payload.reader::<V>(), trace));
        true
    }

    fn trace_message<V: Version, T: Trace>(
        &self,
        message: &MessageLayout,
        mut from: Reader<'_, V>,
        trace: &mut T,
    ) {
        trace.enter(Layer::Message, message.name, from.span_since(from.position()));
        let walker = Walker { structs: &self.structs };
        match walker.fields(&message.fields, &mut from, &mut TraceVisitor { trace }) {
            Ok(()) => trace_rest("extra_bytes", &from.rest(), false, trace),
            Err(error) => trace.error(&error.in_packet(message.name)),
        }
        trace.exit();
    }
}

/// A visitor that passes values to a trace.
struct TraceVisitor<'t, T> {
    trace: &'t mut T,
}

impl<T: Trace> Visitor for TraceVisitor<'_, T> {
    fn enter(&mut self, group: Group, name: &'static str, span: Span) {
        let layer = if group == Group::List { Layer::List } else { Layer::Group };
        self.trace.enter(layer, name, span);
    }

    fn exit(&mut self) {
        self.trace.exit();
    }

    fn scalar(&mut self, name: &'static str, span: Span, value: ScalarValue) {
        self.trace.field(name, span, value.to_trace_value());
    }

    fn text(&mut self, name: &'static str, span: Span, text: &Payload<'_>) {
        self.trace.field(name, span, Value::Text(&aligned(text)));
    }

    fn bytes(&mut self, name: &'static str, span: Span, bytes: &Payload<'_>) {
        self.trace.field(name, span, Value::Bytes(&aligned(bytes)));
    }

    fn bools(&mut self, name: &'static str, whole: Span, bools: &Payload<'_>) {
        self.trace.enter(Layer::List, name, whole);
        let start = bools.start();
        for (value, index) in bools.bits().zip(0_usize..) {
            let at = start.saturating_add(index);
            self.trace.field("", span(at, at.saturating_add(1)), Value::Bool(value));
        }
        self.trace.exit();
    }
}

/// Returns the bytes of a payload.
fn aligned<'a>(payload: &Payload<'a>) -> Cow<'a, [u8]> {
    payload.as_bytes().map_or_else(|| payload.to_vec().into(), Cow::Borrowed)
}
