use std::net::SocketAddr;

use gamewire_machine::{Instant, Transport};
use gamewire_wire::{CodecError, Found};

use super::packet::{Counter, FrameOutcome, Key, PacketContext, PacketInfo};
use super::queue::{DeferredDatagrams, Event, EventKind, Queue};
use super::table::{Conversation, ConversationLimits, LookupMiss, Table};
use crate::net::tcp::{Delivery, TcpEvent};
use crate::protocol::{Detect, TraceTarget};

/// Maximum number of counters of evicted conversations.
const MAX_COUNTERS: usize = 1 << 18;

/// Time in nanoseconds within which a reply is expected.
const HALF_OPEN: i64 = 1_000_000_000;

/// A callback that receives packets: the addresses of sender and receiver, the time in nanoseconds since 1970, and the
/// bytes.
pub(super) type SendPacket<'a> = dyn FnMut((SocketAddr, SocketAddr), i64, &[u8]) + 'a;

/// The conversations, and the queue of bytes that are not followed yet.
pub(super) struct ConversationLog<F: Detect> {
    table: Table<F>,
    deferred: DeferredDatagrams,
    queue: Queue,
    /// Counters of evicted conversations.
    evicted: Vec<Counter>,
    /// Time of the first frame, in nanoseconds since 1970.
    start: Option<i64>,
    /// Length of the current frame on the wire, in bytes.
    frame_length: usize,
    /// The last frame with a followed run of bytes.
    last_frame: Option<u64>,
    /// True to trace the packets of state.
    pub(super) traces_state: bool,
}

/// The captured part of a datagram or run of bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) data: &'a [u8],
    /// Length on the wire, in bytes.
    pub(super) length: usize,
    pub(super) cut: bool,
}

/// The result of following bytes.
pub(super) enum FollowOutcome {
    /// They were followed.
    Followed(PacketInfo),
    /// Deferred datagrams of their conversation must be followed first. Nothing was followed.
    DeferredFirst,
    /// Their protocol is unknown.
    Unrecognized,
    /// They are state that is known.
    Known,
}

impl<F: Detect> ConversationLog<F> {
    pub(super) fn new(limits: ConversationLimits, config: F::Config) -> Self {
        Self {
            table: Table::new(limits, config),
            deferred: DeferredDatagrams::default(),
            queue: Queue::default(),
            evicted: Vec::new(),
            start: None,
            frame_length: 0,
            last_frame: None,
            traces_state: false,
        }
    }

    /// Begins the next frame or datagram, which was captured at `time` and has `frame_length` bytes on the wire.
    pub(super) fn begin(&mut self, time: i64, frame_length: usize) {
        self.frame_length = frame_length;
        self.start.get_or_insert(time);
        // Events that the caller did not poll must still reach their followers.
        while !self.queue.events.is_empty() && self.next_outcome((&mut ()).into()).is_some() {}
    }

    /// Passes bytes to the follower of their conversation, if it is recognized.
    pub(super) fn follow_bytes(
        &mut self,
        context: PacketContext,
        bytes: Bytes<'_>,
        mut trace: TraceTarget<'_>,
    ) -> FollowOutcome {
        let PacketContext { key, frame, frame_length, time: timestamp, is_state, from, to } = context;
        let mut nothing = ();
        let mut trace = if is_state && !self.traces_state { (&mut nothing).into() } else { trace.reborrow() };
        let Bytes { data, length, cut } = bytes;
        let Self { table, deferred, queue, evicted, start, .. } = self;
        let conversation = match table.find(context, data) {
            Ok(conversation) => conversation,
            Err(LookupMiss::Unknown) => return FollowOutcome::Unrecognized,
            Err(LookupMiss::Possible) => {
                if !cut {
                    deferred.keep(context, data);
                }
                return FollowOutcome::Unrecognized;
            }
        };
        if is_state && conversation.is_live {
            return FollowOutcome::Known;
        }
        if conversation.take_is_new() && queue_deferred(deferred, queue, key) {
            return FollowOutcome::DeferredFirst;
        }
        let time = timestamp.saturating_sub(start.unwrap_or(timestamp));
        let side = conversation.side(from);
        if cut {
            trace_truncated(data, &mut trace);
        } else {
            let at = instant(time);
            conversation.follower.follow_to(at, side, data, trace);
        }
        if is_state {
            conversation.exclude_counts();
        }
        conversation.is_live |= !is_state;
        let packet = PacketInfo {
            frame,
            time,
            timestamp,
            frame_length,
            transport: key.transport,
            conversation: conversation.number,
            recognized: conversation.recognized,
            protocol: conversation.follower.protocol(),
            dialect: conversation.follower.dialect(),
            sender: conversation.role(side),
            from,
            to,
            length,
        };
        let memory = conversation.update_memory_use();
        table.evict(memory, |conversation| add_counters(&conversation, evicted));
        FollowOutcome::Followed(packet)
    }

