use std::sync::Arc;

use gamewire_machine::{End, Follow, Instant};
use gamewire_riptide::follow::{Suspicion, Verdict};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_wire::Trace;

use super::{Catalogue, Recognise, Recognised, Transport, riptide, teeworlds};

/// The follower of one conversation, of whichever protocol it is in.
pub enum Protocol {
    /// Teeworlds and DDNet, every dialect.
    Teeworlds(Box<gamewire_teeworlds::Follower>),
    /// Riptide, both formats.
    Riptide(Box<gamewire_riptide::Follower>),
}

/// What a user has told of the protocols beforehand.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the user's own messages of Riptide look like.
    pub riptide_messages: Arc<MessageLayouts>,
}

impl Recognise for Protocol {
    type Suspicion = Suspicion;
    type Settings = Settings;

    fn recognise(
        settings: &Settings,
        suspicion: &mut Suspicion,
        transport: Transport,
        from: End,
        data: &[u8],
    ) -> Recognised<Self> {
        // Teeworlds comes first: its packets have a form of their own.
        let verdict = match transport {
            Transport::Udp => match gamewire_teeworlds::Follower::recognise(data) {
                Some(follower) => return Recognised::Yes(Self::Teeworlds(Box::new(follower))),
                None => suspicion.datagram(from, data),
            },
            Transport::Tcp => suspicion.run(from, data),
        };
        match verdict {
            Verdict::Known(mut follower) => {
                follower.set_layouts(Arc::clone(&settings.riptide_messages));
                Recognised::Yes(Self::Riptide(follower))
            }
            Verdict::Perhaps => Recognised::Perhaps,
            Verdict::Foreign => Recognised::No,
        }
    }

    fn is_telling(data: &[u8]) -> bool {
        Suspicion::is_telling(data)
    }

    fn missed(&mut self, from: End, bytes: u64) {
        match self {
            Self::Teeworlds(_) => {}
            Self::Riptide(follower) => follower.missed(from, bytes),
        }
    }

    fn protocol(&self) -> &'static str {
        match self {
            Self::Teeworlds(_) => teeworlds::NAME,
            Self::Riptide(_) => riptide::NAME,
        }
    }

    fn counters(&self, tell: &mut dyn FnMut(&'static str, u64)) {
        match self {
            Self::Teeworlds(follower) => follower.counters(tell),
            Self::Riptide(follower) => follower.counters(tell),
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            Self::Teeworlds(follower) => follower.held_bytes(),
            Self::Riptide(follower) => follower.held_bytes(),
        }
    }
}

impl Follow for Protocol {
    #[inline]
    fn follow<T: Trace>(&mut self, at: Instant, from: End, data: &[u8], trace: &mut T) {
        match self {
            Self::Teeworlds(follower) => follower.follow(at, from, data, trace),
            Self::Riptide(follower) => follower.follow(at, from, data, trace),
        }
    }

    fn dialect(&self) -> Option<&'static str> {
        match self {
            Self::Teeworlds(follower) => follower.dialect(),
            Self::Riptide(follower) => follower.dialect(),
        }
    }

    fn client(&self) -> Option<End> {
        match self {
            Self::Teeworlds(follower) => follower.client(),
            Self::Riptide(follower) => follower.client(),
        }
    }
}

impl Catalogue {
    /// Every name of every protocol.
    #[must_use]
    pub fn of_all_protocols() -> Self {
        let mut catalogue = Self::new();
        teeworlds::groups().for_each(|group| catalogue.add(group));
        teeworlds::common().for_each(|field| catalogue.add_common(field));
        riptide::groups().for_each(|group| catalogue.add(group));
        riptide::common().for_each(|field| catalogue.add_common(field));
        catalogue
    }
}

impl Catalogue {
    /// Adds the names of a user's own messages of Riptide.
    pub fn add_riptide_messages(&mut self, layouts: &MessageLayouts) {
        riptide::messages(layouts).for_each(|group| self.add(group));
    }
}

/// Whether a field says nothing to people that the name of its message does not say: ids, mostly.
pub(crate) fn is_plumbing(protocol: &str, field: &str) -> bool {
    match protocol {
        teeworlds::NAME => teeworlds::PLUMBING.contains(&field),
        riptide::NAME => riptide::PLUMBING.contains(&field),
        _ => false,
    }
}
