use core::fmt;

use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

use super::definition::{JOIN_REQUEST, PASSWORD};
use super::desync::{self, Desync};
use super::direction::PacketEffect;
use super::shared_state::SharedState;
use crate::delta::{DeltaDecoder, Direction};
use crate::frame::{Packet, TypeWidth};

/// A trace that counts groups and fields.
pub(super) struct CountingTrace<'t, T> {
    pub(super) trace: &'t mut T,
    pub(super) count: usize,
}

impl<T: Trace> CountingTrace<'_, T> {
    fn one(&mut self) -> &mut T {
        self.count = self.count.saturating_add(1);
        self.trace
    }
}

impl<T: Trace> Trace for CountingTrace<'_, T> {
    fn wants_details(&self) -> bool {
        self.trace.wants_details()
    }

    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        self.one().enter(layer, name, span);
    }

    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        self.one().enter_source(name, bytes);
    }

    fn exit(&mut self) {
        self.trace.exit();
    }

    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        self.one().field(name, span, value);
    }

    fn warning(&mut self, span: Span, warning: &Warning) {
        self.one().warning(span, warning);
    }

    fn error(&mut self, error: &CodecError) {
        self.one().error(error);
    }

    fn error_with_context(&mut self, error: &CodecError, context: &dyn fmt::Display) {
        self.one().error_with_context(error, context);
    }
}

/// Decodes a packet and reports it. It starts at byte `base` of the trace's source.
pub(super) fn packet<T: Trace>(
    decoder: &mut DeltaDecoder,
    direction: Direction,
    shared: &mut SharedState,
    packet: &Packet<'_>,
    base: usize,
    trace: &mut T,
) -> PacketEffect {
    let packet = &with_client_type_width(*packet, direction, shared.is_joined);
    let Packet { number, body, bytes, width, .. } = *packet;
    let at = |offset: usize| base.saturating_add(offset);
    let whole = Span::bytes(base, at(bytes.len()));
    trace.enter(Layer::Group, "frame", whole);
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    trace.field("length", Span::bytes(base, at(2)), Value::Int(length));
    trace.field("number", Span::bytes(at(2), at(width.header())), Value::Int(number.into()));
    let start = at(width.header());
    let is_decoded = shared.is_version_known() || decoder.variants().packet(number).is_some();
    let effect = if is_decoded {
        match decoder.decode_traced(number, body, start, trace) {
            Ok(decoded) => {
                let (effect, warning) = shared.observe(direction, &decoded, bytes);
                if let Some(warning) = warning {
                    trace.warning(whole, &warning);
                }
                effect
            }
            Err(error) => {
                let desync = Desync { error: &error, packet, direction, decoder, shared };
                desync::trace_desync(&desync, base, trace);
                PacketEffect::GivenUp
            }
        }
    } else {
        let span = Span::bytes(start, at(bytes.len()));
        trace.enter(Layer::Message, "unknown_packet", span);
        trace.field("body", span, Value::Bytes(body));
        trace.exit();
        PacketEffect::Followed
    };
    trace.exit();
    effect
}

/// Reads a client's packet with a two-byte type where the client sends one. A client switches to two-byte types when it
/// receives the server's reply, which the follower may not have seen yet. Before the reply, a client sends only its
/// join request and its password.
fn with_client_type_width(packet: Packet<'_>, direction: Direction, is_joined: bool) -> Packet<'_> {
    let is_early = !is_joined && matches!(packet.number, JOIN_REQUEST | PASSWORD);
    match packet.body.split_first() {
        Some((low, body))
            if direction == Direction::ToServer && packet.width == TypeWidth::One && !is_early =>
        {
            let number = packet.number << 8 | u16::from(*low);
            Packet { number, body, width: TypeWidth::Two, ..packet }
        }
        _ => packet,
    }
}
