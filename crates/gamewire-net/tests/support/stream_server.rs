#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it, from inside and from outside")]

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Transmit, Wake};

use super::datagram_peer::{self, DatagramPeer, NoNumber};

/// A machine with many streams that optionally echoes their bytes. It handles datagrams like a [`DatagramPeer`]. It
/// closes a stream after receiving [`CLOSE_REQUEST`] over it, and sends [`CLOSE_REPLY`] before.
#[derive(Debug, Default)]
pub struct StreamServer {
    pub datagrams: DatagramPeer,
    pub echoes: bool,
    /// All bytes received; `None` stores nothing.
    pub received: Option<BTreeMap<StreamId, Vec<u8>>>,
    /// The peers of open streams.
    pub open: BTreeMap<StreamId, SocketAddr>,
    /// Number of polls.
    pub polls: Cell<usize>,
    outgoing: VecDeque<(StreamOutput, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    events: VecDeque<Event>,
}

/// Asks the server to close the stream.
pub const CLOSE_REQUEST: u8 = b'\n';
/// The reply to [`CLOSE_REQUEST`].
pub const CLOSE_REPLY: &[u8] = b"bye";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Opened(StreamId, SocketAddr),
    /// Number of bytes.
    Received(StreamId, usize),
    Closed(StreamId),
    Datagram(datagram_peer::Event),
}

impl StreamServer {
    pub fn echoing() -> Self {
        Self {
            datagrams: DatagramPeer::echoing(),
            echoes: true,
            received: Some(BTreeMap::new()),
            ..Self::default()
        }
    }

    /// Creates a server that echoes bytes and does not store them.
    pub fn without_log() -> Self {
        Self { received: None, ..Self::echoing() }
    }

    pub fn send(&mut self, stream: StreamId, bytes: &[u8]) {
        let mut outgoing = self.spare.pop().unwrap_or_default();
        outgoing.clear();
        outgoing.extend_from_slice(bytes);
        self.outgoing.push_back((StreamOutput::Write(stream), outgoing));
    }

    pub fn close(&mut self, stream: StreamId) {
        self.open.remove(&stream);
        self.outgoing.push_back((StreamOutput::Close(stream), Vec::new()));
    }
}

impl Machine for StreamServer {
    type Event = Event;
    type DatagramError = NoNumber;

    fn handle_timeout(&mut self, now: Instant) {
        self.datagrams.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.polls.set(self.polls.get() + 1);
        self.datagrams.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front().or_else(|| self.datagrams.poll_event().map(Event::Datagram))
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoNumber> {
        self.datagrams.handle_datagram(now, from, data)
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.datagrams.poll_transmit(now, buffer)
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, from: SocketAddr) {
        assert!(self.open.insert(stream, from).is_none());
        self.events.push_back(Event::Opened(stream, from));
    }

    fn handle_bytes(&mut self, _: Instant, stream: StreamId, data: &[u8]) {
        assert!(
            self.open.contains_key(&stream) && !data.is_empty(),
            "unexpected bytes on {stream}: {data:?}"
        );
        self.events.push_back(Event::Received(stream, data.len()));
        if let Some(received) = &mut self.received {
            received.entry(stream).or_default().extend_from_slice(data);
        }
        if self.echoes {
            self.send(stream, data);
        }
        if data.contains(&CLOSE_REQUEST) {
            self.send(stream, CLOSE_REPLY);
            self.close(stream);
        }
    }

    fn handle_close(&mut self, _: Instant, stream: StreamId) {
        assert!(self.open.remove(&stream).is_some(), "{stream} closed twice");
        self.events.push_back(Event::Closed(stream));
    }

    fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let (output, bytes) = self.outgoing.pop_front()?;
        buffer.extend_from_slice(&bytes);
        self.spare.push(bytes);
        Some(output)
    }
}
