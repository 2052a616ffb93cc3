use std::sync::Arc;

use gamewire_freeciv::follow::{Definitions, Detection as OfFreeciv, FollowLimits};
use gamewire_machine::record::NodeRef;
use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_riptide::follow::{Detection as OfRiptide, Detector};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_wire::Trace;

use super::{Catalog, Detect, Detection, Transport, freeciv, riptide, teeworlds};

/// The follower of one conversation, of whichever protocol it is in.
pub enum Protocol {
    /// Teeworlds and DDNet, every dialect.
    Teeworlds(Box<gamewire_teeworlds::Follower>),
    /// Riptide, both formats.
    Riptide(Box<gamewire_riptide::Follower>),
    /// Freeciv, any version of which there is a definition.
    Freeciv(Box<gamewire_freeciv::follow::Follower>),
}

/// What was seen of a conversation that nobody has recognised yet, by protocol.
#[derive(Clone, Debug, Default)]
pub struct Detectors {
    riptide: Detector,
    freeciv: gamewire_freeciv::follow::Detector,
}

/// What a user has told of the protocols beforehand.
#[derive(Clone, Debug, Default)]
pub struct ProtocolConfig {
    /// What the user's own messages of Riptide look like.
    pub riptide_messages: Arc<MessageLayouts>,
    /// The versions of Freeciv that can be followed.
    pub freeciv: Arc<Definitions>,
    /// What following a conversation of Freeciv may cost.
    pub freeciv_limits: FollowLimits,
}

impl Detect for Protocol {
    type Detector = Detectors;
    type Settings = ProtocolConfig;

    fn recognise(
        settings: &ProtocolConfig,
        suspicions: &mut Detectors,
        transport: Transport,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self> {
        // Teeworlds comes first: its packets have a form of their own.
        if transport == Transport::Udp {
            if let Some(follower) = gamewire_teeworlds::Follower::detect(data) {
                return Detection::Match(Self::Teeworlds(Box::new(follower)));
            }
            return Self::riptide(settings, suspicions.riptide.datagram(from, data));
        }
        let (definitions, limits) = (&settings.freeciv, settings.freeciv_limits);
        let of_freeciv = match suspicions.freeciv.run(from, data) {
            OfFreeciv::Begins(client) => gamewire_freeciv::follow::Follower::new(definitions, client, limits),
            OfFreeciv::Late(client) => gamewire_freeciv::follow::Follower::late(definitions, client, limits),
            perhaps => {
                return match Self::riptide(settings, suspicions.riptide.run(from, data)) {
                    Detection::NoMatch if perhaps == OfFreeciv::Possible => Detection::Possible,
                    verdict => verdict,
                };
            }
        };
        Detection::Match(Self::Freeciv(Box::new(of_freeciv)))
    }

    fn is_candidate(data: &[u8]) -> bool {
        Detector::is_candidate(data) || gamewire_freeciv::follow::Detector::is_candidate(data)
    }

    fn skip(&mut self, from: ConversationSide, bytes: u64) {
        match self {
            Self::Teeworlds(_) => {}
            Self::Riptide(follower) => follower.skip(from, bytes),
            Self::Freeciv(follower) => follower.skip(from, bytes),
        }
    }

    fn protocol(&self) -> &'static str {
        match self {
            Self::Teeworlds(_) => teeworlds::NAME,
            Self::Riptide(_) => riptide::NAME,
            Self::Freeciv(_) => freeciv::NAME,
        }
    }

    fn counters(&self, tell: &mut dyn FnMut(&'static str, u64)) {
        match self {
            Self::Teeworlds(follower) => follower.counters(tell),
            Self::Riptide(follower) => follower.counters(tell),
            Self::Freeciv(follower) => follower.counters(tell),
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            Self::Teeworlds(follower) => follower.held_bytes(),
            Self::Riptide(follower) => follower.held_bytes(),
            Self::Freeciv(follower) => follower.held_bytes(),
        }
    }
}

impl Protocol {
    fn riptide(settings: &ProtocolConfig, detection: OfRiptide) -> Detection<Self> {
        match detection {
            OfRiptide::Match(mut follower) => {
                follower.set_layouts(Arc::clone(&settings.riptide_messages));
                Detection::Match(Self::Riptide(follower))
            }
            OfRiptide::Possible => Detection::Possible,
            OfRiptide::NoMatch => Detection::NoMatch,
        }
    }
}

impl Follow for Protocol {
    #[inline]
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        match self {
            Self::Teeworlds(follower) => follower.follow(at, from, data, trace),
            Self::Riptide(follower) => follower.follow(at, from, data, trace),
            Self::Freeciv(follower) => follower.follow(at, from, data, trace),
        }
    }

    fn dialect(&self) -> Option<&'static str> {
        match self {
            Self::Teeworlds(follower) => follower.dialect(),
            Self::Riptide(follower) => follower.dialect(),
            Self::Freeciv(follower) => follower.dialect(),
        }
    }

    fn client(&self) -> Option<ConversationSide> {
        match self {
            Self::Teeworlds(follower) => follower.client(),
            Self::Riptide(follower) => follower.client(),
            Self::Freeciv(follower) => follower.client(),
        }
    }
}

impl Catalog {
    /// Every name of every protocol.
    #[must_use]
    pub fn with_all_protocols() -> Self {
        let mut catalogue = Self::new();
        teeworlds::groups().for_each(|group| catalogue.add(group));
        teeworlds::common().for_each(|field| catalogue.add_common(field));
        riptide::groups().for_each(|group| catalogue.add(group));
        riptide::common().for_each(|field| catalogue.add_common(field));
        freeciv::groups().for_each(|group| catalogue.add(group));
        catalogue
    }
}

impl Catalog {
    /// Adds the names of a user's own messages of Riptide.
    pub fn add_riptide_messages(&mut self, layouts: &MessageLayouts) {
        riptide::messages(layouts).for_each(|group| self.add(group));
    }

    /// Adds the names of the packets of Freeciv.
    pub fn add_freeciv_packets(&mut self, definitions: &Definitions) {
        for definition in definitions.iter() {
            freeciv::packets(definition.protocol()).for_each(|group| self.add(group));
        }
    }
}

/// Whether a field says nothing to people that the name of its message does not say: ids, mostly.
pub(crate) fn is_redundant(protocol: &str, field: NodeRef<'_>) -> bool {
    match protocol {
        teeworlds::NAME => teeworlds::PLUMBING.contains(&field.name()),
        riptide::NAME => riptide::PLUMBING.contains(&field.name()),
        freeciv::NAME => freeciv::is_plumbing(field),
        _ => false,
    }
}
