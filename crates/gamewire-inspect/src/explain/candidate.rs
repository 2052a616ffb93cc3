use std::sync::Arc;

use crate::conversation::{ConversationLimits, Inspector, SocketPayload};
use crate::protocol::{
    Detect as _, Protocol, ProtocolConfig, next_freeciv_packet, trace_teeworlds_datagram,
    trace_teeworlds_message,
};
use gamewire_freeciv::delta::Direction;
use gamewire_freeciv::follow::{Definition, Definitions, StreamFollower};
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{ConversationSide, Instant, Record, Role, Transport};
use gamewire_teeworlds::Dialect;
use gamewire_wire::{CodecError, Found, Layer, Trace as _};

/// Teeworlds dialects of datagrams.
const TEEWORLDS: [Dialect; 4] = [Dialect::V07, Dialect::V06, Dialect::Tken, Dialect::V065];
/// Formats of Riptide.
const RIPTIDE: [&str; 2] = ["riptide-2.1", "riptide-2.0"];

/// A way to interpret bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Name of the dialect, as in the list of packets.
    pub dialect: String,
    /// The kind of content that the bytes are interpreted as.
    pub content: Content,
    /// The sender, for dialects in which client and server encode packets differently.
    pub sender: Option<Role>,
}

/// A kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A datagram.
    Datagram,
    /// Consecutive bytes of a stream.
    Stream,
    /// One message, in the form that it has inside a chunk of Teeworlds.
    Message,
}

impl Content {
    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Datagram => "datagram",
            Self::Stream => "stream",
            Self::Message => "message",
        }
    }
}

impl Candidate {
    /// Returns a unique name of this candidate.
    pub fn id(&self) -> String {
        let sender = self.sender.map_or("", Role::name);
        let Self { dialect, content, .. } = self;
        format!("{dialect} {} {sender}", content.name()).trim_end().to_owned()
    }
}

/// A measure of how badly bytes fit a candidate. The fields are compared in order.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Badness {
    errors: u32,
    warnings: u32,
    /// Number of unknown parts.
    unknown: usize,
}

/// Bytes that were decoded as one candidate.
#[derive(Debug)]
pub struct Explained {
    /// The candidate.
    pub candidate: Candidate,
    /// The decoded packets, messages and fields.
    pub record: Record,
}

impl Explained {
    /// Returns a measure of how badly the bytes fit. A lower value is more likely right.
    fn badness(&self) -> Badness {
        let unknown = self.record.nodes().filter(|node| node.name().starts_with("unknown")).count();
        Badness { errors: self.record.errors(), warnings: self.record.warnings(), unknown }
    }

    fn has_message(&self) -> bool {
        self.record.nodes().any(|node| node.kind() == NodeKind::Group(Layer::Message))
    }

    fn is_good(&self) -> bool {
        self.badness() == Badness::default() && self.has_message()
    }

    /// Returns whether this result can be right instead of the best one. It must have another dialect, and either no
    /// problem at all, or no error and a dialect of the same protocol.
    fn is_rival_of(&self, best: &Self) -> bool {
        let (own, other) = (&self.candidate.dialect, &best.candidate.dialect);
        let family = |dialect: &str| dialect.split('-').next().map(str::to_owned);
        own != other && (self.is_good() || self.record.errors() == 0 && family(own) == family(other))
    }

    /// Returns whether almost any bytes decode to such a result: a part of a packet without a message, or a Riptide
    /// message with application data, which has no fixed layout.
    fn is_weak(&self) -> bool {
        let is_opaque = |node: NodeRef<'_>| {
            node.kind() == NodeKind::Group(Layer::Message)
                && matches!(node.name(), "unreliable" | "reliable" | "notify")
        };
        self.candidate.content == Content::Message
            || !self.has_message()
            || self.record.nodes().any(is_opaque)
    }
}

/// Returns all ways to interpret bytes.
pub fn candidates(config: &ProtocolConfig) -> Vec<Candidate> {
    let both = [Some(Role::Server), Some(Role::Client)];
    let teeworlds = TEEWORLDS.into_iter().flat_map(|dialect| {
        both.map(|sender| Candidate { dialect: dialect.name().into(), content: Content::Datagram, sender })
    });
    let messages = [Dialect::V07, Dialect::V06].map(|dialect| Candidate {
        dialect: dialect.name().into(),
        content: Content::Message,
        sender: None,
    });
    let riptide = RIPTIDE.into_iter().flat_map(|format| {
        [Content::Datagram, Content::Stream].map(|content| Candidate {
            dialect: format.into(),
            content,
            sender: None,
        })
    });
    let names = config.freeciv.iter().map(|definition| definition.protocol().name.to_lowercase());
    let freeciv = names.flat_map(|dialect| {
        both.map(|sender| Candidate { dialect: dialect.clone(), content: Content::Stream, sender })
    });
    teeworlds.chain(riptide).chain(freeciv).chain(messages).collect()
}

/// All ways to decode some bytes.
#[derive(Debug)]
pub struct Explanations {
    /// The results, likeliest first.
    pub found: Vec<Explained>,
    /// The first result is certainly right. If not, the user must choose.
    pub is_certain: bool,
}

