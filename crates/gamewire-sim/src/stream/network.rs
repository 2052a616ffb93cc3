use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use fastrand::Rng;
use gamewire_machine::{ConversationSide, Instant, Machine, Output, StreamId, StreamOutput, Wake, pump};

use super::pipe::{Pipe, PipeEvent, StreamConditions};
use crate::Livelock;

/// Maximum number of rounds in a virtual second; more counts as a busy loop.
const MAX_ROUNDS: u32 = 200_000;
const SECOND: Duration = Duration::from_secs(1);
const HOST: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 1);
/// The address of all clients; each has its own port.
const CLIENTS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 3));

/// A host of streams, clients that open one each, and the bytes between them, in virtual time. It is
/// deterministic: everything follows from the seed and the calls. Clients are numbered from 0.
pub struct StreamNetwork<H: Machine, C: Machine> {
    now: Instant,
    host: H,
    events: Vec<H::Event>,
    wake: Option<Wake>,
    is_touched: bool,
    lines: Vec<ClientStream<C>>,
    conditions: StreamConditions,
    random: Rng,
    rounds: u32,
    rounds_since: Instant,
}

/// A client and its stream.
struct ClientStream<C: Machine> {
    machine: C,
    id: StreamId,
    events: Vec<C::Event>,
    wake: Option<Wake>,
    is_touched: bool,
    /// The stream is open at the client.
    is_open: bool,
    /// The stream is open at the host.
    is_open_at_host: bool,
    to_client: Pipe,
    to_host: Pipe,
}

impl<H: Machine, C: Machine> StreamNetwork<H, C> {
    /// Creates a network with a host and no clients, at time zero. The conditions apply in both directions.
    #[must_use]
    pub fn new(host: H, conditions: StreamConditions, seed: u64) -> Self {
        Self {
            now: Instant::ZERO,
            host,
            events: Vec::new(),
            wake: None,
            is_touched: true,
            lines: Vec::new(),
            conditions,
            random: Rng::with_seed(seed),
            rounds: 0,
            rounds_since: Instant::ZERO,
        }
    }

    /// Opens a stream from a client to the host, and returns the client's number.
    pub fn connect(&mut self, mut machine: C) -> usize {
        let caller = self.lines.len();
        machine.handle_open(self.now, stream(caller), HOST);
        let mut pipe = || Pipe::new(self.conditions, self.random.u64(..));
        self.lines.push(ClientStream {
            machine,
            events: Vec::new(),
            wake: None,
            is_touched: true,
            is_open: true,
            is_open_at_host: true,
            id: stream(caller),
            to_client: pipe(),
            to_host: pipe(),
        });
        let port = u16::try_from(caller).unwrap_or(u16::MAX);
        self.host.handle_open(self.now, stream(caller), SocketAddr::from((CLIENTS, port)));
        self.is_touched = true;
        caller
    }

    /// Delays the bytes of `from` until `time` has passed: the other end does not read. The host is the second end.
    pub fn stall(&mut self, caller: usize, from: ConversationSide, time: Duration) {
        let until = self.now + time;
        if let Some(line) = self.lines.get_mut(caller) {
            match from {
                ConversationSide::First => line.to_host.stall(until),
                ConversationSide::Second => line.to_client.stall(until),
            }
        }
    }

    /// Resets the stream: bytes in flight are lost, and both machines receive `handle_close`.
    pub fn reset(&mut self, caller: usize) {
        if let Some(line) = self.lines.get_mut(caller) {
            line.to_host.reset(self.now);
            line.to_client.reset(self.now);
        }
    }

    /// Closes the client's stream: the host receives `handle_close` after all bytes before.
    pub fn shutdown(&mut self, caller: usize) {
        if let Some(line) = self.lines.get_mut(caller) {
            line.is_open = false;
            line.to_host.end(self.now);
        }
    }

    /// Returns the virtual time.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Returns the host.
    #[must_use]
    pub const fn host(&self) -> &H {
        &self.host
    }

    /// Returns the host so that commands can be issued. Calls `handle_timeout` first, as drivers do.
    pub fn host_mut(&mut self) -> &mut H {
        self.is_touched = true;
        self.host.handle_timeout(self.now);
        &mut self.host
    }

    /// Returns a client.
    #[must_use]
    pub fn client(&self, caller: usize) -> Option<&C> {
        self.lines.get(caller).map(|line| &line.machine)
    }

    /// Returns a client so that commands can be issued. Calls `handle_timeout` first, as drivers do.
    pub fn caller_mut(&mut self, caller: usize) -> Option<&mut C> {
        let line = self.lines.get_mut(caller)?;
        line.is_touched = true;
        line.machine.handle_timeout(self.now);
        Some(&mut line.machine)
    }

    /// Takes the events of the host.
    pub fn take_host_events(&mut self) -> Vec<H::Event> {
        core::mem::take(&mut self.events)
    }

