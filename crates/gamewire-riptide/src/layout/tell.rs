use gamewire_machine::Role;
use std::borrow::Cow;

use gamewire_wire::{Layer, Span, Trace, Value};

use super::definition::MessageKind;
use super::layouts::{MessageLayout, MessageLayouts};
use super::single::ScalarValue;
use super::walk::{Group, Visitor, Walk};
use crate::Format;
use crate::shared::message::{Bools, Reader};
use crate::shared::packet::trace_trailing;
use crate::shared::payload::{Payload, span};
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

impl MessageLayouts {
    /// Tells `trace` what stands at `place` of a packet that `from` sends, as one group with the
    /// name of the message; nothing, and false, if no layout describes it.
    ///
    /// What is left behind the last field is told as `extra_bytes`; less than a byte is padding.
    pub fn trace<T: Trace>(
        &self,
        place: MessageKind,
        from: Role,
        payload: &Payload<'_>,
        format: Format,
        trace: &mut T,
    ) -> bool {
        match format {
            Format::V20 => self.tell_in::<V20, T>(place, from, payload, trace),
            Format::V21 => self.tell_in::<V21, T>(place, from, payload, trace),
        }
    }

    pub(crate) fn tell_in<V: Version, T: Trace>(
        &self,
        place: MessageKind,
        from: Role,
        payload: &Payload<'_>,
        trace: &mut T,
    ) -> bool {
        let Some(message) = self.find(place, from) else { return false };
        // Nothing at all is said by most who connect, refuse or kick.
        let is_optional = !matches!(place, MessageKind::Message(_) | MessageKind::Notify);
        if is_optional && payload.is_empty() {
            return false;
        }
        self.tell_message(message, payload.reader::<V>(), trace);
        true
    }

    fn tell_message<V: Version, T: Trace>(
        &self,
        message: &MessageLayout,
        mut from: Reader<'_, V>,
        trace: &mut T,
    ) {
        trace.enter(Layer::Message, message.name, from.span_since(from.position()));
        let walk = Walk { structs: &self.structs };
        match walk.fields(&message.fields, &mut from, &mut TraceVisitor { trace }) {
            Ok(()) => trace_trailing("extra_bytes", &from.rest(), trace),
            Err(error) => trace.error(&error.in_packet(message.name)),
        }
        trace.exit();
    }
}

/// Tells a trace what it is told.
struct TraceVisitor<'t, T> {
    trace: &'t mut T,
}

impl<T: Trace> Visitor for TraceVisitor<'_, T> {
    fn enter(&mut self, part: Group, name: &'static str, span: Span) {
        let layer = if part == Group::List { Layer::List } else { Layer::Group };
        self.trace.enter(layer, name, span);
    }

    fn leave(&mut self) {
        self.trace.exit();
    }

    fn length(&mut self, _: usize) {}

    fn single(&mut self, name: &'static str, span: Span, value: ScalarValue) {
        self.trace.field(name, span, value.to_trace_value());
    }

    fn text(&mut self, name: &'static str, span: Span, text: &Payload<'_>) {
        self.trace.field(name, span, Value::Text(&aligned(text)));
    }

    fn bytes(&mut self, name: &'static str, span: Span, bytes: &Payload<'_>) {
        self.trace.field(name, span, Value::Bytes(&aligned(bytes)));
    }

    fn bools(&mut self, name: &'static str, whole: Span, bools: Bools<'_>) {
        self.trace.enter(Layer::List, name, whole);
        let start = bools.start();
        for (value, index) in bools.zip(0_usize..) {
            let at = start.saturating_add(index);
            self.trace.field("", span(at, at.saturating_add(1)), Value::Bool(value));
        }
        self.trace.exit();
    }
}

/// The bytes of a payload, which a packet holds in any case.
fn aligned<'a>(payload: &Payload<'a>) -> Cow<'a, [u8]> {
    payload.as_bytes().map_or_else(|| payload.to_vec().into(), Cow::Borrowed)
}
