//! One connection: its two directions, its start and its end.

use std::net::SocketAddr;

use super::event::{Delivery, ReassemblyLimits, TcpEvent};
use super::stream::Stream;
use crate::net::payload::Segment;

/// The two addresses of a connection, in either order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AddressPair {
    low: SocketAddr,
    high: SocketAddr,
}

impl AddressPair {
    pub(super) fn new(segment: &Segment<'_>) -> Self {
        let (source, destination) = (segment.source, segment.destination);
        Self { low: source.min(destination), high: source.max(destination) }
    }
}

/// A side of a connection, by the order of the addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LowHigh {
    Low,
    High,
}

impl LowHigh {
    fn other(self) -> Self {
        match self {
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }
}

/// A followed connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) addresses: AddressPair,
    id: u64,
    low: Option<Stream>,
    high: Option<Stream>,
    /// The side that opened the connection, or a guess if that was not captured.
    client: LowHigh,
    saw_syn: bool,
    /// A SYN with a different sequence number. If the other side replies to it, it begins a new connection.
    attempt: Option<(LowHigh, u32)>,
    /// True after [`TcpEvent::Opened`] was delivered.
    announced: bool,
    /// True if a segment after the handshake arrived since the clock hand passed.
    pub(super) active: bool,
}

impl Connection {
    /// Returns a connection that begins with `segment`.
    pub(super) fn new(id: u64, segment: &Segment<'_>) -> Self {
        let addresses = AddressPair::new(segment);
        let sender = if segment.source == addresses.low { LowHigh::Low } else { LowHigh::High };
        let answers = segment.flags.syn && segment.flags.ack;
        Self {
            addresses,
            id,
            low: None,
            high: None,
            client: if answers { sender.other() } else { sender },
            saw_syn: segment.flags.syn,
            attempt: None,
            announced: false,
            active: false,
        }
    }

    /// Returns the buffered bytes of both directions, as [`ReassemblyLimits`] counts them.
    pub(super) fn buffered(&self) -> usize {
        let buffered = |stream: &Option<Stream>| stream.as_ref().map_or(0, |stream| stream.buffered);
        buffered(&self.low).saturating_add(buffered(&self.high))
    }

    /// Returns whether `segment` begins a new connection between the same addresses. After the end of this connection,
    /// a SYN is enough; before the end, the other side must have replied to it.
    pub(super) fn is_replaced_by(&mut self, segment: &Segment<'_>) -> bool {
        let flags = segment.flags;
        if !flags.syn || flags.rst {
            return false;
        }
        let sender = self.sender(segment);
        if flags.ack {
            return self.attempt == Some((sender.other(), segment.ack.wrapping_sub(1)));
        }
        let first = segment.seq.wrapping_add(1);
        match self.stream(sender) {
            _ if self.has_ended() => true,
            Some(stream) if stream.first_seq != first => {
                self.attempt = Some((sender, segment.seq));
                false
            }
            _ => false,
        }
    }

    /// Returns the connection that began with a SYN and its reply.
    pub(super) fn successor(&self, id: u64, time: i64, segment: &Segment<'_>) -> Self {
        let mut successor = Self::new(id, segment);
        if let Some((side, seq)) = self.attempt.filter(|_| segment.flags.ack) {
            *successor.stream_mut(side) = Some(Stream::new(seq.wrapping_add(1), time));
        }
        successor
    }

    /// Adds a segment and delivers the bytes that are in order.
    pub(super) fn push(
        &mut self,
        time: i64,
        limits: &ReassemblyLimits,
        segment: &Segment<'_>,
        deliver: &mut dyn FnMut(Delivery<'_>),
    ) {
        let sender = self.sender(segment);
        self.active |= !segment.flags.syn;
        if self.has_ended() {
            return;
        }
        if segment.flags.rst && self.stream(sender).is_none() {
            // This side sent nothing before, so it refuses the connection.
            self.emit(sender, deliver, |_, emit| emit(TcpEvent::Reset));
            return self.close();
        }
        let first = segment.seq.wrapping_add(u32::from(segment.flags.syn));
        self.stream_mut(sender).get_or_insert_with(|| Stream::new(first, time));
        let mut reset = false;
        self.emit(sender, deliver, |stream, emit| {
            stream.push(time, limits, segment, &mut |event| {
                reset |= event == TcpEvent::Reset;
                emit(event);
            });
        });
        if reset {
            self.emit(sender.other(), deliver, |stream, emit| stream.flush(emit));
            self.close();
        }
    }

    /// Skips all missing bytes.
    pub(super) fn flush(&mut self, deliver: &mut dyn FnMut(Delivery<'_>)) {
        for side in [self.client, self.client.other()] {
            self.emit(side, deliver, |stream, emit| stream.flush(emit));
        }
    }

    /// Delivers the buffered bytes, and [`TcpEvent::Dropped`] if no end was seen.
    pub(super) fn give_up(&mut self, deliver: &mut dyn FnMut(Delivery<'_>)) {
        self.flush(deliver);
        if self.announced && !self.has_ended() {
            self.emit(self.client, deliver, |_, emit| emit(TcpEvent::Dropped));
        }
    }

    /// Calls `work` with the stream of a side, and delivers [`TcpEvent::Opened`] before its first event.
    fn emit(
        &mut self,
        side: LowHigh,
        deliver: &mut dyn FnMut(Delivery<'_>),
        work: impl FnOnce(&mut Stream, &mut dyn FnMut(TcpEvent<'_>)),
    ) {
        let (id, saw_syn) = (self.id, self.saw_syn);
        let (sender, receiver) = self.endpoints(side);
        let (client, server) = self.endpoints(self.client);
        let mut announced = self.announced;
        let mut nothing = Stream::new(0, 0);
        let stream = self.stream_mut(side).as_mut().unwrap_or(&mut nothing);
        work(stream, &mut |event| {
            if !announced {
                announced = true;
                let event = TcpEvent::Opened { saw_syn };
                deliver(Delivery { connection: id, source: client, destination: server, event });
            }
            deliver(Delivery { connection: id, source: sender, destination: receiver, event });
        });
        self.announced = announced;
    }

    /// Returns whether both directions have ended.
    fn has_ended(&self) -> bool {
        let ended = |stream: &Option<Stream>| stream.as_ref().is_some_and(|stream| stream.ended);
        ended(&self.low) && ended(&self.high)
    }

    fn close(&mut self) {
        for side in [LowHigh::Low, LowHigh::High] {
            self.stream_mut(side).get_or_insert_with(|| Stream::new(0, 0)).close();
        }
    }

    fn sender(&self, segment: &Segment<'_>) -> LowHigh {
        if segment.source == self.addresses.low { LowHigh::Low } else { LowHigh::High }
    }

    fn endpoints(&self, sender: LowHigh) -> (SocketAddr, SocketAddr) {
        match sender {
            LowHigh::Low => (self.addresses.low, self.addresses.high),
            LowHigh::High => (self.addresses.high, self.addresses.low),
        }
    }

    fn stream(&self, side: LowHigh) -> Option<&Stream> {
        match side {
            LowHigh::Low => self.low.as_ref(),
            LowHigh::High => self.high.as_ref(),
        }
    }

    fn stream_mut(&mut self, side: LowHigh) -> &mut Option<Stream> {
        match side {
            LowHigh::Low => &mut self.low,
            LowHigh::High => &mut self.high,
        }
    }
}
