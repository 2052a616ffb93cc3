#![cfg_attr(
    not(all(feature = "teeworlds", feature = "riptide", feature = "freeciv")),
    allow(unused_variables, unused_mut, reason = "some parameters are for one protocol only")
)]

#[cfg(any(feature = "riptide", feature = "freeciv"))]
use std::sync::Arc;

#[cfg(feature = "freeciv")]
use gamewire_freeciv::follow::{self as freeciv_follow, Definitions, FollowLimits};
use gamewire_machine::record::NodeRef;
use gamewire_machine::{ConversationSide, Follow, Instant, Transport};
#[cfg(feature = "riptide")]
use gamewire_riptide::{follow as riptide_follow, layout::MessageLayouts};
use gamewire_wire::Trace;

#[cfg(feature = "freeciv")]
use super::freeciv;
#[cfg(feature = "riptide")]
use super::riptide;
#[cfg(feature = "teeworlds")]
use super::teeworlds;
use super::{Catalog, Detect, Detection, SendState, TraceTarget};

/// The follower of one conversation in any protocol.
pub enum Protocol {
    /// Teeworlds and DDNet, every dialect.
    #[cfg(feature = "teeworlds")]
    Teeworlds(Box<gamewire_teeworlds::Follower>),
    /// Riptide, both formats.
    #[cfg(feature = "riptide")]
    Riptide(Box<gamewire_riptide::Follower>),
    /// Freeciv, any version with a definition.
    #[cfg(feature = "freeciv")]
    Freeciv(Box<freeciv_follow::Follower>),
}

/// The state of detection of an unrecognized conversation, by protocol.
#[derive(Clone, Debug, Default)]
pub struct Detectors {
    #[cfg(feature = "riptide")]
    riptide: riptide_follow::Detector,
    #[cfg(feature = "freeciv")]
    freeciv: freeciv_follow::Detector,
}

/// Configuration of the protocols.
#[derive(Clone, Debug, Default)]
pub struct ProtocolConfig {
    /// Layouts of the application's own Riptide messages.
    #[cfg(feature = "riptide")]
    pub riptide_messages: Arc<MessageLayouts>,
    /// Versions of Freeciv that can be followed.
    #[cfg(feature = "freeciv")]
    pub freeciv: Arc<Definitions>,
    /// Limits for each Freeciv conversation.
    #[cfg(feature = "freeciv")]
    pub freeciv_limits: FollowLimits,
}

/// Evaluates an expression for the follower of the variant of `$protocol`.
macro_rules! dispatch {
    ($protocol:ident, [$($follower:tt)+] => $result:expr) => {
        match *$protocol {
            #[cfg(feature = "teeworlds")]
            Self::Teeworlds($($follower)+) => $result,
            #[cfg(feature = "riptide")]
            Self::Riptide($($follower)+) => $result,
            #[cfg(feature = "freeciv")]
            Self::Freeciv($($follower)+) => $result,
        }
    };
}

impl Detect for Protocol {
    type Detector = Detectors;
    type Config = ProtocolConfig;

    fn detect(
        config: &ProtocolConfig,
        detectors: &mut Detectors,
        transport: Transport,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self> {
        match transport {
            Transport::Udp => Self::detect_datagram(config, detectors, from, data),
            Transport::Tcp => Self::detect_stream(config, detectors, from, data),
        }
    }

    fn is_candidate(data: &[u8]) -> bool {
        #[cfg(feature = "riptide")]
        if riptide_follow::Detector::is_candidate(data) {
            return true;
        }
        #[cfg(feature = "freeciv")]
        if freeciv_follow::Detector::is_candidate(data) {
            return true;
        }
        false
    }

    #[inline(never)]
    fn follow_to(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: TraceTarget<'_>) {
        trace.follow(self, at, from, data);
    }

    fn skip(&mut self, from: ConversationSide, bytes: u64) {
        match *self {
            // Teeworlds has no streams.
            #[cfg(feature = "teeworlds")]
            Self::Teeworlds(_) => {}
            #[cfg(feature = "riptide")]
            Self::Riptide(ref mut follower) => follower.skip(from, bytes),
            #[cfg(feature = "freeciv")]
            Self::Freeciv(ref mut follower) => follower.skip(from, bytes),
        }
    }

    fn protocol(&self) -> &'static str {
        match *self {
            #[cfg(feature = "teeworlds")]
            Self::Teeworlds(_) => teeworlds::NAME,
            #[cfg(feature = "riptide")]
            Self::Riptide(_) => riptide::NAME,
            #[cfg(feature = "freeciv")]
            Self::Freeciv(_) => freeciv::NAME,
        }
    }

