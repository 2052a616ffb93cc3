use std::collections::BTreeMap;

use super::harness::Lifecycle;
use super::violation::{Property, Violation};

/// Which peers have begun and ended, by what events say.
#[derive(Debug)]
pub(super) struct PeerLifecycles(BTreeMap<u64, PeerState>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum PeerState {
    Open,
    Ended,
}

impl PeerLifecycles {
    pub(super) fn new(born_with: &[u64]) -> Self {
        Self(born_with.iter().map(|peer| (*peer, PeerState::Open)).collect())
    }

    pub(super) fn note(&mut self, mark: Lifecycle) -> Result<(), Violation> {
        let breach = |peer, what| Err(Violation::new(Property::SingleClose, format!("peer {peer} {what}")));
        match mark {
            Lifecycle::Opened(peer) => match self.0.insert(peer, PeerState::Open) {
                Some(PeerState::Open) => breach(peer, "began again without an end"),
                _ => Ok(()),
            },
            Lifecycle::Active(peer) => match self.0.get(&peer) {
                Some(PeerState::Open) => Ok(()),
                Some(PeerState::Ended) => breach(peer, "did something after its end"),
                None => breach(peer, "did something before it began"),
            },
            Lifecycle::Closed(peer) => match self.0.insert(peer, PeerState::Ended) {
                Some(PeerState::Open) => Ok(()),
                Some(PeerState::Ended) => breach(peer, "ended twice"),
                None => breach(peer, "ended and had not begun"),
            },
            Lifecycle::Other => Ok(()),
        }
    }

    /// After all have had time to end.
    pub(super) fn all_ended(&self) -> Result<(), Violation> {
        match self.0.iter().find(|(_, life)| **life == PeerState::Open) {
            Some((peer, _)) => Err(Violation::new(
                Property::SingleClose,
                format!("peer {peer} never ended, for all the silence"),
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(marks: &[Lifecycle]) -> String {
        let mut lives = PeerLifecycles::new(&[0]);
        let ran = marks.iter().try_for_each(|mark| lives.note(*mark)).and_then(|()| lives.all_ended());
        ran.err().map_or_else(String::new, |breach| breach.detail)
    }

    #[test]
    fn a_peer_may_reconnect_repeatedly() {
        use Lifecycle::{Active, Closed, Opened, Other};
        assert_eq!(reported(&[Active(0), Closed(0), Other, Opened(0), Closed(0), Opened(5), Closed(5)]), "");
    }

    #[test]
    fn each_invalid_lifecycle_is_found() {
        use Lifecycle::{Active, Closed, Opened};
        assert_eq!(reported(&[Opened(0)]), "peer 0 began again without an end");
        assert_eq!(reported(&[Closed(0), Closed(0)]), "peer 0 ended twice");
        assert_eq!(reported(&[Closed(0), Active(0)]), "peer 0 did something after its end");
        assert_eq!(reported(&[Active(3)]), "peer 3 did something before it began");
        assert_eq!(reported(&[Closed(3)]), "peer 3 ended and had not begun");
        assert_eq!(reported(&[]), "peer 0 never ended, for all the silence");
    }
}
