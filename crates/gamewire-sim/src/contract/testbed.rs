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
/// Maximum number of wakes at one time.
const MAX_WAKES_AT_ONCE: u32 = 100;
/// Maximum number of rounds per second of virtual time.
const MAX_ROUNDS_A_SECOND: u64 = 5_000;
/// Maximum number of the peer's datagrams that are kept for replay.
const MAX_GENUINE: usize = 256;
/// Maximum number of datagrams that wait for the peer.
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
    /// The latest that it ever was: clocks go back too.
    latest: Instant,
    pub(super) seen: Vec<Observation>,
    /// The datagrams, by their number, that the machine has rejected.
    pub(super) rejected: BTreeSet<usize>,
    /// The datagrams that are not handed over.
    skip: &'a BTreeSet<usize>,
    heard: usize,
    peer: Option<S::Peer>,
    to_peer: VecDeque<Vec<u8>>,
    genuine: Vec<Vec<u8>>,
    genuine_count: usize,
    lives: PeerLifecycles,
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
            heard: 0,
            peer: S::peer(seed, START),
            to_peer: VecDeque::new(),
            genuine: Vec::new(),
            genuine_count: 0,
            lives: PeerLifecycles::new(S::INITIAL_PEERS),
            buffer: Vec::new(),
        }
    }

    /// A datagram that the peer has sent, by a number that is counted round.
    pub(super) fn peer_datagram(&self, number: usize) -> Option<&[u8]> {
        self.genuine.get(number.checked_rem(self.genuine.len())?).map(Vec::as_slice)
    }

    /// Hands a datagram to the machine, unless it is one that it is not to get.
    pub(super) fn receive(&mut self, from: SocketAddr, datagram: &[u8]) {
        let number = self.heard;
        self.heard = self.heard.saturating_add(1);
        if !self.skip.contains(&number) && self.machine.handle_datagram(self.now, from, datagram).is_err() {
            self.rejected.insert(number);
        }
    }

    /// Tells the machine the time, whether it asked or not.
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

    /// Turns the machine until it wants nothing more now; how many datagrams it has sent.
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
                    return Err(Violation::new(
                        Property::BoundedOutput,
                        "it writes datagrams without an end",
                    ));
                }
            }
            let mut events = 0_usize;
            while self.poll_event()? {
                events = events.saturating_add(1);
                if events > MAX_IN_ONE_GO {
                    return Err(Violation::new(Property::BoundedOutput, "it tells events without an end"));
                }
            }
            if self.machine.poll_timeout().is_none_or(|wake| wake.at > self.now) {
                return Ok(sent);
            }
        }
        let why = self.machine.poll_timeout().map_or("", |wake| wake.reason);
        Err(Violation::new(Property::TimerAdvances, format!("it asks to be woken again and again: {why}")))
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
        self.lives.note(S::lifecycle(&event))?;
        Ok(true)
    }

    /// Notes when the machine wants to be woken.
    pub(super) fn note_wake(&mut self) {
        self.seen.push(Observation::Wake(self.machine.poll_timeout()));
    }

    /// Time passes; what the machine sends is lost. How many datagrams that was.
    pub(super) fn wait(&mut self, time: Duration) -> Result<usize, Violation> {
        let end = self.now + time;
        let mut sent = 0_usize;
        for _ in 0..max_rounds(time) {
            sent = sent.saturating_add(self.drain()?);
            self.to_peer.clear();
            match self.machine.poll_timeout().filter(|wake| wake.at <= end) {
                Some(wake) => self.now = wake.at,
                None => {
                    self.now = end;
                    return Ok(sent);
                }
            }
        }
        Err(self.livelock_violation())
    }

    /// Advances the time. Datagrams arrive without a delay.
    pub(super) fn exchange(&mut self, time: Duration) -> Result<(), Violation> {
        let end = self.now + time;
        for _ in 0..max_rounds(time) {
            self.drain()?;
            let (is_moved, peer_wake) = self.turn_peer();
            if is_moved {
                continue;
            }
            let wakes = [self.machine.poll_timeout(), peer_wake];
            match wakes.into_iter().flatten().map(|wake| wake.at).filter(|at| *at <= end).min() {
                Some(at) => self.now = self.now.max(at),
                None => {
                    self.now = end;
                    return Ok(());
                }
            }
        }
        Err(self.livelock_violation())
    }

    /// Checks that all peers have closed after the idle timeout.
    pub(super) fn finish(&mut self) -> Result<(), Violation> {
        let Some(silence) = S::IDLE_TIMEOUT else { return Ok(()) };
        // After its clock went back a machine may be late, until the clock is where it was.
        let behind = self.latest.since(self.now);
        self.wait(behind.saturating_add(silence))?;
        self.handle_timeout()?;
        self.drain()?;
        self.lives.all_ended()
    }

    /// Pumps the peer. Returns whether a datagram moved, and the peer's next timer.
    fn turn_peer(&mut self) -> (bool, Option<Wake>) {
        let Some(peer) = &mut self.peer else {
            self.to_peer.clear();
            return (false, None);
        };
        let mut is_moved = !self.to_peer.is_empty();
        for datagram in self.to_peer.drain(..) {
            // What the peer thinks of it is its own affair.
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
        let place = self.genuine_count.checked_rem(MAX_GENUINE).unwrap_or_default();
        self.genuine_count = self.genuine_count.saturating_add(1);
        match self.genuine.get_mut(place) {
            Some(old) => *old = datagram,
            None => self.genuine.push(datagram),
        }
    }

    fn livelock_violation(&self) -> Violation {
        let why = self.machine.poll_timeout().map_or("datagrams", |wake| wake.reason);
        Violation::new(Property::TimerAdvances, format!("time hardly passes, it goes round and round: {why}"))
    }
}

/// Returns the maximum number of rounds for a time.
fn max_rounds(time: Duration) -> u64 {
    time.as_secs().saturating_add(4).saturating_mul(MAX_ROUNDS_A_SECOND)
}
