use std::sync::Arc;

use gamewire_machine::{ConversationSide, Instant, Role};
use gamewire_wire::{Layer, Span, Trace, Value};

use super::detect::{RoleHint, role_hint};
use super::history::{HeartbeatMatch, Heartbeats, SeqCheck, Sequence};
use crate::Format;
use crate::layout::{MessageKind, MessageLayouts};
use crate::shared::packet::{Ack, Packet, Welcome};
use crate::shared::warning;
use crate::versions::by_format;

/// The tracked state of a conversation. It traces the facts that depend on earlier packets.
#[derive(Clone, Debug)]
pub(super) struct ConversationTracker {
    pub(super) format: Format,
    /// Likely side of the client.
    pub(super) client: Option<ConversationSide>,
    /// Set after a packet that only one role sends has confirmed the side.
    is_client_certain: bool,
    first: SenderSequences,
    second: SenderSequences,
    pub(super) heartbeats: Heartbeats,
    /// Sequence number of the server's Welcome, and the id that it assigned to the client.
    pub(super) welcome: Option<(u16, u16)>,
    /// Set if the Connect was captured, so that no earlier messages exist.
    pub(super) is_from_start: bool,
    pub(super) stats: FollowStats,
    /// Layouts of the application's messages.
    pub(super) layouts: Arc<MessageLayouts>,
}

/// Sequence numbers of one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SenderSequences {
    pub(super) reliable: Sequence,
    pub(super) notify: Sequence,
}

/// Counters of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FollowStats {
    pub(super) duplicates: u64,
    pub(super) gaps: u64,
    pub(super) round_trips: u64,
}

