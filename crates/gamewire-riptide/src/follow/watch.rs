use core::marker::PhantomData;
use gamewire_machine::Role;
use std::sync::Arc;

use gamewire_machine::{ConversationSide, Instant};
use gamewire_wire::{Layer, Span, Trace, Value};

use super::heartbeats::{HeartbeatMatch, Heartbeats};
use super::roles::Roles;
use super::sequence::{SeqCheck, Sequence};
use crate::layout::{MessageKind, MessageLayouts};
use crate::shared::packet::{Ack, Packet, Welcome};
use crate::shared::version::Version;
use crate::shared::warning;

/// What the packets of a conversation say when they are seen one after the other.
#[derive(Clone, Debug)]
pub(super) struct ConversationTracker<V> {
    roles: Roles,
    first: SenderSequences,
    second: SenderSequences,
    heartbeats: Heartbeats,
    /// The id that the server gave the client.
    client_id: Option<u16>,
    /// The client was seen to connect, so that nothing was sent before.
    is_from_start: bool,
    pub(super) counts: FollowStats,
    /// What the application's messages look like.
    pub(super) layouts: Arc<MessageLayouts>,
    version: PhantomData<V>,
}

/// The numbers that one end gives its messages.
#[derive(Clone, Copy, Debug, Default)]
struct SenderSequences {
    reliable: Sequence,
    notify: Sequence,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FollowStats {
    pub(super) repeated: u64,
    pub(super) gaps: u64,
    pub(super) round_trips: u64,
}

impl<V: Version> ConversationTracker<V> {
    pub(super) fn new() -> Self {
        Self {
            roles: Roles::default(),
            first: SenderSequences::default(),
            second: SenderSequences::default(),
            heartbeats: Heartbeats::default(),
            client_id: None,
            is_from_start: false,
            counts: FollowStats::default(),
            layouts: Arc::default(),
            version: PhantomData,
        }
    }

    pub(super) const fn client(&self) -> Option<ConversationSide> {
        self.roles.client()
    }

    /// Something that `from` sent was not seen.
    pub(super) fn missed(&mut self, from: ConversationSide) {
        *self.sender(from) = SenderSequences::default();
        self.is_from_start = false;
    }

    /// Tells a packet and what the ones before it make of it.
    pub(super) fn packet<T: Trace>(
        &mut self,
        at: Instant,
        from: ConversationSide,
        packet: &[u8],
        trace: &mut T,
    ) {
        trace.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        let side = self.roles.side::<V>(from, packet);
        // What is wrong with a packet was told while it was read.
        let layouts = &self.layouts;
        let tell_message =
            |read: &Packet<'_>, trace: &mut T| trace_message::<V, T>(layouts, read, side, trace);
        if let Ok(read) = Packet::decode_with::<V, T>(packet, side, trace, tell_message) {
            let whole = Span::bytes(0, packet.len());
            trace_user_bits(&read, trace);
            self.judge((at, from, side), &read, whole, trace);
        }
        trace.exit();
    }

    fn judge<T: Trace>(
        &mut self,
        (at, from, side): (Instant, ConversationSide, Role),
        packet: &Packet<'_>,
        span: Span,
        trace: &mut T,
    ) {
        match packet {
            Packet::Connect(_) => self.connect(),
            Packet::Ack(ack) => self.ack(from, ack, span, trace),
            Packet::Heartbeat(heartbeat) => self.heartbeats.on_request(heartbeat.ping_id, at),
            Packet::HeartbeatReply(reply) => match self.heartbeats.match_reply(reply.ping_id, at) {
                HeartbeatMatch::After(micros) => {
                    self.counts.round_trips = self.counts.round_trips.saturating_add(1);
                    let raw = i64::try_from(micros).unwrap_or(i64::MAX);
                    trace.field("round_trip", Span::bytes(0, 0), Value::Decimal { raw, scale: 1000 });
                }
                HeartbeatMatch::Unasked => trace.warning(span, &warning::UNSOLICITED_REPLY),
                HeartbeatMatch::Unknown => {}
            },
            Packet::Welcome(welcome) => {
                self.welcome(side, welcome, span, trace);
                self.reliable(from, welcome.seq_id, span, trace);
            }
            Packet::Reliable(packet) => self.reliable(from, packet.seq_id, span, trace),
            Packet::ClientConnected(packet) => self.reliable(from, packet.seq_id, span, trace),
            Packet::ClientDisconnected(packet) => self.reliable(from, packet.seq_id, span, trace),
            Packet::Unknown(_, packet) => self.reliable(from, packet.seq_id, span, trace),
            Packet::Notify(packet) => {
                let fit = self.sender(from).notify.take(packet.seq_id);
                self.fit(fit, span, trace);
                let known = self.sender(from.other()).notify.is_ahead(packet.last_received_seq_id);
                self.acknowledged(known, packet.last_received_seq_id, span, trace);
            }
            Packet::Unreliable(_)
            | Packet::Pending(_)
            | Packet::Reject(_)
            | Packet::Leave(_)
            | Packet::Disconnect(_) => {}
        }
    }