    fn counters(&self, report: &mut dyn FnMut(&'static str, u64)) {
        dispatch!(self, [ref follower] => follower.counters(report))
    }

    fn resume(&self, send: &mut SendState<'_>) {
        match *self {
            #[cfg(feature = "teeworlds")]
            Self::Teeworlds(ref follower) => follower.resume(&mut |side, data| send(side, None, data)),
            #[cfg(feature = "riptide")]
            Self::Riptide(ref follower) => follower.resume(send),
            #[cfg(feature = "freeciv")]
            Self::Freeciv(ref follower) => follower.resume(&mut |side, data| send(side, None, data)),
        }
    }

    fn held_bytes(&self) -> usize {
        dispatch!(self, [ref follower] => follower.held_bytes())
    }
}

impl Protocol {
    fn detect_datagram(
        config: &ProtocolConfig,
        detectors: &mut Detectors,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self> {
        // Teeworlds is first, because its packets have a distinctive form.
        #[cfg(feature = "teeworlds")]
        if let Some(follower) = gamewire_teeworlds::Follower::detect(data) {
            return Detection::Match(Self::Teeworlds(Box::new(follower)));
        }
        #[cfg(feature = "riptide")]
        return Self::riptide(config, detectors.riptide.datagram(from, data));
        #[cfg(not(feature = "riptide"))]
        Detection::NoMatch
    }

    fn detect_stream(
        config: &ProtocolConfig,
        detectors: &mut Detectors,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self> {
        let mut otherwise = Detection::NoMatch;
        #[cfg(feature = "freeciv")]
        {
            use freeciv_follow::{Detection as OfFreeciv, Follower};
            let (definitions, limits) = (&config.freeciv, config.freeciv_limits);
            match detectors.freeciv.run(from, data) {
                OfFreeciv::Begins(client) => {
                    return Self::freeciv(Follower::new(definitions, client, limits));
                }
                OfFreeciv::Late(client) => return Self::freeciv(Follower::late(definitions, client, limits)),
                OfFreeciv::Possible => otherwise = Detection::Possible,
                _ => {}
            }
        }
        #[cfg(feature = "riptide")]
        match Self::riptide(config, detectors.riptide.run(from, data)) {
            Detection::NoMatch => {}
            detection => return detection,
        }
        otherwise
    }

    #[cfg(feature = "riptide")]
    fn riptide(config: &ProtocolConfig, detection: riptide_follow::Detection) -> Detection<Self> {
        match detection {
            riptide_follow::Detection::Match(mut follower) => {
                follower.set_layouts(Arc::clone(&config.riptide_messages));
                Detection::Match(Self::Riptide(follower))
            }
            riptide_follow::Detection::Possible => Detection::Possible,
            riptide_follow::Detection::NoMatch => Detection::NoMatch,
        }
    }

    #[cfg(feature = "freeciv")]
    fn freeciv(follower: freeciv_follow::Follower) -> Detection<Self> {
        Detection::Match(Self::Freeciv(Box::new(follower)))
    }
}

impl Follow for Protocol {
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        #[cfg(feature = "teeworlds")]
        if matches!(self, Self::Teeworlds(_)) && data.len() > teeworlds::MAX_DATAGRAM {
            return teeworlds::trace_merged(data, trace);
        }
        dispatch!(self, [ref mut follower] => follower.follow(at, from, data, trace))
    }

    fn dialect(&self) -> Option<&'static str> {
        dispatch!(self, [ref follower] => follower.dialect())
    }

    fn client(&self) -> Option<ConversationSide> {
        dispatch!(self, [ref follower] => follower.client())
    }
}

impl Catalog {
    /// Returns a catalog with every name of every protocol, without user-defined messages and packets.
    pub fn with_all_protocols() -> Self {
        let mut catalog = Self::new();
        #[cfg(feature = "teeworlds")]
        {
            teeworlds::groups().for_each(|group| catalog.add(group));
            teeworlds::common().for_each(|field| catalog.add_common(field));
        }
        #[cfg(feature = "riptide")]
        {
            riptide::groups().for_each(|group| catalog.add(group));
            riptide::common().for_each(|field| catalog.add_common(field));
        }
        #[cfg(feature = "freeciv")]
        freeciv::groups().for_each(|group| catalog.add(group));
        catalog
    }

    /// Adds the names of an application's own Riptide messages.
    #[cfg(feature = "riptide")]
    pub fn add_riptide_messages(&mut self, layouts: &MessageLayouts) {
        riptide::messages(layouts).for_each(|group| self.add(group));
    }

    /// Adds the names of the packets of all definitions of Freeciv.
    #[cfg(feature = "freeciv")]
    pub fn add_freeciv_packets(&mut self, definitions: &Definitions) {
        for definition in definitions.iter() {
            freeciv::packets(definition.protocol()).for_each(|group| self.add(group));
            freeciv::aliases(definition.protocol()).for_each(|alias| self.add_alias(alias));
        }
    }
}

/// Returns the name of the groups that are packets, if a run of bytes of the protocol may contain several of them.
pub(crate) fn packet_group(protocol: &str) -> Option<&'static str> {
    #[cfg(feature = "freeciv")]
    if protocol == freeciv::NAME {
        return Some("frame");
    }
    None
}

/// Returns whether one-line output hides a field of a protocol, because the name of its message implies it.
pub(crate) fn redundancy(protocol: &str) -> fn(NodeRef<'_>) -> bool {
    match protocol {
        #[cfg(feature = "teeworlds")]
        teeworlds::NAME => teeworlds::is_redundant,
        #[cfg(feature = "riptide")]
        riptide::NAME => riptide::is_redundant,
        #[cfg(feature = "freeciv")]
        freeciv::NAME => freeciv::is_redundant,
        _ => |_| false,
    }
}
