use std::collections::BTreeMap;

use super::broken::{Breach, Clause};
use super::subject::Mark;

/// Which peers have begun and ended, by what events say.
#[derive(Debug)]
pub(super) struct Lives(BTreeMap<u64, Life>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Life {
    Open,
    Ended,
}

impl Lives {
    pub(super) fn new(born_with: &[u64]) -> Self {
        Self(born_with.iter().map(|peer| (*peer, Life::Open)).collect())
    }

    pub(super) fn note(&mut self, mark: Mark) -> Result<(), Breach> {
        let breach = |peer, what| Err(Breach::new(Clause::OneEnd, format!("peer {peer} {what}")));
        match mark {
            Mark::Opened(peer) => match self.0.insert(peer, Life::Open) {
                Some(Life::Open) => breach(peer, "began again without an end"),
                _ => Ok(()),
            },
            Mark::About(peer) => match self.0.get(&peer) {
                Some(Life::Open) => Ok(()),
                Some(Life::Ended) => breach(peer, "did something after its end"),
                None => breach(peer, "did something before it began"),
            },
            Mark::Closed(peer) => match self.0.insert(peer, Life::Ended) {
                Some(Life::Open) => Ok(()),
                Some(Life::Ended) => breach(peer, "ended twice"),
                None => breach(peer, "ended and had not begun"),
            },
            Mark::Other => Ok(()),
        }
    }

    /// After all have had time to end.
    pub(super) fn all_ended(&self) -> Result<(), Breach> {
        match self.0.iter().find(|(_, life)| **life == Life::Open) {
            Some((peer, _)) => {
                Err(Breach::new(Clause::OneEnd, format!("peer {peer} never ended, for all the silence")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(marks: &[Mark]) -> String {
        let mut lives = Lives::new(&[0]);
        let ran = marks.iter().try_for_each(|mark| lives.note(*mark)).and_then(|()| lives.all_ended());
        ran.err().map_or_else(String::new, |breach| breach.detail)
    }

    #[test]
    fn a_peer_begins_does_things_and_ends_again_and_again() {
        use Mark::{About, Closed, Opened, Other};
        assert_eq!(told(&[About(0), Closed(0), Other, Opened(0), Closed(0), Opened(5), Closed(5)]), "");
    }

    #[test]
    fn each_life_that_cannot_be_is_told() {
        use Mark::{About, Closed, Opened};
        assert_eq!(told(&[Opened(0)]), "peer 0 began again without an end");
        assert_eq!(told(&[Closed(0), Closed(0)]), "peer 0 ended twice");
        assert_eq!(told(&[Closed(0), About(0)]), "peer 0 did something after its end");
        assert_eq!(told(&[About(3)]), "peer 3 did something before it began");
        assert_eq!(told(&[Closed(3)]), "peer 3 ended and had not begun");
        assert_eq!(told(&[]), "peer 0 never ended, for all the silence");
    }
}
