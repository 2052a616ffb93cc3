use core::time::Duration;
use std::net::{Ipv4Addr, SocketAddr};

use fastrand::Rng;
use gamewire_machine::{ConversationSide, Instant, Stream, Wake, pump};

use super::pipe::{Pipe, PipeEvent, StreamConditions};
use crate::Livelock;

/// How often it may go round within one virtual second; more is taken for a busy loop.
const MOST_ROUNDS: u32 = 200_000;
const SECOND: Duration = Duration::from_secs(1);

/// Two stream machines and the bytes between them, in virtual time. Everything follows from the
/// seed and the calls.
pub struct StreamPair<A: Stream, B: Stream> {
    now: Instant,
    first: Endpoint<A>,
    second: Endpoint<B>,
    rounds: u32,
    round_window_start: Instant,
}

/// A machine, what it has told, and the pipe to it.
struct Endpoint<M: Stream> {
    machine: M,
    events: Vec<M::Event>,
    error: Option<M::Error>,
    wake: Option<Wake>,
    is_touched: bool,
    inward: Pipe,
}

impl<M: Stream> Endpoint<M> {
    const fn new(machine: M, inward: Pipe) -> Self {
        Self { machine, events: Vec::new(), error: None, wake: None, is_touched: true, inward }
    }

    fn due(&self, now: Instant) -> Option<Instant> {
        let wake = self.wake.map(|wake| wake.at);
        [self.is_touched.then_some(now), wake, self.inward.wake()].into_iter().flatten().min()
    }

    fn command(&mut self, now: Instant) -> &mut M {
        self.is_touched = true;
        self.machine.handle_timeout(now);
        &mut self.machine
    }

    /// Hands over what has arrived, turns the machine, and passes on what it writes.
    fn turn(&mut self, now: Instant, outward: &mut Pipe) {
        let mut piece = Vec::new();
        while let Some(arrived) = self.inward.pop(now, &mut piece) {
            self.is_touched = true;
            match arrived {
                // A machine that has failed is closed: it reads no more.
                PipeEvent::Bytes | PipeEvent::End if self.error.is_some() => {}
                PipeEvent::End => self.machine.handle_eof(now),
                PipeEvent::Bytes => self.error = self.machine.handle_bytes(now, &piece).err(),
            }
        }
        if self.is_touched || self.wake.is_some_and(|wake| wake.at <= now) {
            let mut out = Vec::new();
            self.wake = pump::stream(&mut self.machine, now, &mut out, |event| self.events.push(event));
            outward.push(now, &out);
            self.is_touched = false;
        }
        if self.error.is_some() {
            outward.end(now);
        }
    }
}

impl<A: Stream, B: Stream> StreamPair<A, B> {
    /// Two machines that are connected, at the origin of time. The conditions hold in both directions.
    #[must_use]
    pub fn new(first: A, second: B, conditions: StreamConditions, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut pipe = || Pipe::new(conditions, random.u64(..));
        Self {
            now: Instant::ZERO,
            first: Endpoint::new(first, pipe()),
            second: Endpoint::new(second, pipe()),
            rounds: 0,
            round_window_start: Instant::ZERO,
        }
    }

    /// From now on what `from` sends travels like this.
    pub const fn set_conditions(&mut self, from: ConversationSide, conditions: StreamConditions) {
        match from {
            ConversationSide::First => self.second.inward.conditions = conditions,
            ConversationSide::Second => self.first.inward.conditions = conditions,
        }
    }

    /// `from` closes its direction: the other is told when all bytes before have arrived.
    pub fn close(&mut self, from: ConversationSide) {
        match from {
            ConversationSide::First => self.second.inward.end(self.now),
            ConversationSide::Second => self.first.inward.end(self.now),
        }
    }

    /// Virtual time.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// The first machine, to look at.
    #[must_use]
    pub const fn first(&self) -> &A {
        &self.first.machine
    }

    /// The second machine, to look at.
    #[must_use]
    pub const fn second(&self) -> &B {
        &self.second.machine
    }

    /// The first machine, to command. It is told the time first, as drivers do.
    pub fn first_mut(&mut self) -> &mut A {
        self.first.command(self.now)
    }

    /// The second machine, to command. It is told the time first, as drivers do.
    pub fn second_mut(&mut self) -> &mut B {
        self.second.command(self.now)
    }

    /// Takes what both machines have told.
    pub fn take_events(&mut self) -> (Vec<A::Event>, Vec<B::Event>) {
        (core::mem::take(&mut self.first.events), core::mem::take(&mut self.second.events))
    }

    /// Why the machines could not go on, where they could not.
    #[must_use]
    pub const fn errors(&self) -> (Option<&A::Error>, Option<&B::Error>) {
        (self.first.error.as_ref(), self.second.error.as_ref())
    }

    /// Lets virtual time pass, and all happen that happens in it.
    ///
    /// # Errors
    /// [`Livelock`], if it goes round and round while time hardly passes. Machines over a stream have
    /// no addresses: the first is told as port 1, the second as port 2.
    pub fn run_for(&mut self, time: Duration) -> Result<(), Livelock> {
        let end = self.now + time;
        loop {
            let due = [self.first.due(self.now), self.second.due(self.now)].into_iter().flatten().min();
            let Some(at) = due.filter(|at| *at <= end) else {
                self.now = end;
                return Ok(());
            };
            self.now = self.now.max(at);
            self.count_round()?;
            self.first.turn(self.now, &mut self.second.inward);
            self.second.turn(self.now, &mut self.first.inward);
        }
    }

    fn count_round(&mut self) -> Result<(), Livelock> {
        if self.now.since(self.round_window_start) >= SECOND {
            (self.round_window_start, self.rounds) = (self.now, 0);
        }
        self.rounds = self.rounds.saturating_add(1);
        if self.rounds <= MOST_ROUNDS {
            return Ok(());
        }
        let woken = |wake: Option<Wake>| wake.filter(|wake| wake.at <= self.now).map(|wake| wake.reason);
        let (first, second) = (woken(self.first.wake), woken(self.second.wake));
        let port = if first.is_some() { 1 } else { 2 };
        let who = SocketAddr::from((Ipv4Addr::UNSPECIFIED, port));
        Err(Livelock { at: self.now, who, why: first.or(second) })
    }
}
