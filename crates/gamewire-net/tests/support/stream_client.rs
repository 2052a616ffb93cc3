use core::convert::Infallible;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Wake};

/// A machine with one stream. It stores the bytes received, and closes the stream after [`CLOSE_BYTE`].
#[derive(Debug, Default)]
pub struct StreamClient {
    pub received: Vec<u8>,
    /// Bytes to send before the machine closes the stream.
    pub close_reply: Vec<u8>,
    now: Instant,
    timer: Option<Instant>,
    outgoing: Vec<u8>,
    /// The stream that the driver opened, and its peer.
    pub stream: Option<(StreamId, SocketAddr)>,
    is_closing: bool,
    events: VecDeque<ClientEvent>,
}

/// A client that receives this byte closes its stream.
pub const CLOSE_BYTE: u8 = 0xff;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEvent {
    /// Number of bytes.
    Received(usize),
    Closed,
    TimerFired,
}

impl StreamClient {
    pub fn send(&mut self, bytes: &[u8]) {
        self.outgoing.extend_from_slice(bytes);
    }

    pub fn set_timer(&mut self, span: Duration) {
        self.timer = Some(self.now + span);
    }
}

impl Machine for StreamClient {
    type Event = ClientEvent;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        if self.timer.is_some_and(|at| at <= now) {
            self.timer = None;
            self.events.push_back(ClientEvent::TimerFired);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.timer.map(|at| Wake { at, reason: "timer" })
    }

    fn poll_event(&mut self) -> Option<ClientEvent> {
        self.events.pop_front()
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, peer: SocketAddr) {
        assert!(self.stream.replace((stream, peer)).is_none(), "a driver opens one stream");
    }

    fn handle_bytes(&mut self, _: Instant, stream: StreamId, data: &[u8]) {
        assert_eq!(self.stream.map(|(stream, _)| stream), Some(stream));
        self.received.extend_from_slice(data);
        self.events.push_back(ClientEvent::Received(data.len()));
        if data.contains(&CLOSE_BYTE) {
            self.outgoing.extend_from_slice(&self.close_reply);
            self.is_closing = true;
            self.events.push_back(ClientEvent::Closed);
        }
    }

    fn handle_close(&mut self, _: Instant, stream: StreamId) {
        assert_eq!(self.stream.take().map(|(stream, _)| stream), Some(stream));
        self.events.push_back(ClientEvent::Closed);
    }

    fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let (stream, _) = self.stream?;
        if !self.outgoing.is_empty() {
            buffer.append(&mut self.outgoing);
            return Some(StreamOutput::Write(stream));
        }
        self.is_closing.then(|| {
            self.stream = None;
            StreamOutput::Close(stream)
        })
    }
}