    /// Follows a datagram or run of bytes, or the first deferred datagram of its conversation.
    pub(super) fn datagram(
        &mut self,
        context: PacketContext,
        bytes: Bytes<'_>,
        mut trace: TraceTarget<'_>,
    ) -> Option<FrameOutcome> {
        match self.follow_bytes(context, bytes, trace.reborrow()) {
            FollowOutcome::Followed(packet) if context.is_state => Some(FrameOutcome::State(Some(packet))),
            FollowOutcome::Followed(packet) => Some(FrameOutcome::Datagram(packet)),
            FollowOutcome::Unrecognized if context.is_state => Some(FrameOutcome::State(None)),
            FollowOutcome::Unrecognized => None,
            FollowOutcome::Known => Some(FrameOutcome::State(None)),
            FollowOutcome::DeferredFirst => {
                let kind = EventKind::Bytes(self.queue.copy(bytes.data));
                self.queue.events.push_back(Event { context, kind });
                self.next_outcome(trace)
            }
        }
    }

    /// Queues an event of a TCP connection, which `frame` caused. `is_state` is true if the frame was not on the wire.
    pub(super) fn deliver(&mut self, frame: u64, time: i64, is_state: bool, delivery: &Delivery<'_>) {
        let Delivery { source: from, destination: to, event, .. } = *delivery;
        let key = Key::new(Transport::Tcp, from, to);
        let context = PacketContext { key, frame, frame_length: self.frame_length, time, is_state, from, to };
        let kind = match event {
            TcpEvent::Opened { .. } => EventKind::Opened,
            TcpEvent::Data(data) => EventKind::Bytes(self.queue.copy(data)),
            TcpEvent::Gap { bytes } => EventKind::Gap(bytes),
            TcpEvent::Finished | TcpEvent::Reset | TcpEvent::Dropped => return,
        };
        self.queue.events.push_back(Event { context, kind });
    }

    /// Follows the next queued bytes. Returns `None` when the queue is empty.
    pub(super) fn next_outcome(&mut self, mut trace: TraceTarget<'_>) -> Option<FrameOutcome> {
        while let Some(Event { context, kind }) = self.queue.events.pop_front() {
            let (buffer, is_deferred) = match kind {
                EventKind::Bytes(buffer) => (buffer, false),
                EventKind::Deferred(buffer) => (buffer, true),
                EventKind::Gap(bytes) => {
                    if let Some(conversation) = self.table.get(context.key) {
                        let side = conversation.side(context.from);
                        conversation.follower.skip(side, bytes);
                    }
                    continue;
                }
                EventKind::Opened => {
                    if let Some(conversation) = self.table.remove(context.key) {
                        add_counters(&conversation, &mut self.evicted);
                    }
                    continue;
                }
            };
            let bytes = Bytes { data: &buffer, length: buffer.len(), cut: false };
            match self.follow_bytes(context, bytes, trace.reborrow()) {
                FollowOutcome::Followed(packet) => {
                    self.queue.recycle(buffer);
                    if context.is_state {
                        return Some(FrameOutcome::State(Some(packet)));
                    }
                    if is_deferred {
                        return Some(FrameOutcome::Deferred(packet));
                    }
                    let is_additional = self.last_frame.replace(context.frame) == Some(context.frame);
                    return Some(if is_additional {
                        FrameOutcome::Additional(packet)
                    } else {
                        FrameOutcome::Datagram(packet)
                    });
                }
                FollowOutcome::Unrecognized | FollowOutcome::Known => self.queue.recycle(buffer),
                FollowOutcome::DeferredFirst => {
                    // The deferred datagrams are at the front of the queue; these bytes follow them.
                    self.queue.push_after_deferred(Event { context, kind: EventKind::Bytes(buffer) });
                }
            }
        }
        None
    }

