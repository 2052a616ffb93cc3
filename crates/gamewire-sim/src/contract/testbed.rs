use core::fmt;
use core::time::Duration;
use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Output, Wake, pump};

use super::harness::{Harness, PEER, START, SUBJECT};
use super::lifecycle::PeerLifecycles;
use super::violation::{Property, Violation};

/// Maximum number of datagrams that a machine may write at a time.
const MAX_IN_ONE_GO: usize = 20_000;
/// Maximum number of wakes at the same time.
const MAX_WAKES_AT_ONCE: u32 = 100;
/// Maximum number of rounds per second of virtual time.
const MAX_ROUNDS_A_SECOND: u64 = 5_000;
/// Maximum number of the peer's datagrams that are kept for replay.
const MAX_PEER_DATAGRAMS: usize = 256;
/// Maximum number of queued datagrams to the peer.
const MAX_WAITING: usize = 1_024;

/// An observable output of a machine.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Observation {
    Sent { at: Instant, to: SocketAddr, length: usize, digest: u64 },
    Event(String),
    Wake(Option<Wake>),
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |at: Instant| at.since(START).as_secs_f64() - START.since(at).as_secs_f64();
        match self {
            Self::Sent { at, to, length, digest } => {
                write!(f, "{length} bytes (digest {digest:016x}) to {to} at {:.6} s", seconds(*at))
            }
            Self::Event(event) => write!(f, "event {event}"),
            Self::Wake(Some(wake)) => write!(f, "a wake for {} at {:.6} s", wake.reason, seconds(wake.at)),
            Self::Wake(None) => f.write_str("no wake"),
        }
    }
}

/// The machine under test, its peer, and the virtual time.
pub(super) struct Testbed<'a, S: Harness> {
    pub(super) machine: S::Machine,
    pub(super) now: Instant,
    /// Maximum of `now` so far, because clocks may go back.
    latest: Instant,
    pub(super) seen: Vec<Observation>,
    /// Numbers of the datagrams that the machine rejected.
    pub(super) rejected: BTreeSet<usize>,
    /// Numbers of the datagrams that the machine does not receive.
    skip: &'a BTreeSet<usize>,
    received: usize,
    peer: Option<S::Peer>,
    to_peer: VecDeque<Vec<u8>>,
    peer_datagrams: Vec<Vec<u8>>,
    peer_datagram_count: usize,
    lifecycles: PeerLifecycles,
    buffer: Vec<u8>,
}

impl<'a, S: Harness> Testbed<'a, S> {
    pub(super) fn new(seed: u64, skip: &'a BTreeSet<usize>) -> Self {
        Self {
            machine: S::make(seed, START),
            now: START,
            latest: START,
            seen: Vec::new(),
            rejected: BTreeSet::new(),
            skip,
            received: 0,
            peer: S::peer(seed, START),
            to_peer: VecDeque::new(),
            peer_datagrams: Vec::new(),
            peer_datagram_count: 0,
            lifecycles: PeerLifecycles::new(S::INITIAL_PEERS),
            buffer: Vec::new(),
        }
    }

    /// Returns a datagram that the peer sent, by its number modulo their count.
    pub(super) fn peer_datagram(&self, number: usize) -> Option<&[u8]> {
        self.peer_datagrams.get(number.checked_rem(self.peer_datagrams.len())?).map(Vec::as_slice)
    }

    /// Passes a datagram to the machine, unless its number is in `skip`.
    pub(super) fn receive(&mut self, from: SocketAddr, datagram: &[u8]) {
        let number = self.received;
        self.received = self.received.saturating_add(1);
        if !self.skip.contains(&number) && self.machine.handle_datagram(self.now, from, datagram).is_err() {
            self.rejected.insert(number);
        }
    }

    /// Advances the machine's clock, even if no timer is due.
    pub(super) fn handle_timeout(&mut self) -> Result<(), Violation> {
        self.latest = self.latest.max(self.now);
        self.machine.handle_timeout(self.now);
        match self.machine.poll_timeout().filter(|wake| wake.at <= self.now) {
            Some(wake) => {
                let late = self.now.since(wake.at);
                let what = format!("its timer is {late:?} overdue after handle_timeout: {}", wake.reason);
                Err(Violation::new(Property::TimerAdvances, what))
            }
            None => Ok(()),
        }
    }

    /// Pumps the machine until it has no more output, and returns the number of datagrams that it sent.
    pub(super) fn drain(&mut self) -> Result<usize, Violation> {
        let mut sent = 0_usize;
        for _ in 0..MAX_WAKES_AT_ONCE {
            let wake = self.machine.poll_timeout();
            if wake.is_some_and(|wake| wake.at <= self.now) {
                self.handle_timeout()?;
            }
            while self.poll_transmit() {
                sent = sent.saturating_add(1);
                if sent > MAX_IN_ONE_GO {
                    return Err(Violation::new(Property::BoundedOutput, "it sends datagrams without end"));
                }
            }
            let mut events = 0_usize;
            while self.poll_event()? {
                events = events.saturating_add(1);
                if events > MAX_IN_ONE_GO {
                    return Err(Violation::new(Property::BoundedOutput, "it emits events without end"));
                }
            }
            if self.machine.poll_timeout().is_none_or(|wake| wake.at > self.now) {
                return Ok(sent);
            }
        }
        let why = self.machine.poll_timeout().map_or("", |wake| wake.reason);
        Err(Violation::new(Property::TimerAdvances, format!("it sets a timer that is always due: {why}")))
    }