    /// A client connects. It asks again until it is answered, and anew when a connection was before.
    fn connect(&mut self) {
        if self.client_id.take().is_some() {
            self.first = SenderSequences::default();
            self.second = SenderSequences::default();
            self.heartbeats = Heartbeats::default();
        }
        self.is_from_start = true;
    }

    fn welcome<T: Trace>(&mut self, side: Role, welcome: &Welcome<'_>, span: Span, trace: &mut T) {
        match (side, self.client_id) {
            (Role::Server, _) => self.client_id = Some(welcome.client_id),
            (Role::Client, Some(id)) if id != welcome.client_id => {
                trace.warning(span, &warning::OTHER_CLIENT_ID)
            }
            (Role::Client, _) => {}
        }
    }

    fn reliable<T: Trace>(&mut self, from: ConversationSide, seq_id: u16, span: Span, trace: &mut T) {
        let fit = self.sender(from).reliable.take(seq_id);
        self.fit(fit, span, trace);
    }

    fn fit<T: Trace>(&mut self, fit: SeqCheck, span: Span, trace: &mut T) {
        match fit {
            SeqCheck::New => {}
            SeqCheck::Repeated => {
                self.counts.repeated = self.counts.repeated.saturating_add(1);
                trace.field("repeated", span, Value::Bool(true));
            }
            SeqCheck::Gap => {
                self.counts.gaps = self.counts.gaps.saturating_add(1);
                trace.warning(span, &warning::SEQUENCE_GAP);
            }
        }
    }

    fn ack<T: Trace>(&mut self, from: ConversationSide, ack: &Ack<'_>, span: Span, trace: &mut T) {
        let sent = self.sender(from.other()).reliable;
        for id in [Some(ack.last_received_seq_id), ack.for_seq_id].into_iter().flatten() {
            if self.acknowledged(sent.is_ahead(id), id, span, trace) {
                return;
            }
        }
    }

    /// Tells when an id that was acknowledged lies ahead of all that were sent; says whether.
    fn acknowledged<T: Trace>(&self, is_ahead: Option<bool>, id: u16, span: Span, trace: &mut T) -> bool {
        // While nothing has arrived, an end acknowledges number 0.
        let is_odd = id != 0 && is_ahead.unwrap_or(self.is_from_start);
        if is_odd {
            trace.warning(span, &warning::ACK_UNSENT);
        }
        is_odd
    }

    const fn sender(&mut self, end: ConversationSide) -> &mut SenderSequences {
        match end {
            ConversationSide::First => &mut self.first,
            ConversationSide::Second => &mut self.second,
        }
    }
}

/// How many bits the application's part has: no packet says it in whole bytes.
fn trace_user_bits<T: Trace>(packet: &Packet<'_>, trace: &mut T) {
    let Some(data) = packet.user_data() else { return };
    if let Some(bits) = i64::try_from(data.bit_len()).ok().filter(|bits| *bits > 0) {
        trace.field("user_bits", Span::bytes(0, 0), Value::Int(bits));
    }
}

/// The application's part by the names that its layout has.
fn trace_message<V: Version, T: Trace>(
    layouts: &MessageLayouts,
    packet: &Packet<'_>,
    from: Role,
    trace: &mut T,
) {
    if let (Some(place), Some(data)) = (MessageKind::of(packet), packet.user_data())
        && !layouts.is_empty()
        && trace.wants_details()
    {
        layouts.tell_in::<V, T>(place, from, data, trace);
    }
}