/// Decodes bytes as every candidate.
pub fn explain(bytes: &[u8], config: &ProtocolConfig) -> Explanations {
    let mut found: Vec<_> =
        candidates(config).into_iter().filter_map(|candidate| candidate.explain(bytes, config)).collect();
    let detected = detect(bytes, config);
    let is_detected =
        |explained: &Explained| detected.as_ref().is_some_and(|name| *name == explained.candidate.dialect);
    // Among results that fit equally well, the detected dialect is first, and a result that fits almost any bytes is last.
    found.sort_by_cached_key(|explained| (explained.badness(), explained.is_weak(), !is_detected(explained)));
    let best = found.first();
    let is_certain = best.is_some_and(|best| {
        let mut rivals = found.iter().skip(1).filter(|other| other.candidate.content != Content::Message);
        let has_rival = rivals.any(|other| other.is_rival_of(best));
        best.is_good() && !best.is_weak() && (is_teeworlds(best) && is_detected(best) || !has_rival)
    });
    Explanations { found, is_certain }
}

/// Decodes a datagram in a known dialect. If this fails, the record contains only the bytes.
pub fn datagram(dialect: Option<&str>, sender: Role, bytes: &[u8], config: &ProtocolConfig) -> Record {
    let read = |dialect: &str| {
        let sender = dialect.starts_with("tw-").then_some(sender);
        Candidate { dialect: dialect.to_owned(), content: Content::Datagram, sender }.explain(bytes, config)
    };
    let explained = dialect.and_then(read).filter(|explained| explained.record.errors() == 0);
    explained.map_or_else(
        || {
            let mut record = Record::new();
            record.enter_source("datagram", bytes);
            record.exit();
            record
        },
        |explained| explained.record,
    )
}

/// Returns whether the dialect is one of Teeworlds. A detection of Teeworlds is reliable, because its packets have a
/// distinctive form.
fn is_teeworlds(explained: &Explained) -> bool {
    explained.candidate.dialect.starts_with("tw-")
}

/// Returns the dialect that the detection for new conversations finds in the bytes.
fn detect(bytes: &[u8], config: &ProtocolConfig) -> Option<String> {
    let (from, to) = (([127, 0, 0, 1], 40_000).into(), ([127, 0, 0, 1], 1).into());
    [Transport::Udp, Transport::Tcp].into_iter().find_map(|transport| {
        let mut inspector = Inspector::<Protocol>::with_config(ConversationLimits::default(), config.clone());
        let mut record = Record::new();
        let payload = SocketPayload { transport, number: 1, time: 0, from, to, data: bytes };
        let outcome = inspector.payload(&payload, &mut record)?;
        outcome.packet().filter(|_| record.errors() == 0)?.dialect.map(str::to_owned)
    })
}

impl Candidate {
    /// Decodes bytes as this candidate. Returns `None` if the dialect is unknown or does not have this content.
    pub fn explain(self, bytes: &[u8], config: &ProtocolConfig) -> Option<Explained> {
        let mut record = Record::new();
        let from = ConversationSide::First;
        let client = if self.sender == Some(Role::Server) { from.other() } else { from };
        let teeworlds = TEEWORLDS.into_iter().find(|dialect| dialect.name() == self.dialect);
        match (teeworlds, self.content) {
            (Some(dialect), Content::Datagram) => {
                let mut follower = gamewire_teeworlds::Follower::of_dialect(dialect, client);
                trace_teeworlds_datagram(&mut follower, from, bytes, &mut record);
            }
            (Some(dialect), Content::Message) => {
                record.enter_source("message", bytes);
                // Ignored, because the decoder has added the error to the record.
                let _ = trace_teeworlds_message(dialect, bytes, &mut record);
                record.exit();
            }
            (Some(_), Content::Stream) => return None,
            (None, _) if RIPTIDE.contains(&self.dialect.as_str()) => {
                let mut follower = match self.content {
                    Content::Datagram => gamewire_riptide::Follower::of_datagrams(&self.dialect),
                    Content::Stream => gamewire_riptide::Follower::of_streams(&self.dialect),
                    Content::Message => None,
                }?;
                follower.set_layouts(Arc::clone(&config.riptide_messages));
                let mut follower = Protocol::Riptide(Box::new(follower));
                follower.follow_to(Instant::ZERO, from, bytes, (&mut record).into());
            }
            (None, Content::Stream) => self.explain_freeciv(bytes, config, &mut record)?,
            (None, Content::Datagram | Content::Message) => return None,
        }
        Some(Explained { candidate: self, record })
    }

    fn explain_freeciv(&self, bytes: &[u8], config: &ProtocolConfig, record: &mut Record) -> Option<()> {
        let is_it =
            |definition: &&Arc<Definition>| definition.protocol().name.eq_ignore_ascii_case(&self.dialect);
        let definition = config.freeciv.iter().find(is_it)?;
        let definitions =
            Arc::new(Definitions::clone(&config.freeciv).with_definition(Arc::clone(definition)));
        let direction = match self.sender {
            Some(Role::Client) => Direction::ToServer,
            _ => Direction::ToClient,
        };
        let read = |mut follower: StreamFollower, record: &mut Record| {
            let mut rest = bytes;
            while next_freeciv_packet(&mut follower, &mut rest, record).is_some() {}
            let pending = usize::try_from(follower.pending_bytes()).unwrap_or(usize::MAX);
            if pending > 0 {
                let at = bytes.len().saturating_sub(pending);
                record.error(&CodecError::new(at, "a whole packet", Found::Bytes(pending)));
            }
        };
        // Try the bytes as the start of a connection, then as later bytes.
        let limits = config.freeciv_limits;
        read(StreamFollower::new(&definitions, direction, None, limits), record);
        if record.errors() > 0 {
            let mut later = Record::new();
            read(StreamFollower::joined(&definitions, definition, direction, limits), &mut later);
            *record = later;
        }
        Some(())
    }
}
