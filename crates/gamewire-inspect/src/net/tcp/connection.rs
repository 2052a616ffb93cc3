//! One connection: its two directions, and when it begins and ends.

use std::net::SocketAddr;

use super::event::{Delivery, TcpEvent};
use super::limits::ReassemblyLimits;
use super::stream::Stream;
use crate::net::payload::Segment;

/// The two ends of a connection, whichever sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AddressPair {
    low: SocketAddr,
    high: SocketAddr,
}

impl AddressPair {
    pub(super) fn of(segment: &Segment<'_>) -> Self {
        let (source, destination) = (segment.source, segment.destination);
        Self { low: source.min(destination), high: source.max(destination) }
    }
}

/// Who sends.
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

/// A connection that is followed.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) ends: AddressPair,
    id: u64,
    low: Option<Stream>,
    high: Option<Stream>,
    /// Who opened it, as far as it can be told.
    client: LowHigh,
    saw_syn: bool,
    /// A SYN with another sequence number than the connection's: a new connection once it is answered.
    attempt: Option<(LowHigh, u32)>,
    /// The listener knows of it.
    announced: bool,
    /// Had a segment past the handshake since the clock hand came by.
    pub(super) active: bool,
}

impl Connection {
    /// A connection that begins with `segment`.
    pub(super) fn new(id: u64, segment: &Segment<'_>) -> Self {
        let ends = AddressPair::of(segment);
        let sender = if segment.source == ends.low { LowHigh::Low } else { LowHigh::High };
        let answers = segment.flags.syn && segment.flags.ack;
        Self {
            ends,
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

    /// What waits in both directions, in bytes as [`Limits`] counts them.
    pub(super) fn buffered(&self) -> usize {
        let waits = |stream: &Option<Stream>| stream.as_ref().map_or(0, Stream::buffered);
        waits(&self.low).saturating_add(waits(&self.high))
    }

    /// Whether `segment` shows that another connection between the same ends took this one's place. A SYN alone
    /// shows that only after the end; before it, the other side must have answered.
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
            Some(stream) if stream.first_seq() != first => {
                self.attempt = Some((sender, segment.seq));
                false
            }
            _ => false,
        }
    }

    /// The connection that an answered SYN has begun.
    pub(super) fn successor(&self, id: u64, time: i64, segment: &Segment<'_>) -> Self {
        let mut successor = Self::new(id, segment);
        if let Some((side, seq)) = self.attempt.filter(|_| segment.flags.ack) {
            *successor.stream_mut(side) = Some(Stream::new(seq.wrapping_add(1), time));
        }
        successor
    }

    /// Takes a segment in and delivers what is in order now.
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
            // Nothing was seen of this side: it refuses the connection.
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

    /// Gives up on every hole.
    pub(super) fn flush(&mut self, deliver: &mut dyn FnMut(Delivery<'_>)) {
        for side in [self.client, self.client.other()] {
            self.emit(side, deliver, |stream, emit| stream.flush(emit));
        }
    }

    /// Delivers what waits and says that no end was seen, if there was none.
    pub(super) fn give_up(&mut self, deliver: &mut dyn FnMut(Delivery<'_>)) {
        self.flush(deliver);
        if self.announced && !self.has_ended() {
            self.emit(self.client, deliver, |_, emit| emit(TcpEvent::Dropped));
        }
    }

    /// Runs `work` on the stream of one side, announcing the connection before its first event.
    fn emit(
        &mut self,
        side: LowHigh,
        deliver: &mut dyn FnMut(Delivery<'_>),
        work: impl FnOnce(&mut Stream, &mut dyn FnMut(TcpEvent<'_>)),
    ) {
        let (id, saw_syn) = (self.id, self.saw_syn);
        let (sender, receiver) = self.addresses(side);
        let (client, server) = self.addresses(self.client);
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

    /// Whether both directions have ended.
    fn has_ended(&self) -> bool {
        let ended = |stream: &Option<Stream>| stream.as_ref().is_some_and(Stream::has_ended);
        ended(&self.low) && ended(&self.high)
    }

    fn close(&mut self) {
        for side in [LowHigh::Low, LowHigh::High] {
            self.stream_mut(side).get_or_insert_with(|| Stream::new(0, 0)).close();
        }
    }

    fn sender(&self, segment: &Segment<'_>) -> LowHigh {
        if segment.source == self.ends.low { LowHigh::Low } else { LowHigh::High }
    }

    fn addresses(&self, sender: LowHigh) -> (SocketAddr, SocketAddr) {
        match sender {
            LowHigh::Low => (self.ends.low, self.ends.high),
            LowHigh::High => (self.ends.high, self.ends.low),
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
