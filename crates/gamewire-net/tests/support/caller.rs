use core::convert::Infallible;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Wake};

/// Says what it is told to over its stream, and keeps what it hears until it hears [`NONSENSE`].
#[derive(Debug, Default)]
pub struct Caller {
    pub heard: Vec<u8>,
    /// What it says when it hears nonsense.
    pub protest: Vec<u8>,
    now: Instant,
    alarm: Option<Instant>,
    saying: Vec<u8>,
    /// The stream that the driver opened, and its peer.
    pub stream: Option<(StreamId, SocketAddr)>,
    is_closing: bool,
    events: VecDeque<Called>,
}

/// A caller that hears this does not go on.
pub const NONSENSE: u8 = 0xff;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// So many bytes.
    Heard(usize),
    Ended,
    Rang,
}

impl Caller {
    pub fn say(&mut self, bytes: &[u8]) {
        self.saying.extend_from_slice(bytes);
    }

    pub fn ring_after(&mut self, span: Duration) {
        self.alarm = Some(self.now + span);
    }
}

impl Machine for Caller {
    type Event = Called;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        if self.alarm.is_some_and(|at| at <= now) {
            self.alarm = None;
            self.events.push_back(Called::Rang);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.alarm.map(|at| Wake { at, reason: "alarm" })
    }

    fn poll_event(&mut self) -> Option<Called> {
        self.events.pop_front()
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, peer: SocketAddr) {
        assert!(self.stream.replace((stream, peer)).is_none(), "a driver opens one stream");
    }

    fn handle_bytes(&mut self, _: Instant, stream: StreamId, data: &[u8]) {
        assert_eq!(self.stream.map(|(stream, _)| stream), Some(stream));
        self.heard.extend_from_slice(data);
        self.events.push_back(Called::Heard(data.len()));
        if data.contains(&NONSENSE) {
            self.saying.extend_from_slice(&self.protest);
            self.is_closing = true;
            self.events.push_back(Called::Ended);
        }
    }

    fn handle_close(&mut self, _: Instant, stream: StreamId) {
        assert_eq!(self.stream.take().map(|(stream, _)| stream), Some(stream));
        self.events.push_back(Called::Ended);
    }

    fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let (stream, _) = self.stream?;
        if !self.saying.is_empty() {
            buffer.append(&mut self.saying);
            return Some(StreamOutput::Write(stream));
        }
        self.is_closing.then(|| {
            self.stream = None;
            StreamOutput::Close(stream)
        })
    }
}
