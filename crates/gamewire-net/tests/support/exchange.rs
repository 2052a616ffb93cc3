#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it, from inside and from outside")]

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Transmit, Wake};

use super::parrot::{self, NoNumber, Parrot};

/// Repeats what it hears over streams and says what it is told to; a parrot over datagrams. It
/// says good-bye and closes a stream over which it hears [`QUIT`].
#[derive(Debug, Default)]
pub struct Exchange {
    pub parrot: Parrot,
    pub repeats: bool,
    /// Everything that was heard, but not if it is `None`.
    pub heard: Option<BTreeMap<StreamId, Vec<u8>>>,
    /// Where streams that are open come from.
    pub open: BTreeMap<StreamId, SocketAddr>,
    /// How often it was turned.
    pub turns: Cell<usize>,
    saying: VecDeque<(StreamOutput, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    events: VecDeque<Event>,
}

/// Asks an exchange to close the stream.
pub const QUIT: u8 = b'\n';
/// What it says before.
pub const BYE: &[u8] = b"bye";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Opened(StreamId, SocketAddr),
    /// So many bytes.
    Said(StreamId, usize),
    Ended(StreamId),
    Parrot(parrot::Event),
}

impl Exchange {
    pub fn repeating() -> Self {
        Self { parrot: Parrot::repeating(), repeats: true, heard: Some(BTreeMap::new()), ..Self::default() }
    }

    /// One that repeats what it hears and does not keep it.
    pub fn forgetful() -> Self {
        Self { heard: None, ..Self::repeating() }
    }

    pub fn say(&mut self, stream: StreamId, bytes: &[u8]) {
        let mut saying = self.spare.pop().unwrap_or_default();
        saying.clear();
        saying.extend_from_slice(bytes);
        self.saying.push_back((StreamOutput::Write(stream), saying));
    }

    pub fn close(&mut self, stream: StreamId) {
        self.open.remove(&stream);
        self.saying.push_back((StreamOutput::Close(stream), Vec::new()));
    }
}

impl Machine for Exchange {
    type Event = Event;
    type DatagramError = NoNumber;

    fn handle_timeout(&mut self, now: Instant) {
        self.parrot.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.turns.set(self.turns.get() + 1);
        self.parrot.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front().or_else(|| self.parrot.poll_event().map(Event::Parrot))
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoNumber> {
        self.parrot.handle_datagram(now, from, data)
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.parrot.poll_transmit(now, buffer)
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, from: SocketAddr) {
        assert!(self.open.insert(stream, from).is_none());
        self.events.push_back(Event::Opened(stream, from));
    }

    fn handle_bytes(&mut self, _: Instant, stream: StreamId, data: &[u8]) {
        assert!(self.open.contains_key(&stream) && !data.is_empty(), "{stream} says {data:?}");
        self.events.push_back(Event::Said(stream, data.len()));
        if let Some(heard) = &mut self.heard {
            heard.entry(stream).or_default().extend_from_slice(data);
        }
        if self.repeats {
            self.say(stream, data);
        }
        if data.contains(&QUIT) {
            self.say(stream, BYE);
            self.close(stream);
        }
    }

    fn handle_close(&mut self, _: Instant, stream: StreamId) {
        assert!(self.open.remove(&stream).is_some(), "{stream} ends twice");
        self.events.push_back(Event::Ended(stream));
    }

    fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let (output, bytes) = self.saying.pop_front()?;
        buffer.extend_from_slice(&bytes);
        self.spare.push(bytes);
        Some(output)
    }
}
