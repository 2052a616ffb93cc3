use gamewire_machine::{End, Follow, Instant};
use gamewire_wire::Trace;

use super::{Catalogue, Recognise, Transport, teeworlds};

/// The follower of one conversation, of whichever protocol it is in.
pub enum Protocol {
    /// Teeworlds and DDNet, every dialect.
    Teeworlds(Box<gamewire_teeworlds::Follower>),
}

impl Recognise for Protocol {
    fn recognise(transport: Transport, data: &[u8]) -> Option<Self> {
        match transport {
            Transport::Udp => {
                gamewire_teeworlds::Follower::recognise(data).map(|found| Self::Teeworlds(Box::new(found)))
            }
        }
    }

    fn protocol(&self) -> &'static str {
        match self {
            Self::Teeworlds(_) => teeworlds::NAME,
        }
    }

    fn counters(&self, tell: &mut dyn FnMut(&'static str, u64)) {
        match self {
            Self::Teeworlds(follower) => follower.counters(tell),
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            Self::Teeworlds(follower) => follower.held_bytes(),
        }
    }
}

impl Follow for Protocol {
    #[inline]
    fn follow<T: Trace>(&mut self, at: Instant, from: End, data: &[u8], trace: &mut T) {
        match self {
            Self::Teeworlds(follower) => follower.follow(at, from, data, trace),
        }
    }

    fn dialect(&self) -> Option<&'static str> {
        match self {
            Self::Teeworlds(follower) => follower.dialect(),
        }
    }

    fn client(&self) -> Option<End> {
        match self {
            Self::Teeworlds(follower) => follower.client(),
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
        catalogue
    }
}

/// Whether a field says nothing to people that the name of its message does not say: ids, mostly.
pub(crate) fn is_plumbing(protocol: &str, field: &str) -> bool {
    protocol == teeworlds::NAME && teeworlds::PLUMBING.contains(&field)
}
