use gamewire_machine::Role;
use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::{CodecError, Found, Layer, Reader, Span, Trace, Value};

use super::conversation::{SeqCheck, Sequence, Tokens};
use super::dialect::detect;
use super::snapshots::Snapshots;
use crate::Dialect;
use crate::shared::connless::trace_connless;
use crate::shared::control::Control;
use crate::shared::data::{Token, trace_rest};
use crate::shared::message::{Message, MessageId};
use crate::shared::packet::{Header, MAX_PAYLOAD, Packet, inflate};
use crate::shared::version::{MessageOf, SystemSet, Version};
use crate::shared::warning;
use crate::v06::V06;
use crate::v07::V07;

/// The number of MAP_CHANGE, in both versions.
const MAP_CHANGE: MessageId = MessageId::Number(2);

/// So many datagrams in a row that fit a dialect exactly settle it as a handshake does.
const MATCHES_TO_LOCK: u8 = 16;

/// Follows one conversation of any dialect: tokens, compression, sequence numbers, snapshots.
///
/// What it keeps is bounded: the snapshots of three seconds or 4 MiB, one snapshot in parts, one
/// payload.
#[derive(Debug, Default)]
pub struct Follower {
    dialect: Option<Dialect>,
    /// The dialect was settled by a handshake, or by fitting often; otherwise another may turn out
    /// to fit.
    is_locked: bool,
    /// How many datagrams without a handshake fitted `dialect` one after another.
    fitted: u8,
    /// Who offered a new connection in the midst of this one, and in which dialect.
    offer: Option<(ConversationSide, Dialect)>,
    client: Option<ConversationSide>,
    tokens: Tokens,
    first: Sequence,
    second: Sequence,
    snapshots: Snapshots,
    inflated: Vec<u8>,
    resends: u64,
    gaps: u64,
}

/// One packet that belongs to a connection, as far as it is known when its payload is read.
#[derive(Clone, Copy)]
struct PacketContext {
    dialect: Dialect,
    from: ConversationSide,
    header: Header,
    /// It changes nothing: its token is not the one that its receiver handed out, or it is a
    /// handshake that only one end takes part in.
    has_no_effect: bool,
}

impl Follower {
    /// A follower of the conversation that `datagram` belongs to; `None` when that is not
    /// Teeworlds. The datagram itself is then to be followed like all later ones.
    #[must_use]
    pub fn recognise(datagram: &[u8]) -> Option<Self> {
        detect(datagram).map(|_| Self::default())
    }

    /// The dialect as far as it is known; [`Follow::dialect`] gives its name.
    #[must_use]
    pub const fn dialect_kind(&self) -> Option<Dialect> {
        self.dialect
    }

