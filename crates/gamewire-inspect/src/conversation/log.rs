use gamewire_machine::{Instant, Transport};
use gamewire_wire::{CodecError, Found};

use super::packet::{Counter, FrameOutcome, Key, PacketContext, PacketInfo};
use super::queue::{DeferredDatagrams, Event, EventKind, Queue};
use super::table::{ConversationLimits, LookupMiss, Table};
use crate::net::tcp::{Delivery, TcpEvent};
use crate::protocol::{Detect, TraceTarget};

/// Maximum number of counters of evicted conversations.
const MAX_COUNTERS: usize = 1 << 18;

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
        let PacketContext { key, frame, frame_length, time: timestamp, from, to } = context;
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
        if conversation.take_is_new() && queue_deferred(deferred, queue, key) {
            return FollowOutcome::DeferredFirst;
        }
        let time = timestamp.saturating_sub(start.unwrap_or(timestamp));
        let side = conversation.side(from);
        if cut {
            trace_truncated(data, &mut trace);
        } else {
            let at = Instant::from_micros(u64::try_from(time / 1000).unwrap_or_default());
            conversation.follower.follow_to(at, side, data, trace);
        }
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
        table.evict(memory, |number, follower| add_counters(number, &follower, evicted));
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
            FollowOutcome::Followed(packet) => Some(FrameOutcome::Datagram(packet)),
            FollowOutcome::Unrecognized => None,
            FollowOutcome::DeferredFirst => {
                let kind = EventKind::Bytes(self.queue.copy(bytes.data));
                self.queue.events.push_back(Event { context, kind });
                self.next_outcome(trace)
            }
        }
    }

    /// Queues an event of a TCP connection, which `frame` caused.
    pub(super) fn deliver(&mut self, frame: u64, time: i64, delivery: &Delivery<'_>) {
        let Delivery { source: from, destination: to, event, .. } = *delivery;
        let key = Key::new(Transport::Tcp, from, to);
        let context = PacketContext { key, frame, frame_length: self.frame_length, time, from, to };
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
                    if let Some((number, follower)) = self.table.remove(context.key) {
                        add_counters(number, &follower, &mut self.evicted);
                    }
                    continue;
                }
            };
            let bytes = Bytes { data: &buffer, length: buffer.len(), cut: false };
            match self.follow_bytes(context, bytes, trace.reborrow()) {
                FollowOutcome::Followed(packet) => {
                    self.queue.recycle(buffer);
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
                FollowOutcome::Unrecognized => self.queue.recycle(buffer),
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

    /// Returns the counters of all followers that are not zero, by conversation.
    pub(super) fn counters(&self) -> Vec<Counter> {
        let mut counters = self.evicted.clone();
        for conversation in self.table.followed() {
            add_counters(conversation.number, &conversation.follower, &mut counters);
        }
        counters.sort_by_key(|counter| counter.conversation);
        counters
    }
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

fn add_counters<F: Detect>(conversation: u64, follower: &F, counters: &mut Vec<Counter>) {
    follower.counters(&mut |name, count| {
        if count > 0 && counters.len() < MAX_COUNTERS {
            counters.push(Counter { conversation, name, count });
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
