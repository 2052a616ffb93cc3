use core::fmt;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU8, Ordering};

use gamewire_machine::{Instant, Machine, Transmit, Wake};

use super::{AWAKE, ENTER, KNOCK, LEAVE, TALK, TOKEN, token};

const MAX_INSIDE: usize = 8;
const SILENCE: Duration = Duration::from_secs(5);
const EACH: Duration = Duration::from_secs(1);

/// The mistakes that a door can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    /// Reads the byte of a talk datagram that is too short to contain one.
    ReadsBeyond,
    /// Cannot shout while no visitor is inside.
    NeedsCompany,
    /// Assumes that the difference of two times is not negative.
    TrustsTheClock,
    /// Lets a rejected datagram with a wrong token reset the visitor's timeout.
    ForgetsToReject,
    /// Emits an event for a datagram with a wrong token, and rejects it.
    TellsOfRejected,
    /// Computes the next time to keep a visitor awake from the previous time instead of from now.
    LagsBehind,
    /// Sets a timer one microsecond after the current time while a visitor is inside.
    Spins,
    /// Datagrams depend on more than the seed.
    DrawsLots,
    /// Stores an entry for every address that knocks.
    Hoards,
    /// Ends a visitor when it leaves, and again when it is silent.
    EndsTwice,
    /// Removes silent visitors without an event.
    NeverEnds,
    /// Emits an event of a visitor after its last event.
    TalksOfTheDead,
    /// Sends all keep-awake datagrams that it has missed.
    MakesUp,
}

#[derive(Debug)]
pub(crate) enum Event {
    Entered(SocketAddr),
    Said(SocketAddr, #[expect(dead_code, reason = "Debug shows it")] u8),
    Gone(SocketAddr),
    Warning,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Unwanted;

impl fmt::Display for Unwanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unwanted")
    }
}

impl core::error::Error for Unwanted {}

struct Inside {
    heard: Instant,
    awake: Instant,
    has_left: bool,
}

pub(crate) struct Door {
    flaw: Flaw,
    seed: u64,
    inside: BTreeMap<SocketAddr, Inside>,
    events: VecDeque<Event>,
    out: VecDeque<(SocketAddr, Vec<u8>)>,
    hoard: Vec<SocketAddr>,
    reported: Instant,
}

impl Door {
    pub(crate) fn new(flaw: Flaw, seed: u64, now: Instant) -> Self {
        let (events, out) = (VecDeque::new(), VecDeque::new());
        Self { flaw, seed, inside: BTreeMap::new(), events, out, hoard: Vec::new(), reported: now }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        64 * self.inside.len() + size_of::<SocketAddr>() * self.hoard.len()
    }

    pub(crate) fn shout(&mut self, what: u8) {
        assert!(self.flaw != Flaw::NeedsCompany || !self.inside.is_empty(), "nobody is here");
        self.out.extend(self.inside.keys().map(|to| (*to, vec![TALK, 0, what])));
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn end(&mut self, who: SocketAddr) {
        let known = self.inside.remove(&who).is_some();
        if known && !self.has(Flaw::NeverEnds) {
            self.events.push_back(Event::Gone(who));
        }
    }

    fn hear_inside(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), Unwanted> {
        let is_right = data.get(1) == Some(&token(self.seed, from));
        if !is_right && self.has(Flaw::TellsOfRejected) {
            self.events.push_back(Event::Warning);
        }
        let inside = self.inside.get_mut(&from).ok_or(Unwanted)?;
        let is_taken = is_right && matches!(data, [TALK, _, _] | [LEAVE, _]);
        if is_taken || self.flaw == Flaw::ForgetsToReject {
            inside.heard = now;
        }
        match (data, is_right) {
            ([TALK, _], true) if self.flaw == Flaw::ReadsBeyond => {
                self.events.push_back(Event::Said(from, data[2]));
            }
            ([TALK, _, what], true) => self.events.push_back(Event::Said(from, *what)),
            ([LEAVE, _], true) if matches!(self.flaw, Flaw::EndsTwice) && !inside.has_left => {
                inside.has_left = true;
                self.events.push_back(Event::Gone(from));
            }
            ([LEAVE, _], true) => {
                self.end(from);
                if self.has(Flaw::TalksOfTheDead) {
                    self.events.push_back(Event::Said(from, 0));
                }
            }
            _ => return Err(Unwanted),
        }
        Ok(())
    }
}

impl Machine for Door {
    type Event = Event;
    type DatagramError = Unwanted;

    fn handle_timeout(&mut self, now: Instant) {
        assert!(!self.has(Flaw::TrustsTheClock) || now >= self.reported, "attempt to subtract with overflow");
        self.reported = now;
        let silent = |inside: &&SocketAddr| now.since(self.inside[*inside].heard) >= SILENCE;
        let silent: Vec<SocketAddr> = self.inside.keys().filter(silent).copied().collect();
        if self.flaw != Flaw::MakesUp && self.flaw != Flaw::LagsBehind {
            silent.iter().for_each(|who| self.end(*who));
        }
        for (who, inside) in &mut self.inside {
            while inside.awake <= now {
                self.out.push_back((*who, vec![AWAKE]));
                match self.flaw {
                    Flaw::LagsBehind | Flaw::MakesUp => inside.awake = inside.awake + EACH,
                    _ => inside.awake = now + EACH,
                }
                if self.flaw != Flaw::MakesUp {
                    break;
                }
            }
        }
        if matches!(self.flaw, Flaw::MakesUp | Flaw::LagsBehind) {
            silent.iter().for_each(|who| {
                if self.inside[who].awake > now {
                    self.end(*who)
                }
            });
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        if self.flaw == Flaw::Spins && !self.inside.is_empty() {
            return Some(Wake { at: self.reported + Duration::from_micros(1), reason: "spin" });
        }
        let silent =
            self.inside.values().map(|inside| Wake { at: inside.heard + SILENCE, reason: "silence" });
        let awake = self.inside.values().map(|inside| Wake { at: inside.awake, reason: "keep awake" });
        silent.chain(awake).min_by_key(|wake| wake.at)
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), Unwanted> {
        match *data {
            [KNOCK] => {
                static LOTS: AtomicU8 = AtomicU8::new(0);
                if self.has(Flaw::Hoards) {
                    self.hoard.push(from);
                }
                let mut answer = vec![TOKEN, token(self.seed, from)];
                if self.has(Flaw::DrawsLots) {
                    answer.push(LOTS.fetch_add(1, Ordering::Relaxed));
                }
                self.out.push_back((from, answer));
                Ok(())
            }
            [ENTER, proof] if proof == token(self.seed, from) && self.inside.len() < MAX_INSIDE => {
                if let Some(inside) = self.inside.get_mut(&from) {
                    inside.heard = now;
                    return Ok(());
                }
                self.inside.insert(from, Inside { heard: now, awake: now + EACH, has_left: false });
                self.events.push_back(Event::Entered(from));
                Ok(())
            }
            _ => self.hear_inside(now, from, data),
        }
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let (to, data) = self.out.pop_front()?;
        *buffer = data;
        Some(Transmit { to })
    }
}
