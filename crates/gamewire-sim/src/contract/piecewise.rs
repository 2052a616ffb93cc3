use core::fmt;
use std::collections::BTreeMap;
use std::net::SocketAddr;

use gamewire_machine::{Datagram, Instant, Machine, Stream, StreamId, StreamOutput, Streams, Transmit, Wake};

/// A machine over one stream, to be held against the contract: each datagram of its peer is a piece
/// of the stream, an empty one its end. Those of others are rejected.
#[derive(Debug)]
pub struct StreamAsDatagram<M> {
    machine: M,
    peer: SocketAddr,
}

/// A machine over many streams, to be held against the contract: the first datagram from an address
/// opens a stream, each is a piece of it, and an empty one is its end, in both directions.
#[derive(Debug)]
pub struct StreamsAsDatagram<M> {
    machine: M,
    streams: BTreeMap<SocketAddr, StreamId>,
    next: u64,
}

/// A datagram of none that there is a stream with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchStream;

impl fmt::Display for NoSuchStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such stream")
    }
}

impl core::error::Error for NoSuchStream {}

impl<M> StreamAsDatagram<M> {
    /// A machine whose stream leads to `peer`.
    #[must_use]
    pub const fn new(machine: M, peer: SocketAddr) -> Self {
        Self { machine, peer }
    }

    /// The machine.
    #[must_use]
    pub const fn machine(&self) -> &M {
        &self.machine
    }

    /// The machine, to command it.
    pub const fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }
}

impl<M: Stream> Machine for StreamAsDatagram<M> {
    type Event = M::Event;

    fn handle_timeout(&mut self, now: Instant) {
        self.machine.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.machine.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<M::Event> {
        self.machine.poll_event()
    }
}

impl<M: Stream> Datagram for StreamAsDatagram<M> {
    type DatagramError = NoSuchStream;

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoSuchStream> {
        match data {
            _ if from != self.peer => return Err(NoSuchStream),
            [] => self.machine.handle_eof(now),
            // A stream that cannot go on is no piece that never came.
            data => drop(self.machine.handle_bytes(now, data)),
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        buffer.clear();
        while self.machine.poll_write(now, buffer) {}
        (!buffer.is_empty()).then_some(Transmit { to: self.peer })
    }
}

impl<M> StreamsAsDatagram<M> {
    /// A machine without streams.
    #[must_use]
    pub const fn new(machine: M) -> Self {
        Self { machine, streams: BTreeMap::new(), next: 0 }
    }

    /// The machine.
    #[must_use]
    pub const fn machine(&self) -> &M {
        &self.machine
    }

    /// The machine, to command it.
    pub const fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }
}

impl<M: Streams> Machine for StreamsAsDatagram<M> {
    type Event = M::Event;

    fn handle_timeout(&mut self, now: Instant) {
        self.machine.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.machine.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<M::Event> {
        self.machine.poll_event()
    }
}

impl<M: Streams> Datagram for StreamsAsDatagram<M> {
    type DatagramError = NoSuchStream;

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoSuchStream> {
        if data.is_empty() {
            let stream = self.streams.remove(&from).ok_or(NoSuchStream)?;
            self.machine.handle_close(now, stream);
            return Ok(());
        }
        let stream = match self.streams.get(&from) {
            Some(stream) => *stream,
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
            let output = self.machine.poll_stream(now, buffer)?;
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