impl ConversationTracker {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            client: None,
            is_client_certain: false,
            first: SenderSequences::default(),
            second: SenderSequences::default(),
            heartbeats: Heartbeats::default(),
            welcome: None,
            is_from_start: false,
            stats: FollowStats::default(),
            layouts: Arc::default(),
        }
    }

    /// Returns the role of `from`, which sent `packet`, and updates the guess.
    fn sender_role(&mut self, from: ConversationSide, packet: &[u8]) -> Role {
        let client_if = |role| if role == Role::Client { from } else { from.other() };
        match role_hint(self.format, packet) {
            RoleHint::Certain(role) if !self.is_client_certain => {
                (self.client, self.is_client_certain) = (Some(client_if(role)), true);
            }
            RoleHint::Possible(role) => self.client = self.client.or_else(|| Some(client_if(role))),
            RoleHint::Certain(_) | RoleHint::None => {}
        }
        let client = self.client.unwrap_or(ConversationSide::First);
        if from == client { Role::Client } else { Role::Server }
    }

    /// Resets the state of `from` after a gap in the capture.
    pub(super) fn skip(&mut self, from: ConversationSide) {
        *self.sequences(from) = SenderSequences::default();
        self.is_from_start = false;
    }

    /// Traces a packet, and checks it against earlier ones.
    pub(super) fn on_packet<T: Trace>(
        &mut self,
        at: Instant,
        from: ConversationSide,
        packet: &[u8],
        trace: &mut T,
    ) {
        trace.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        let sender = self.sender_role(from, packet);
        // The decoder traces its errors.
        let (format, layouts) = (self.format, &self.layouts);
        let trace_user_data = |read: &Packet<'_>, trace: &mut T| {
            if let (Some(kind), Some(data)) = (MessageKind::from_packet(read), read.user_data())
                && !layouts.is_empty()
                && trace.wants_details()
            {
                layouts.trace(kind, sender, data, format, trace);
            }
        };
        let decoded =
            by_format!(format, V => Packet::decode_with::<V, T>(packet, sender, trace, trace_user_data));
        if let Ok(read) = decoded {
            let whole = Span::bytes(0, packet.len());
            trace_user_bits(&read, trace);
            self.check(at, from, sender, &read, whole, trace);
        }
        trace.exit();
    }

    fn check<T: Trace>(
        &mut self,
        at: Instant,
        from: ConversationSide,
        sender: Role,
        packet: &Packet<'_>,
        span: Span,
        trace: &mut T,
    ) {
        match packet {
            Packet::Connect(_) => self.on_connect(),
            Packet::Ack(ack) => self.on_ack(from, ack, span, trace),
            Packet::Heartbeat(heartbeat) => self.heartbeats.on_request(heartbeat.ping_id, at),
            Packet::HeartbeatReply(reply) => match self.heartbeats.match_reply(reply.ping_id, at) {
                HeartbeatMatch::After(micros) => {
                    self.stats.round_trips = self.stats.round_trips.saturating_add(1);
                    let raw = i64::try_from(micros).unwrap_or(i64::MAX);
                    trace.field("round_trip", Span::bytes(0, 0), Value::Decimal { raw, scale: 1000 });
                }
                HeartbeatMatch::Unsolicited => trace.warning(span, &warning::UNSOLICITED_REPLY),
                HeartbeatMatch::Unknown => {}
            },
            Packet::Welcome(welcome) => {
                self.on_welcome(sender, welcome, span, trace);
                self.on_reliable(from, welcome.seq_id, span, trace);
            }
            Packet::Reliable(packet) => self.on_reliable(from, packet.seq_id, span, trace),
            Packet::ClientConnected(packet) => self.on_reliable(from, packet.seq_id, span, trace),
            Packet::ClientDisconnected(packet) => self.on_reliable(from, packet.seq_id, span, trace),
            Packet::Unknown(_, packet) => self.on_reliable(from, packet.seq_id, span, trace),
            Packet::Notify(packet) => {
                let check = self.sequences(from).notify.check(packet.seq_id);
                self.report_check(check, span, trace);
                let known = self.sequences(from.other()).notify.is_ahead(packet.last_received_seq_id);
                self.check_acked(known, packet.last_received_seq_id, span, trace);
            }
            Packet::Unreliable(_)
            | Packet::Pending(_)
            | Packet::Reject(_)
            | Packet::Leave(_)
            | Packet::Disconnect(_) => {}
        }
    }

    /// Handles a Connect. The client resends it until the server replies. A Connect after a Welcome starts a new
    /// connection.
    fn on_connect(&mut self) {
        if self.welcome.take().is_some() {
            self.first = SenderSequences::default();
            self.second = SenderSequences::default();
            self.heartbeats = Heartbeats::default();
        }
        self.is_from_start = true;
    }

    fn on_welcome<T: Trace>(&mut self, sender: Role, welcome: &Welcome<'_>, span: Span, trace: &mut T) {
        match (sender, self.welcome) {
            (Role::Server, _) => self.welcome = Some((welcome.seq_id, welcome.client_id)),
            (Role::Client, Some((_, id))) if id != welcome.client_id => {
                trace.warning(span, &warning::OTHER_CLIENT_ID)
            }
            (Role::Client, _) => {}
        }
    }

    fn on_reliable<T: Trace>(&mut self, from: ConversationSide, seq_id: u16, span: Span, trace: &mut T) {
        let check = self.sequences(from).reliable.check(seq_id);
        self.report_check(check, span, trace);
    }

    fn report_check<T: Trace>(&mut self, check: SeqCheck, span: Span, trace: &mut T) {
        match check {
            SeqCheck::New => {}
            SeqCheck::Duplicate => {
                self.stats.duplicates = self.stats.duplicates.saturating_add(1);
                trace.field("repeated", span, Value::Bool(true));
            }
            SeqCheck::Gap => {
                self.stats.gaps = self.stats.gaps.saturating_add(1);
                trace.warning(span, &warning::SEQUENCE_GAP);
            }
        }
    }

    fn on_ack<T: Trace>(&mut self, from: ConversationSide, ack: &Ack<'_>, span: Span, trace: &mut T) {
        let sent = self.sequences(from.other()).reliable;
        for id in [Some(ack.last_received_seq_id), ack.for_seq_id].into_iter().flatten() {
            if self.check_acked(sent.is_ahead(id), id, span, trace) {
                return;
            }
        }
    }

    /// Traces a warning if an acknowledged id is newer than all captured ones. Returns whether it is.
    fn check_acked<T: Trace>(&self, is_ahead: Option<bool>, id: u16, span: Span, trace: &mut T) -> bool {
        // Before the first message arrives, a side acknowledges number 0.
        let is_unsent = id != 0 && is_ahead.unwrap_or(self.is_from_start);
        if is_unsent {
            trace.warning(span, &warning::ACK_UNSENT);
        }
        is_unsent
    }

    /// Returns the sequence numbers of a side.
    pub(super) const fn sequences_of(&self, side: ConversationSide) -> &SenderSequences {
        match side {
            ConversationSide::First => &self.first,
            ConversationSide::Second => &self.second,
        }
    }

    const fn sequences(&mut self, end: ConversationSide) -> &mut SenderSequences {
        match end {
            ConversationSide::First => &mut self.first,
            ConversationSide::Second => &mut self.second,
        }
    }
}

/// Traces the number of bits of the user data, which may not be a multiple of 8.
fn trace_user_bits<T: Trace>(packet: &Packet<'_>, trace: &mut T) {
    let Some(data) = packet.user_data() else { return };
    if let Some(bits) = i64::try_from(data.bit_len()).ok().filter(|bits| *bits > 0) {
        trace.field("user_bits", Span::bytes(0, 0), Value::Int(bits));
    }
}
