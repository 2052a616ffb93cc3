use core::fmt;
use std::collections::BTreeMap;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Transmit, Wake};

/// An adapter that checks a machine over streams against the contract. Each datagram of a peer is a piece of its
/// stream, and an empty one is its end, in both directions. The first datagram of a peer opens a stream with a server;
/// a client has one stream and rejects all others.
#[derive(Debug)]
pub struct StreamsAsDatagram<M> {
    machine: M,
    streams: BTreeMap<SocketAddr, StreamId>,
    accepts: bool,
    next: u64,
    /// An output that was polled and not returned yet.
    pending: Option<(StreamOutput, Vec<u8>)>,
}

/// The error for a datagram from an address without a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchStream;

impl fmt::Display for NoSuchStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such stream")
    }
}

impl core::error::Error for NoSuchStream {}

impl<M> StreamsAsDatagram<M> {
    /// Wraps a server, which has no streams at first.
    pub const fn new(machine: M) -> Self {
        Self { machine, streams: BTreeMap::new(), accepts: true, next: 0, pending: None }
    }

    /// Returns the machine.
    pub const fn machine(&self) -> &M {
        &self.machine
    }

    /// Returns the machine so that commands can be issued.
    pub const fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }
}

impl<M: Machine> StreamsAsDatagram<M> {
    /// Appends all further writes to `stream`, and keeps the first output of another kind.
    fn join_writes(&mut self, now: Instant, stream: StreamId, buffer: &mut Vec<u8>) {
        loop {
            let length = buffer.len();
            match self.machine.poll_stream(now, buffer) {
                Some(StreamOutput::Write(next)) if next == stream => {}
                Some(other) => {
                    self.pending = Some((other, buffer.split_off(length)));
                    return;
                }
                None => return,
            }
        }
    }

    /// Wraps a client after opening its stream to `peer`.
    pub fn connected(mut machine: M, now: Instant, peer: SocketAddr) -> Self {
        let stream = StreamId::new(0);
        machine.handle_open(now, stream, peer);
        Self { machine, streams: BTreeMap::from([(peer, stream)]), accepts: false, next: 1, pending: None }
    }
}

impl<M: Machine> Machine for StreamsAsDatagram<M> {
    type Event = M::Event;
    type DatagramError = NoSuchStream;

    fn handle_timeout(&mut self, now: Instant) {
        self.machine.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.machine.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<M::Event> {
        self.machine.poll_event()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoSuchStream> {
        if data.is_empty() {
            let stream = self.streams.remove(&from).ok_or(NoSuchStream)?;
            self.machine.handle_close(now, stream);
            return Ok(());
        }
        let stream = match self.streams.get(&from) {
            Some(stream) => *stream,
            None if !self.accepts => return Err(NoSuchStream),
            None => {
                let stream = StreamId::new(self.next);
                self.next = self.next.saturating_add(1);
                self.streams.insert(from, stream);
                self.machine.handle_open(now, stream, from);
                stream
            }
        };
        self.machine.handle_bytes(now, stream, data);
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        loop {
            buffer.clear();
            let output = match self.pending.take() {
                Some((output, bytes)) => {
                    buffer.extend_from_slice(&bytes);
                    output
                }
                None => self.machine.poll_stream(now, buffer)?,
            };
            if let StreamOutput::Write(stream) = output {
                self.join_writes(now, stream, buffer);
            }
            let (StreamOutput::Write(stream) | StreamOutput::Close(stream)) = output;
            let to = self.streams.iter().find(|(_, known)| **known == stream).map(|(address, _)| *address);
            if let Some(to) = to {
                if matches!(output, StreamOutput::Close(_)) {
                    self.streams.remove(&to);
                }
                return Some(Transmit { to });
            }
        }
    }
}
