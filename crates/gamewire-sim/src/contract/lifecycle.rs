use std::collections::BTreeMap;

use super::harness::Lifecycle;
use super::violation::{Property, Violation};

/// The peers that connected and closed, according to the events.
#[derive(Debug)]
pub(super) struct PeerLifecycles(BTreeMap<u64, PeerState>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum PeerState {
    Open,
    Ended,
}

impl PeerLifecycles {
    pub(super) fn new(initial: &[u64]) -> Self {
        Self(initial.iter().map(|peer| (*peer, PeerState::Open)).collect())
    }

    pub(super) fn note(&mut self, mark: Lifecycle) -> Result<(), Violation> {
        let breach = |peer, what| Err(Violation::new(Property::SingleClose, format!("peer {peer} {what}")));
        match mark {
            Lifecycle::Opened(peer) => match self.0.insert(peer, PeerState::Open) {
                Some(PeerState::Open) => breach(peer, "connected again without a close"),
                _ => Ok(()),
            },
            Lifecycle::Active(peer) => match self.0.get(&peer) {
                Some(PeerState::Open) => Ok(()),
                Some(PeerState::Ended) => breach(peer, "was active after its close"),
                None => breach(peer, "was active before it connected"),
            },
            Lifecycle::Closed(peer) => match self.0.insert(peer, PeerState::Ended) {
                Some(PeerState::Open) => Ok(()),
                Some(PeerState::Ended) => breach(peer, "closed twice"),
                None => breach(peer, "closed and had not connected"),
            },
            Lifecycle::Other => Ok(()),
        }
    }

    /// Returns an error if a peer is open after the idle timeout.
    pub(super) fn all_ended(&self) -> Result<(), Violation> {
        match self.0.iter().find(|(_, life)| **life == PeerState::Open) {
            Some((peer, _)) => Err(Violation::new(
                Property::SingleClose,
                format!("peer {peer} did not close after the idle timeout"),
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
        assert_eq!(reported(&[Opened(0)]), "peer 0 connected again without a close");
        assert_eq!(reported(&[Closed(0), Closed(0)]), "peer 0 closed twice");
        assert_eq!(reported(&[Closed(0), Active(0)]), "peer 0 was active after its close");
        assert_eq!(reported(&[Active(3)]), "peer 3 was active before it connected");
        assert_eq!(reported(&[Closed(3)]), "peer 3 closed and had not connected");
        assert_eq!(reported(&[]), "peer 0 did not close after the idle timeout");
    }
}
