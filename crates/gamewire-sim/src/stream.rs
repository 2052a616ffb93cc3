//! Stream machines and the bytes between them, in virtual time.

mod pipe;

pub use pipe::StreamConditions;

use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use fastrand::Rng;
use gamewire_machine::{ConversationSide, Instant, Machine, Output, StreamId, StreamOutput, Wake, pump};

use self::pipe::{Pipe, PipeEvent};
use crate::Livelock;
use crate::livelock::RoundCounter;

const HOST: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 1);
/// The address of all clients. Each client has its own port.
const CLIENTS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 3));

/// A host of streams, clients that open one each, and the bytes between them, in virtual time. The network is
/// deterministic: the seed and the calls determine all results. Clients are numbered from 0.
pub struct StreamNetwork<H: Machine, C: Machine> {
    now: Instant,
    host: StreamNode<H>,
    clients: Vec<ClientStream<C>>,
    conditions: StreamConditions,
    random: Rng,
    rounds: RoundCounter,
}

/// A machine, its events since the last take, and its next timer.
struct StreamNode<M: Machine> {
    machine: M,
    events: Vec<M::Event>,
    wake: Option<Wake>,
    /// Set after a call, which may have changed the results of the machine's polls.
    needs_poll: bool,
}

impl<M: Machine> StreamNode<M> {
    const fn new(machine: M) -> Self {
        Self { machine, events: Vec::new(), wake: None, needs_poll: true }
    }

    /// Returns the machine so that commands can be issued, after advancing its clock.
    fn command(&mut self, now: Instant) -> &mut M {
        self.needs_poll = true;
        self.machine.handle_timeout(now);
        &mut self.machine
    }

    fn due(&self, now: Instant) -> Option<Instant> {
        if self.needs_poll { Some(now) } else { self.wake.map(|wake| wake.at) }
    }

    /// Pumps the machine if it is due.
    fn pump(&mut self, now: Instant, buffer: &mut Vec<u8>, output: impl FnMut(Output, &[u8])) {
        if self.due(now).is_some_and(|at| at <= now) {
            let events = &mut self.events;
            self.wake = pump(&mut self.machine, now, buffer, output, |event| events.push(event));
            self.needs_poll = false;
        }
    }
}

/// A client and its stream.
struct ClientStream<C: Machine> {
    node: StreamNode<C>,
    id: StreamId,
    /// The stream is open at the client.
    is_open: bool,
    /// The stream is open at the host.
    is_open_at_host: bool,
    to_client: Pipe,
    to_host: Pipe,
}

impl<H: Machine, C: Machine> StreamNetwork<H, C> {
    /// Creates a network with a host and no clients, at time zero. The conditions apply in both directions.
    pub fn new(host: H, conditions: StreamConditions, seed: u64) -> Self {
        Self {
            now: Instant::ZERO,
            host: StreamNode::new(host),
            clients: Vec::new(),
            conditions,
            random: Rng::with_seed(seed),
            rounds: RoundCounter::default(),
        }
    }

    /// Opens a stream from a client to the host, and returns the client's number.
    pub fn connect(&mut self, mut machine: C) -> usize {
        let index = self.clients.len();
        machine.handle_open(self.now, stream(index), HOST);
        let mut pipe = || Pipe::new(self.conditions, self.random.u64(..));
        self.clients.push(ClientStream {
            node: StreamNode::new(machine),
            is_open: true,
            is_open_at_host: true,
            id: stream(index),
            to_client: pipe(),
            to_host: pipe(),
        });
        let port = u16::try_from(index).unwrap_or(u16::MAX);
        self.host.machine.handle_open(self.now, stream(index), SocketAddr::from((CLIENTS, port)));
        self.host.needs_poll = true;
        index
    }

    /// Delays the bytes of `from` until `time` has passed, as if the other end did not read. The client is the first
    /// side, the host the second.
    pub fn stall(&mut self, index: usize, from: ConversationSide, time: Duration) {
        let until = self.now + time;
        if let Some(client) = self.clients.get_mut(index) {
            match from {
                ConversationSide::First => client.to_host.stall(until),
                ConversationSide::Second => client.to_client.stall(until),
            }
        }
    }

    /// Resets the stream. Bytes in flight are lost, and both machines receive `handle_close`.
    pub fn reset(&mut self, index: usize) {
        if let Some(client) = self.clients.get_mut(index) {
            client.to_host.reset(self.now);
            client.to_client.reset(self.now);
        }
    }

    /// Closes the client's stream. The host receives `handle_close` after all earlier bytes.
    pub fn shutdown(&mut self, index: usize) {
        if let Some(client) = self.clients.get_mut(index) {
            client.is_open = false;
            client.to_host.end(self.now);
        }
    }

