use gamewire_machine::{ConversationSide, Follow, Instant, Role};
use gamewire_wire::{CodecError, Found, Layer, Reader, Span, Trace, Value};

use super::conversation::{Decoding, Offer, Sequence, Tokens, issued_token, split_token};
use super::detect::{could_be_handshake, detect, is_accept_06, is_control_without_token};
use super::snapshots::Snapshots;
use crate::Dialect;
use crate::link::SeqCheck;
use crate::shared::connless::trace_connless;
use crate::shared::control::Control;
use crate::shared::data::trace_rest;
use crate::shared::message::{Message, MessageId};
use crate::shared::packet::{Header, MAX_PAYLOAD, Packet, inflate};
use crate::shared::version::{MessageOf, SystemSet, Version};
use crate::shared::warning;
use crate::v06::V06;
use crate::v07::V07;

/// Id of MAP_CHANGE in both versions.
const MAP_CHANGE: MessageId = MessageId::Number(2);

/// Number of consecutive datagrams that must match a dialect to lock it without a handshake.
const MATCHES_TO_LOCK: u8 = 16;

/// A follower of one conversation of any dialect: tokens, compression, sequence numbers, snapshots.
///
/// Its memory is bounded: it stores the snapshots of three seconds or 4 MiB, one incomplete snapshot, and one payload.
#[derive(Debug, Default)]
pub struct Follower {
    pub(super) dialect: Option<Dialect>,
    /// The caller has set the dialect, so datagrams do not change it.
    is_given: bool,
    /// A handshake or enough matching datagrams have confirmed the dialect. Until then it may change.
    pub(super) is_locked: bool,
    /// Number of consecutive datagrams without a handshake that matched `dialect`.
    fitted: u8,
    /// An offer of a new connection during this one.
    offer: Option<Offer>,
    pub(super) client: Option<ConversationSide>,
    pub(super) tokens: Tokens,
    pub(super) first: Sequence,
    pub(super) second: Sequence,
    pub(super) snapshots: Snapshots,
    inflated: Vec<u8>,
    resends: u64,
    gaps: u64,
}

/// The properties of a packet of a connection that are known before its payload.
#[derive(Clone, Copy)]
struct PacketContext {
    dialect: Dialect,
    from: ConversationSide,
    header: Header,
    /// The packet must not change state: its token is not the one that its receiver issued, or it is an
    /// unconfirmed handshake.
    has_no_effect: bool,
}

impl Follower {
    /// Returns a follower of the conversation that starts with `datagram`, or `None` if it is not
    /// Teeworlds. Call [`Follow::follow`] for `datagram` as well.
    pub fn detect(datagram: &[u8]) -> Option<Self> {
        detect(datagram).map(|_| Self::default())
    }

    /// Returns a follower of a conversation in a known dialect. `client` is the side of the client.
    pub fn of_dialect(dialect: Dialect, client: ConversationSide) -> Self {
        Self {
            dialect: Some(dialect),
            is_given: true,
            is_locked: true,
            client: Some(client),
            ..Self::default()
        }
    }

    /// Returns the dialect, if it is known. [`Follow::dialect`] returns its name.
    pub const fn dialect_kind(&self) -> Option<Dialect> {
        self.dialect
    }

    /// Returns the approximate heap memory of the follower in bytes.
    pub fn held_bytes(&self) -> usize {
        self.snapshots.held_bytes().saturating_add(self.inflated.capacity())
    }