    /// Takes the events of a client.
    pub fn take_events(&mut self, caller: usize) -> Vec<C::Event> {
        self.lines.get_mut(caller).map(|line| core::mem::take(&mut line.events)).unwrap_or_default()
    }

    /// Runs the network for `time`.
    ///
    /// # Errors
    /// [`Livelock`] if machines keep each other busy while time hardly passes.
    pub fn run_for(&mut self, time: Duration) -> Result<(), Livelock> {
        let end = self.now + time;
        loop {
            let Some(at) = self.due().filter(|at| *at <= end) else {
                self.now = end;
                return Ok(());
            };
            self.now = self.now.max(at);
            self.count_round()?;
            self.turn_host();
            for line in &mut self.lines {
                line.turn(self.now);
            }
        }
    }

    fn due(&self) -> Option<Instant> {
        let host = [self.is_touched.then_some(self.now), self.wake.map(|wake| wake.at)];
        let lines = self.lines.iter().flat_map(|line| line.due(self.now));
        host.into_iter().chain(lines).flatten().min()
    }

    /// Delivers the bytes that have arrived at the host, drives it, and sends what it writes.
    fn turn_host(&mut self) {
        let mut piece = Vec::new();
        for (caller, line) in self.lines.iter_mut().enumerate().filter(|(_, line)| line.is_open_at_host) {
            while let Some(arrived) = line.to_host.pop(self.now, &mut piece) {
                self.is_touched = true;
                match arrived {
                    PipeEvent::Bytes => self.host.handle_bytes(self.now, stream(caller), &piece),
                    PipeEvent::End => {
                        line.is_open_at_host = false;
                        line.to_client.end(self.now);
                        self.host.handle_close(self.now, stream(caller));
                    }
                }
            }
        }
        if !self.is_touched && self.wake.is_none_or(|wake| wake.at > self.now) {
            return;
        }
        let (lines, events, now) = (&mut self.lines, &mut self.events, self.now);
        let output = |output: Output, bytes: &[u8]| {
            let Output::Stream(output) = output else { return };
            let (StreamOutput::Write(id) | StreamOutput::Close(id)) = output;
            let line = usize::try_from(id.number()).ok().and_then(|caller| lines.get_mut(caller));
            let Some(line) = line.filter(|line| line.is_open_at_host) else { return };
            line.to_client.push(now, bytes);
            if matches!(output, StreamOutput::Close(_)) {
                line.is_open_at_host = false;
                line.to_client.end(now);
            }
        };
        self.wake = pump(&mut self.host, now, &mut piece, output, |event| events.push(event));
        self.is_touched = false;
    }

    fn count_round(&mut self) -> Result<(), Livelock> {
        if self.now.since(self.rounds_since) >= SECOND {
            (self.rounds_since, self.rounds) = (self.now, 0);
        }
        self.rounds = self.rounds.saturating_add(1);
        if self.rounds <= MAX_ROUNDS {
            return Ok(());
        }
        let why = self.wake.filter(|wake| wake.at <= self.now).map(|wake| wake.reason);
        Err(Livelock { at: self.now, who: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)), why })
    }
}

impl<C: Machine> ClientStream<C> {
    fn due(&self, now: Instant) -> [Option<Instant>; 4] {
        let to_host = if self.is_open_at_host { self.to_host.wake() } else { None };
        let wake = self.wake.map(|wake| wake.at);
        [self.is_touched.then_some(now), wake, self.to_client.wake(), to_host]
    }

    fn turn(&mut self, now: Instant) {
        let mut piece = Vec::new();
        while let Some(arrived) = self.to_client.pop(now, &mut piece) {
            self.is_touched = true;
            match arrived {
                _ if !self.is_open => {}
                PipeEvent::End => {
                    self.is_open = false;
                    self.machine.handle_close(now, self.id);
                }
                PipeEvent::Bytes => self.machine.handle_bytes(now, self.id, &piece),
            }
        }
        if self.is_touched || self.wake.is_some_and(|wake| wake.at <= now) {
            let Self { machine, id, events, is_open, to_host, .. } = self;
            let output = |output: Output, bytes: &[u8]| match output {
                Output::Stream(StreamOutput::Write(stream)) if stream == *id && *is_open => {
                    to_host.push(now, bytes);
                }
                Output::Stream(StreamOutput::Close(stream)) if stream == *id => *is_open = false,
                Output::Stream(_) | Output::Datagram(_) => {}
            };
            self.wake = pump(machine, now, &mut piece, output, |event| events.push(event));
            self.is_touched = false;
        }
        if !self.is_open {
            self.to_host.end(now);
        }
    }
}

/// Returns the stream of a client.
fn stream(caller: usize) -> StreamId {
    StreamId::new(u64::try_from(caller).unwrap_or(u64::MAX))
}