    /// Returns the virtual time.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Returns the host.
    pub const fn host(&self) -> &H {
        &self.host.machine
    }

    /// Returns the host so that commands can be issued. Calls `handle_timeout` first, as drivers do.
    pub fn host_mut(&mut self) -> &mut H {
        self.host.command(self.now)
    }

    /// Returns a client.
    pub fn client(&self, index: usize) -> Option<&C> {
        self.clients.get(index).map(|client| &client.node.machine)
    }

    /// Returns a client so that commands can be issued. Calls `handle_timeout` first, as drivers do.
    pub fn caller_mut(&mut self, index: usize) -> Option<&mut C> {
        self.clients.get_mut(index).map(|client| client.node.command(self.now))
    }

    /// Takes the events of the host.
    pub fn take_host_events(&mut self) -> Vec<H::Event> {
        core::mem::take(&mut self.host.events)
    }

    /// Takes the events of a client.
    pub fn take_events(&mut self, index: usize) -> Vec<C::Event> {
        self.clients.get_mut(index).map(|client| core::mem::take(&mut client.node.events)).unwrap_or_default()
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
            self.check_livelock()?;
            self.turn_host();
            for client in &mut self.clients {
                client.turn(self.now);
            }
        }
    }

    fn due(&self) -> Option<Instant> {
        let clients = self.clients.iter().flat_map(|client| client.due(self.now));
        clients.chain([self.host.due(self.now)]).flatten().min()
    }

    /// Delivers the arrived bytes to the host, drives it, and sends its output.
    fn turn_host(&mut self) {
        let mut piece = Vec::new();
        for (index, client) in
            self.clients.iter_mut().enumerate().filter(|(_, client)| client.is_open_at_host)
        {
            while let Some(arrived) = client.to_host.pop(self.now, &mut piece) {
                self.host.needs_poll = true;
                match arrived {
                    PipeEvent::Bytes => self.host.machine.handle_bytes(self.now, stream(index), &piece),
                    PipeEvent::End => {
                        client.is_open_at_host = false;
                        client.to_client.end(self.now);
                        self.host.machine.handle_close(self.now, stream(index));
                    }
                }
            }
        }
        let (clients, now) = (&mut self.clients, self.now);
        let output = |output: Output, bytes: &[u8]| {
            let Output::Stream(output) = output else { return };
            let (StreamOutput::Write(id) | StreamOutput::Close(id)) = output;
            let client = usize::try_from(id.number()).ok().and_then(|index| clients.get_mut(index));
            let Some(client) = client.filter(|client| client.is_open_at_host) else { return };
            client.to_client.push(now, bytes);
            if matches!(output, StreamOutput::Close(_)) {
                client.is_open_at_host = false;
                client.to_client.end(now);
            }
        };
        self.host.pump(now, &mut piece, output);
    }

    fn check_livelock(&mut self) -> Result<(), Livelock> {
        if !self.rounds.exceeds(self.now) {
            return Ok(());
        }
        let why = self.host.wake.filter(|wake| wake.at <= self.now).map(|wake| wake.reason);
        Err(Livelock { at: self.now, who: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)), why })
    }
}

impl<C: Machine> ClientStream<C> {
    fn due(&self, now: Instant) -> [Option<Instant>; 3] {
        let to_host = if self.is_open_at_host { self.to_host.wake() } else { None };
        [self.node.due(now), self.to_client.wake(), to_host]
    }

    fn turn(&mut self, now: Instant) {
        let mut piece = Vec::new();
        while let Some(arrived) = self.to_client.pop(now, &mut piece) {
            self.node.needs_poll = true;
            match arrived {
                _ if !self.is_open => {}
                PipeEvent::End => {
                    self.is_open = false;
                    self.node.machine.handle_close(now, self.id);
                }
                PipeEvent::Bytes => self.node.machine.handle_bytes(now, self.id, &piece),
            }
        }
        let Self { node, id, is_open, to_host, .. } = self;
        let output = |output: Output, bytes: &[u8]| match output {
            Output::Stream(StreamOutput::Write(stream)) if stream == *id && *is_open => {
                to_host.push(now, bytes)
            }
            Output::Stream(StreamOutput::Close(stream)) if stream == *id => *is_open = false,
            Output::Stream(_) | Output::Datagram(_) => {}
        };
        node.pump(now, &mut piece, output);
        if !self.is_open {
            self.to_host.end(now);
        }
    }
}

/// Returns the stream of a client.
fn stream(index: usize) -> StreamId {
    StreamId::new(u64::try_from(index).unwrap_or(u64::MAX))
}