    /// About how much memory the follower holds beside itself, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.snapshots.held_bytes().saturating_add(self.inflated.capacity())
    }

    /// Tells what was counted so far, by name.
    pub fn counters(&self, mut tell: impl FnMut(&'static str, u64)) {
        let counts = self.snapshots.counts();
        tell("snapshots", counts.good);
        tell("empty_snapshots", counts.empty);
        tell("bad_snapshots", counts.bad);
        tell("snapshots_missing_base", counts.missing_base);
        tell("duplicate_chunks", self.resends);
        tell("sequence_gaps", self.gaps);
    }

    /// Settles what `datagram` shows of dialect and roles; the dialect to read it in, and whether it
    /// is only an offer, or an answer to none, which changes nothing.
    fn resolve_dialect<T: Trace>(
        &mut self,
        from: ConversationSide,
        datagram: &[u8],
        trace: &mut T,
    ) -> Option<(Dialect, bool)> {
        let known = self.dialect.map(|dialect| (dialect, false));
        if self.is_locked && !could_be_handshake(datagram) && self.client.is_some() {
            return known;
        }
        let Some(evidence) = detect(datagram) else { return known };
        let client = evidence.sender.map(|sender| if sender == Role::Client { from } else { from.other() });
        if evidence.is_connless {
            self.dialect = self.dialect.or(Some(evidence.dialect));
            self.client = self.client.or(client);
            return Some((evidence.dialect, false));
        }
        if known.is_none() && !evidence.is_handshake {
            trace.warning(Span::bytes(0, datagram.len()), &warning::LATE_START);
        }
        if evidence.is_handshake {
            let offers = evidence.sender == Some(Role::Client) && !is_accept_06(datagram);
            if !self.confirm_handshake(from, evidence.dialect, offers) {
                return Some((evidence.dialect, true));
            }
            if offers && evidence.dialect != Dialect::V07 {
                self.reset();
            }
            self.dialect = Some(evidence.dialect);
            self.is_locked = !offers || evidence.dialect == Dialect::V07;
        } else if !self.is_locked {
            let fits_again = self.dialect == Some(evidence.dialect);
            self.fitted = if fits_again { self.fitted.saturating_add(1) } else { 0 };
            self.is_locked = self.fitted >= MATCHES_TO_LOCK;
            self.dialect = Some(evidence.dialect);
        }
        self.client = client.or(self.client);
        self.dialect.map(|dialect| (dialect, false))
    }

    /// Whether a handshake counts. In the midst of a conversation one end alone could be anybody,
    /// so that an offer of a new one is only remembered until the other end takes it up.
    fn confirm_handshake(&mut self, from: ConversationSide, dialect: Dialect, offers: bool) -> bool {
        let is_seven = |dialect| dialect == Dialect::V07;
        if !self.is_locked || (is_seven(dialect) && self.dialect.is_some_and(is_seven)) {
            return true;
        }
        if offers {
            self.offer = Some((from, dialect));
            return false;
        }
        let answers = self
            .offer
            .is_some_and(|(by, offered)| by == from.other() && is_seven(offered) == is_seven(dialect));
        if answers {
            self.reset();
        }
        answers
    }

    fn reset(&mut self) {
        (self.tokens, self.offer) = Default::default();
        self.begin_anew_with_tokens();
    }

    fn begin_anew_with_tokens(&mut self) {
        (self.first, self.second) = Default::default();
        self.snapshots.reset();
    }

    fn side(&self, from: ConversationSide) -> Option<Role> {
        self.client.map(|client| if client == from { Role::Client } else { Role::Server })
    }

    fn packet<V: Version, T: Trace>(
        &mut self,
        (dialect, in_vain): (Dialect, bool),
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
                let seen = PacketContext { dialect, from, header, has_no_effect: in_vain };
                self.connected::<V, T>(seen, payload, trace);
            }
            Err(error) => trace.error(&error),
        }
    }

    fn connected<V: Version, T: Trace>(&mut self, seen: PacketContext, payload: Reader<'_>, trace: &mut T) {
        if !seen.header.compressed {
            return self.payload::<V, T>(seen, payload, trace);
        }
        let mut buffer = core::mem::take(&mut self.inflated);
        buffer.resize(MAX_PAYLOAD, 0);
        match inflate(payload.remaining(), &mut buffer) {
            Ok(inflated) => {
                trace.enter_source("payload", inflated);
                self.payload::<V, T>(seen, Reader::new(inflated), trace);
                trace.exit();
            }
            Err(error) => trace.error(&error),
        }
        self.inflated = buffer;
    }

    fn payload<V: Version, T: Trace>(&mut self, mut seen: PacketContext, payload: Reader<'_>, trace: &mut T) {
        let (content, token) = match split_token(&seen, payload, trace) {
            Ok(parts) => parts,
            Err(error) => return trace.error(&error),
        };
        let side = self.side(seen.from);
        let accepted = side.zip(token).is_none_or(|(side, token)| self.tokens.accepts(side, token));
        if accepted && !seen.has_no_effect && seen.header.control {
            match content.remaining().first() {
                // In 0.7 a connection begins with CONNECT, once the tokens are exchanged.
                Some(1) if seen.dialect == Dialect::V07 => self.begin_anew_with_tokens(),
                // After CLOSE 0.6.5 opens another connection with the same token and no CONNECT;
                // snapshots may still be on their way.
                Some(4) => (self.first, self.second) = Default::default(),
                _ => {}
            }
        }
        let hands_out = handed_out(&seen, content.remaining(), token);
        if !seen.has_no_effect && hands_out.is_none() {
            seen.has_no_effect = !accepted;
            if seen.has_no_effect {
                trace.warning(Span::default(), &warning::WRONG_TOKEN);
            }
        }
        if let Some((side, token)) = side.zip(hands_out).filter(|_| !seen.has_no_effect) {
            self.tokens.handed_out(side, token);
            if seen.dialect != Dialect::V07 {
                // Both directions carry the server's token.
                self.tokens.handed_out(side.other(), token);
            }
        }
        if seen.header.control {
            // What it says was told while it was read, and so were errors.
            let _ = Control::<V::Control<'_>>::decode(content, trace);
        } else {
            self.chunks::<V, T>(seen, content, trace);
        }
    }

    fn chunks<V: Version, T: Trace>(&mut self, seen: PacketContext, mut content: Reader<'_>, trace: &mut T) {
        let source = content.source();
        let fifth_byte = seen.dialect.fifth_byte();
        for _ in 0..seen.header.chunks {
            let at = content.offset();
            trace.enter(Layer::Group, "chunk", Span::bytes(at, at));
            let read = V::read_chunk(&mut content, trace);
            match &read {
                Ok(chunk) => {
                    let sequence = chunk.header.sequence.filter(|_| !seen.has_no_effect);
                    let span = Span::bytes(at, content.offset());
                    let fit = sequence.map(|sequence| self.sequence(seen.from, sequence, span, trace));
                    let decoded = MessageOf::<V>::decode(chunk.content, fifth_byte, trace);
                    let is_news = !seen.has_no_effect && fit != Some(SeqCheck::Repeated);
                    if let (Ok(message), true) = (decoded, is_news) {
                        self.message::<V, T>(seen, &message, source, trace);
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
        let fit = watched.take(sequence);
        match fit {
            SeqCheck::Next => {}
            SeqCheck::Repeated => {
                self.resends = self.resends.saturating_add(1);
                trace.field("repeated", span, Value::Bool(true));
            }
            SeqCheck::Gap => {
                self.gaps = self.gaps.saturating_add(1);
                trace.warning(span, &warning::SEQUENCE_GAP);
            }
        }
        fit
    }

    fn message<V: Version, T: Trace>(
        &mut self,
        seen: PacketContext,
        message: &MessageOf<'_, V>,
        source: &[u8],
        trace: &mut T,
    ) {
        let from = seen.from;
        if self.client.is_none() {
            let (system, id) = message.id();
            self.client =
                V::sender(system, id).map(|sender| if sender == Role::Client { from } else { from.other() });
        }
        if message.id() == (true, MAP_CHANGE) && self.side(from) == Some(Role::Server) {
            // Ticks begin anew with a map.
            self.snapshots.reset();
        }
        if let Message::System(system) = message
            && let Some(snapshot) = system.snapshot()
        {
            self.snapshots.follow::<V, T>(&snapshot, source, seen.dialect.fifth_byte(), trace);
        }
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, _: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        trace.enter_source("datagram", data);
        trace.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        match self.resolve_dialect(from, data, trace) {
            Some(as_what @ (Dialect::V07, _)) => self.packet::<V07, T>(as_what, from, data, trace),
            Some(as_what) => self.packet::<V06, T>(as_what, from, data, trace),
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

/// Control packets and browsing messages are looked at anew also when the dialect is settled.
fn could_be_handshake(datagram: &[u8]) -> bool {
    datagram.first().is_some_and(|flags| flags & 0x34 != 0)
        && datagram.get(2).is_none_or(|chunks| *chunks == 0 || *chunks == 0xff)
        || datagram.starts_with(b"xe")
        || datagram.first() == Some(&0x21)
}

/// Whether this is ACCEPT of 0.6: the client's, but not an offer.
fn is_accept_06(datagram: &[u8]) -> bool {
    matches!(datagram, [flags, _, 0, 3, ..] if flags & 0xfc == 0x10)
}

/// Splits the token off the end of a payload where the dialect has it there, and gives the token
/// of the packet, wherever it stands.
fn split_token<'a, T: Trace>(
    seen: &PacketContext,
    mut payload: Reader<'a>,
    trace: &mut T,
) -> Result<(Reader<'a>, Option<Token>), CodecError> {
    if seen.dialect != Dialect::Tken {
        return Ok((payload, seen.header.token));
    }
    let length = payload.remaining().len();
    let content = payload.sub(length.saturating_sub(4), "a payload")?;
    let at = payload.offset();
    let token =
        payload.be_u32("the 4 bytes of a token at the end").map_err(|error| error.in_packet("packet"))?;
    trace.field(
        "tken_token",
        Span::bytes(at, payload.offset()),
        Value::Hex { value: token.into(), digits: 8 },
    );
    Ok((content, Some(Token(token))))
}

/// The token that a control message hands out to its receiver.
fn handed_out(seen: &PacketContext, content: &[u8], at_the_end: Option<Token>) -> Option<Token> {
    match (seen.dialect, content) {
        _ if !seen.header.control => None,
        (Dialect::V07, [1 | 5, a, b, c, d, ..]) | (Dialect::V065, [2, a, b, c, d]) => {
            Some(Token(u32::from_be_bytes([*a, *b, *c, *d])))
        }
        (Dialect::Tken, [2, ..]) => at_the_end,
        _ => None,
    }
}