    /// Calls `report` with the name and value of each counter.
    pub fn counters(&self, mut report: impl FnMut(&'static str, u64)) {
        let counts = self.snapshots.counts();
        report("snapshots", counts.good);
        report("empty_snapshots", counts.empty);
        report("bad_snapshots", counts.bad);
        report("snapshots_missing_base", counts.missing_base);
        report("duplicate_chunks", self.resends);
        report("sequence_gaps", self.gaps);
    }

    /// Updates dialect and roles from `datagram`. Returns how to decode it.
    fn resolve_dialect<T: Trace>(
        &mut self,
        from: ConversationSide,
        datagram: &[u8],
        trace: &mut T,
    ) -> Option<Decoding> {
        let known = self.dialect.map(Decoding::of);
        if self.is_given || self.is_locked && !could_be_handshake(datagram) && self.client.is_some() {
            return known;
        }
        let Some(guess) = detect(datagram) else { return known };
        let client = guess.sender.map(|sender| if sender == Role::Client { from } else { from.other() });
        if guess.is_connless {
            self.dialect = self.dialect.or(Some(guess.dialect));
            self.client = self.client.or(client);
            return Some(Decoding::of(guess.dialect));
        }
        if self.is_locked && self.dialect == Some(Dialect::Tken) && is_control_without_token(datagram, guess)
        {
            // It may be the reply to an offer: a full server closes without a token.
            let is_reply = self.offer.is_some_and(|offer| offer.from == from.other());
            return Some(Decoding { dialect: Dialect::V06, has_no_effect: is_reply });
        }
        if known.is_none() && !guess.is_handshake {
            trace.warning(Span::bytes(0, datagram.len()), &warning::LATE_START);
        }
        if guess.is_handshake {
            let offers = guess.sender == Some(Role::Client) && !is_accept_06(datagram);
            if !self.confirm_handshake(from, guess.dialect, offers) {
                return Some(Decoding { dialect: guess.dialect, has_no_effect: true });
            }
            if offers && guess.dialect != Dialect::V07 {
                self.restart();
            }
            self.dialect = Some(guess.dialect);
            self.is_locked = !offers || guess.dialect == Dialect::V07;
        } else if !self.is_locked {
            let fits_again = self.dialect == Some(guess.dialect);
            self.fitted = if fits_again { self.fitted.saturating_add(1) } else { 0 };
            self.is_locked = self.fitted >= MATCHES_TO_LOCK;
            self.dialect = Some(guess.dialect);
        }
        self.client = client.or(self.client);
        self.dialect.map(Decoding::of)
    }

    /// Returns whether a handshake is confirmed. During a conversation an offer could be spoofed. The offer is only
    /// stored until the other side accepts it.
    fn confirm_handshake(&mut self, from: ConversationSide, dialect: Dialect, offers: bool) -> bool {
        let is_seven = |dialect| dialect == Dialect::V07;
        if !self.is_locked || (is_seven(dialect) && self.dialect.is_some_and(is_seven)) {
            return true;
        }
        if offers {
            self.offer = Some(Offer { from, dialect });
            return false;
        }
        let answers = self
            .offer
            .is_some_and(|offer| offer.from == from.other() && is_seven(offer.dialect) == is_seven(dialect));
        if answers {
            self.restart();
        }
        answers
    }

    /// Resets the state for a new connection. The tokens are kept, because a reply to a repeated offer issues another
    /// token, and the client may use an earlier one.
    fn restart(&mut self) {
        self.offer = None;
        (self.first, self.second) = Default::default();
        self.snapshots.reset();
    }

    fn role(&self, from: ConversationSide) -> Option<Role> {
        self.client.map(|client| if client == from { Role::Client } else { Role::Server })
    }

    fn packet<V: Version, T: Trace>(
        &mut self,
        decoding: Decoding,
        from: ConversationSide,
        datagram: &[u8],
        trace: &mut T,
    ) {
        match V::parse(datagram, trace) {
            Ok(Packet::Connless { payload, .. }) => trace_connless::<V, T>(payload, trace),
            Ok(Packet::Connected { header, payload }) => {
                if header.control && header.chunks != 0 {
                    trace.warning(Span::bytes(2, 3), &warning::CHUNKS_IN_CONTROL);
                }
                let Decoding { dialect, has_no_effect } = decoding;
                let context = PacketContext { dialect, from, header, has_no_effect };
                self.connected::<V, T>(context, payload, trace);
            }
            Err(error) => trace.error(&error),
        }
    }

    fn connected<V: Version, T: Trace>(
        &mut self,
        context: PacketContext,
        payload: Reader<'_>,
        trace: &mut T,
    ) {
        if !context.header.compressed {
            return self.payload::<V, T>(context, payload, trace);
        }
        let mut buffer = core::mem::take(&mut self.inflated);
        buffer.resize(MAX_PAYLOAD, 0);
        match inflate(payload.remaining(), &mut buffer) {
            Ok(inflated) => {
                trace.enter_source("payload", inflated);
                self.payload::<V, T>(context, Reader::new(inflated), trace);
                trace.exit();
            }
            Err(error) => trace.error(&error),
        }
        self.inflated = buffer;
    }

    fn payload<V: Version, T: Trace>(
        &mut self,
        mut context: PacketContext,
        payload: Reader<'_>,
        trace: &mut T,
    ) {
        let (content, token) = match split_token(context.dialect, context.header.token, payload, trace) {
            Ok(parts) => parts,
            Err(error) => return trace.error(&error),
        };
        let role = self.role(context.from);
        let accepted = match (role, token) {
            (Some(role), Some(token)) => self.tokens.accepts(role, token),
            // A session with tokens drops packets without one.
            (Some(role), None) => self.dialect == Some(Dialect::V06) || !self.tokens.is_used(role),
            (None, _) => true,
        };
        if accepted && !context.has_no_effect && context.header.control {
            match content.remaining().first() {
                // In 0.7 a connection starts with CONNECT, after the token exchange.
                Some(1) if context.dialect == Dialect::V07 => self.restart(),
                // After CLOSE, 0.6.5 opens another connection with the same token and no CONNECT.
                // Snapshots may still be in flight.
                Some(4) => (self.first, self.second) = Default::default(),
                _ => {}
            }
        }
        let issued = issued_token(context.dialect, &context.header, content.remaining(), token);
        if !context.has_no_effect && issued.is_none() {
            context.has_no_effect = !accepted;
            if context.has_no_effect {
                trace.warning(Span::default(), &warning::WRONG_TOKEN);
            }
        }
        let is_same_dialect = self.dialect == Some(context.dialect);
        if let Some((role, token)) = role.zip(issued).filter(|_| is_same_dialect) {
            let is_confirmed = !context.has_no_effect;
            self.tokens.issued(role, token, is_confirmed);
            if context.dialect != Dialect::V07 {
                // Both directions carry the server's token.
                self.tokens.issued(role.other(), token, is_confirmed);
            }
        }
        if context.header.control {
            // The decoder has reported the message and its errors.
            let _ = Control::<V::Control<'_>>::decode(content, trace);
        } else {
            self.chunks::<V, T>(context, content, trace);
        }
    }

    fn chunks<V: Version, T: Trace>(
        &mut self,
        context: PacketContext,
        mut content: Reader<'_>,
        trace: &mut T,
    ) {
        let source = content.source();
        let fifth_byte = context.dialect.fifth_byte();
        for _ in 0..context.header.chunks {
            let at = content.offset();
            trace.enter(Layer::Group, "chunk", Span::bytes(at, at));
            let read = V::read_chunk(&mut content, trace);
            match &read {
                Ok(chunk) => {
                    let sequence = chunk.header.sequence.filter(|_| !context.has_no_effect);
                    let span = Span::bytes(at, content.offset());
                    let check = sequence.map(|sequence| self.sequence(context.from, sequence, span, trace));
                    let decoded = MessageOf::<V>::decode(chunk.content, fifth_byte, trace);
                    let is_new = !context.has_no_effect && check != Some(SeqCheck::Old);
                    if let (Ok(message), true) = (decoded, is_new) {
                        self.message::<V, T>(context, &message, source, trace);
                    }
                }
                Err(error) => trace.error(error),
            }
            trace.exit();
            if read.is_err() {
                return;
            }
        }
        if !content.is_empty() {
            let (_, span) = trace_rest("extra_bytes", &mut content, trace);
            trace.warning(span, &warning::BYTES_AFTER_CHUNKS);
        }
    }

    fn sequence<T: Trace>(
        &mut self,
        from: ConversationSide,
        sequence: u16,
        span: Span,
        trace: &mut T,
    ) -> SeqCheck {
        let watched = match from {
            ConversationSide::First => &mut self.first,
            ConversationSide::Second => &mut self.second,
        };
        let check = watched.check(sequence);
        match check {
            SeqCheck::New => {}
            SeqCheck::Old => {
                self.resends = self.resends.saturating_add(1);
                trace.field("repeated", span, Value::Bool(true));
            }
            SeqCheck::Gap => {
                self.gaps = self.gaps.saturating_add(1);
                trace.warning(span, &warning::SEQUENCE_GAP);
            }
        }
        check
    }

    fn message<V: Version, T: Trace>(
        &mut self,
        context: PacketContext,
        message: &MessageOf<'_, V>,
        source: &[u8],
        trace: &mut T,
    ) {
        let from = context.from;
        if self.client.is_none() {
            let (system, id) = message.id();
            let sender = MessageOf::<V>::sender_of(system, id);
            self.client = sender.map(|sender| if sender == Role::Client { from } else { from.other() });
        }
        if message.id() == (true, MAP_CHANGE) && self.role(from) == Some(Role::Server) {
            // The server restarts its ticks with each map.
            self.snapshots.reset();
        }
        if let Message::System(system) = message
            && let Some(snapshot) = system.snapshot()
        {
            self.snapshots.follow::<V, T>(&snapshot, source, context.dialect.fifth_byte(), trace);
        }
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, _: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        trace.enter_source("datagram", data);
        trace.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        match self.resolve_dialect(from, data, trace) {
            Some(decoding) if decoding.dialect == Dialect::V07 => {
                self.packet::<V07, T>(decoding, from, data, trace);
            }
            Some(decoding) => self.packet::<V06, T>(decoding, from, data, trace),
            None => {
                trace.error(
                    &CodecError::new(0, "a packet of Teeworlds", Found::Bytes(data.len()))
                        .in_packet("packet"),
                );
            }
        }
        trace.exit();
        trace.exit();
    }

    fn dialect(&self) -> Option<&'static str> {
        self.dialect.map(Dialect::name)
    }

    fn client(&self) -> Option<ConversationSide> {
        self.client
    }
}