    /// Polls one datagram, if there is one.
    pub(super) fn poll_transmit(&mut self) -> bool {
        let Some(transmit) = self.machine.poll_transmit(self.now, &mut self.buffer) else { return false };
        let mut digest = DefaultHasher::new();
        digest.write(&self.buffer);
        self.seen.push(Observation::Sent {
            at: self.now,
            to: transmit.to,
            length: self.buffer.len(),
            digest: digest.finish(),
        });
        if transmit.to == PEER && self.to_peer.len() < MAX_WAITING {
            self.to_peer.push_back(self.buffer.clone());
        }
        true
    }

    /// Polls one event, if there is one.
    pub(super) fn poll_event(&mut self) -> Result<bool, Violation> {
        let Some(event) = self.machine.poll_event() else { return Ok(false) };
        self.seen.push(Observation::Event(format!("{event:?}")));
        self.lifecycles.note(S::lifecycle(&event))?;
        Ok(true)
    }

    /// Records the next timer of the machine.
    pub(super) fn note_wake(&mut self) {
        self.seen.push(Observation::Wake(self.machine.poll_timeout()));
    }

    /// Advances the time and returns the number of datagrams that the machine sent. The datagrams reach the peer
    /// without a delay, or all of them are lost.
    pub(super) fn advance(&mut self, time: Duration, is_lossy: bool) -> Result<usize, Violation> {
        let end = self.now + time;
        let mut sent = 0_usize;
        for _ in 0..max_rounds(time) {
            sent = sent.saturating_add(self.drain()?);
            let (has_moved, peer_wake) = self.pump_peer(is_lossy);
            if has_moved {
                continue;
            }
            let wakes = [self.machine.poll_timeout(), peer_wake];
            match wakes.into_iter().flatten().map(|wake| wake.at).filter(|at| *at <= end).min() {
                Some(at) => self.now = self.now.max(at),
                None => {
                    self.now = end;
                    return Ok(sent);
                }
            }
        }
        let why = self.machine.poll_timeout().map_or("datagrams", |wake| wake.reason);
        Err(Violation::new(Property::TimerAdvances, format!("busy loop while time hardly passes: {why}")))
    }

    /// Checks that all peers have closed after the idle timeout.
    pub(super) fn finish(&mut self) -> Result<(), Violation> {
        let Some(silence) = S::IDLE_TIMEOUT else { return Ok(()) };
        // A machine keeps its latest time when the clock goes back, so its timers are late by that difference.
        let lag = self.latest.since(self.now);
        self.advance(lag.saturating_add(silence), true)?;
        self.handle_timeout()?;
        self.drain()?;
        self.lifecycles.all_ended()
    }

    /// Pumps the peer. Returns whether a datagram moved, and the peer's next timer.
    fn pump_peer(&mut self, is_lossy: bool) -> (bool, Option<Wake>) {
        let Some(peer) = self.peer.as_mut().filter(|_| !is_lossy) else {
            self.to_peer.clear();
            return (false, None);
        };
        let mut is_moved = !self.to_peer.is_empty();
        for datagram in self.to_peer.drain(..) {
            // The peer may reject it.
            let _ = peer.handle_datagram(self.now, SUBJECT, &datagram);
        }
        let mut answers = Vec::new();
        let to_subject = |output: Output, datagram: &[u8]| {
            if matches!(output, Output::Datagram(transmit) if transmit.to == SUBJECT) {
                answers.push(datagram.to_vec());
            }
        };
        let wake = pump(peer, self.now, &mut self.buffer, to_subject, |_| {});
        is_moved |= !answers.is_empty();
        for answer in answers {
            self.receive(PEER, &answer);
            self.keep(answer);
        }
        (is_moved, wake)
    }

    fn keep(&mut self, datagram: Vec<u8>) {
        let place = self.peer_datagram_count.checked_rem(MAX_PEER_DATAGRAMS).unwrap_or_default();
        self.peer_datagram_count = self.peer_datagram_count.saturating_add(1);
        match self.peer_datagrams.get_mut(place) {
            Some(old) => *old = datagram,
            None => self.peer_datagrams.push(datagram),
        }
    }
}

/// Returns the maximum number of rounds for a time.
fn max_rounds(time: Duration) -> u64 {
    time.as_secs().saturating_add(4).saturating_mul(MAX_ROUNDS_A_SECOND)
}