    /// Marks the end of the capture: all further bytes are [`FrameOutcome::Additional`] ones of the last frame.
    pub(super) fn finish(&mut self, frame: u64) {
        self.last_frame = Some(frame);
    }

    pub(super) fn is_followed(&mut self, key: Key) -> bool {
        self.table.get(key).is_some()
    }

    /// Returns whether a packet that was on the wire was followed in a conversation.
    pub(super) fn is_live(&self, key: Key) -> bool {
        self.table.peek(key).is_some_and(|conversation| conversation.is_live)
    }

    /// Returns whether a conversation may have begun within the last second before `time`, and shows its protocol only
    /// with a reply.
    pub(super) fn is_half_open(&self, time: i64) -> bool {
        self.deferred.has_any_since(time, HALF_OPEN)
    }

    /// Passes to `send` the packets from which a follower of another file learns the state of a conversation between two
    /// addresses at `time`, with their directions and times. If its protocol is not recognized yet, these are its first
    /// packets.
    pub(super) fn resume(
        &self,
        transport: Transport,
        ends: (SocketAddr, SocketAddr),
        time: i64,
        send: &mut SendPacket<'_>,
    ) {
        let key = Key::new(transport, ends.0, ends.1);
        let start = self.start.unwrap_or(time);
        // Whole microseconds after the first frame, so that a follower of another file computes the same round trips.
        let timestamp = |at| start.saturating_add(since_start(at));
        let now = timestamp(instant(time.saturating_sub(start)));
        if let Some(conversation) = self.table.peek(key) {
            conversation.follower.resume(&mut |side, at, data| {
                send(conversation.direction(side, ends), at.map_or(now, timestamp), data);
            });
        } else {
            self.deferred.of(key).for_each(|(context, data)| send((context.from, context.to), now, data));
        }
    }

    /// Returns the counters of all followers that are not zero, by conversation.
    pub(super) fn counters(&self) -> Vec<Counter> {
        let mut counters = self.evicted.clone();
        for conversation in self.table.followed() {
            add_counters(conversation, &mut counters);
        }
        counters.sort_by_key(|counter| counter.conversation);
        counters
    }
}

/// The instant of the first frame in microseconds. Packets of state may have earlier times.
const START_MICROS: u64 = 60_000_000;

/// Returns the instant that is `time` nanoseconds after the first frame.
fn instant(time: i64) -> Instant {
    Instant::from_micros(START_MICROS.saturating_add_signed(time.div_euclid(1000)))
}

/// Returns the time of an instant in nanoseconds after the first frame.
fn since_start(at: Instant) -> i64 {
    let micros = i64::try_from(at.as_micros()).unwrap_or(i64::MAX);
    micros.saturating_sub(START_MICROS.cast_signed()).saturating_mul(1000)
}

/// Moves the deferred datagrams of a conversation to the front of the queue. Returns false if there are none.
#[cold]
fn queue_deferred(deferred: &mut DeferredDatagrams, queue: &mut Queue, key: Key) -> bool {
    let mut events = Vec::new();
    deferred.take(key, |context, data| {
        events.push(Event { context, kind: EventKind::Deferred(queue.copy(data)) });
    });
    let is_any = !events.is_empty();
    queue.push_first(events.into_iter());
    is_any
}

fn add_counters<F: Detect>(conversation: &Conversation<F>, counters: &mut Vec<Counter>) {
    conversation.counters(&mut |name, count| {
        if counters.len() < MAX_COUNTERS {
            counters.push(Counter { conversation: conversation.number, name, count });
        }
    });
}

/// Traces a truncated datagram as an error. The follower does not receive it, because missing bytes would mislead it.
#[cold]
fn trace_truncated(data: &[u8], trace: &mut TraceTarget<'_>) {
    let trace = trace.as_trace();
    trace.enter_source("datagram", data);
    let expected = "the rest of the datagram, cut by the snap length";
    trace.error(&CodecError::new(data.len(), expected, Found::End));
    trace.exit();
}
