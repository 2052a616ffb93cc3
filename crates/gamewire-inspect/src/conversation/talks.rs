use gamewire_machine::Instant;
use gamewire_wire::{CodecError, Found, Trace};

use super::held::{DeferredDatagrams, PacketContext};
use super::key::Key;
use super::queue::{Event, EventKind, Queue};
use super::sight::{Counter, FrameOutcome};
use super::sighting::PacketInfo;
use super::table::{ConversationLimits, LookupMiss, Table};
use crate::net::tcp::{Delivery, TcpEvent};
use crate::protocol::{Detect, Transport};

/// How many counters of forgotten conversations are kept.
const COUNTERS: usize = 1 << 18;

/// The conversations, and what of them is still to be told.
pub(super) struct ConversationLog<F: Detect> {
    table: Table<F>,
    held: DeferredDatagrams,
    queue: Queue,
    /// What the followers of forgotten conversations had counted.
    forgotten: Vec<Counter>,
    /// When the first frame came by, in nanoseconds since 1970.
    start: Option<i64>,
    /// The last frame of which a run of bytes was told.
    told: Option<u64>,
}

/// A datagram or run of bytes, as far as it was captured.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) data: &'a [u8],
    /// How many there were on the wire.
    pub(super) length: usize,
    pub(super) cut: bool,
}

/// What became of bytes.
pub(super) enum FollowOutcome {
    /// They were told.
    Told(PacketInfo),
    /// They have shown what earlier ones are, which come first. Nothing was told.
    DeferredFirst,
    /// Nobody recognises them.
    Nothing,
}

impl<F: Detect> ConversationLog<F> {
    pub(super) fn new(limits: ConversationLimits, settings: F::Settings) -> Self {
        Self {
            table: Table::new(limits, settings),
            held: DeferredDatagrams::default(),
            queue: Queue::default(),
            forgotten: Vec::new(),
            start: None,
            told: None,
        }
    }

    /// Something comes by at `time`.
    pub(super) fn begin(&mut self, time: i64) {
        self.start.get_or_insert(time);
        // What nobody asked for has still to reach its follower.
        while !self.queue.is_empty() && self.more(&mut ()).is_some() {}
    }

    /// Shows bytes to the follower of their conversation, if they are of one.
    #[inline]
    pub(super) fn follow_bytes<T: Trace>(
        &mut self,
        passing: PacketContext,
        bytes: Bytes<'_>,
        trace: &mut T,
    ) -> FollowOutcome {
        let PacketContext { key, frame, time, from, to } = passing;
        let Bytes { data, length, cut } = bytes;
        let Self { table, held, queue, forgotten, start, .. } = self;
        let talk = match table.find(key, from, to, data) {
            Ok(talk) => talk,
            Err(LookupMiss::Unknown) => return FollowOutcome::Nothing,
            Err(LookupMiss::Perhaps) => {
                if !cut {
                    held.keep(passing, data);
                }
                return FollowOutcome::Nothing;
            }
        };
        if talk.is_new() && queue_deferred(held, queue, key) {
            return FollowOutcome::DeferredFirst;
        }
        let time = time.saturating_sub(start.unwrap_or(time));
        let end = talk.end(from);
        if cut {
            trace_truncated(data, trace);
        } else {
            let at = Instant::from_micros(u64::try_from(time / 1000).unwrap_or_default());
            talk.follower.follow(at, end, data, trace);
        }
        let sighting = PacketInfo {
            frame,
            time,
            conversation: talk.number,
            protocol: talk.follower.protocol(),
            dialect: talk.follower.dialect(),
            sender: talk.role(end),
            from,
            to,
            length,
        };
        let weighed = talk.update_memory_use();
        table.evict(weighed, |conversation, follower| count(conversation, &follower, forgotten));
        FollowOutcome::Told(sighting)
    }

    /// Looks at a datagram, and tells it or the first of those that it calls to mind.
    #[inline]
    pub(super) fn datagram<T: Trace>(
        &mut self,
        passing: PacketContext,
        bytes: Bytes<'_>,
        trace: &mut T,
    ) -> Option<FrameOutcome> {
        match self.follow_bytes(passing, bytes, trace) {
            FollowOutcome::Told(sighting) => Some(FrameOutcome::Datagram(sighting)),
            FollowOutcome::Nothing => None,
            FollowOutcome::DeferredFirst => {
                let what = EventKind::Bytes(self.queue.copy(bytes.data));
                self.queue.push(Event { passing, what });
                self.more(trace)
            }
        }
    }

    /// Something happened on a TCP connection when `frame` came by.
    pub(super) fn deliver(&mut self, frame: u64, time: i64, delivery: &Delivery<'_>) {
        let Delivery { source: from, destination: to, event, .. } = *delivery;
        let passing = PacketContext { key: Key::new(Transport::Tcp, from, to), frame, time, from, to };
        let what = match event {
            TcpEvent::Opened { .. } => EventKind::Opened,
            TcpEvent::Data(data) => EventKind::Bytes(self.queue.copy(data)),
            TcpEvent::Gap { bytes } => EventKind::Missed(bytes),
            TcpEvent::Finished | TcpEvent::Reset | TcpEvent::Dropped => return,
        };
        self.queue.push(Event { passing, what });
    }

    /// Tells the next of what waits in the queue; `None` when nothing is left to tell.
    pub(super) fn more<T: Trace>(&mut self, trace: &mut T) -> Option<FrameOutcome> {
        while let Some(Event { passing, what }) = self.queue.pop() {
            let (buffer, is_recalled) = match what {
                EventKind::Bytes(buffer) => (buffer, false),
                EventKind::Recalled(buffer) => (buffer, true),
                EventKind::Missed(bytes) => {
                    if let Some(talk) = self.table.get(passing.key) {
                        let end = talk.end(passing.from);
                        talk.follower.skip(end, bytes);
                    }
                    continue;
                }
                EventKind::Opened => {
                    if let Some((conversation, follower)) = self.table.begin_anew(passing.key) {
                        count(conversation, &follower, &mut self.forgotten);
                    }
                    continue;
                }
            };
            let bytes = Bytes { data: &buffer, length: buffer.len(), cut: false };
            match self.follow_bytes(passing, bytes, trace) {
                FollowOutcome::Told(sighting) => {
                    self.queue.recycle(buffer);
                    if is_recalled {
                        return Some(FrameOutcome::Deferred(sighting));
                    }
                    let is_further = self.told.replace(passing.frame) == Some(passing.frame);
                    return Some(if is_further {
                        FrameOutcome::Additional(sighting)
                    } else {
                        FrameOutcome::Datagram(sighting)
                    });
                }
                FollowOutcome::Nothing => self.queue.recycle(buffer),
                FollowOutcome::DeferredFirst => {
                    // The earlier ones were put in front of everything; this one comes behind them.
                    self.queue.push_after_deferred(Event { passing, what: EventKind::Bytes(buffer) });
                }
            }
        }
        None
    }

    /// What is told from now on was made known by no frame that has not been counted.
    pub(super) fn finish(&mut self, frame: u64) {
        self.told = Some(frame);
    }

    pub(super) fn is_followed(&mut self, key: Key) -> bool {
        self.table.get(key).is_some()
    }

    /// What the followers counted, conversation by conversation, zeros left out.
    pub(super) fn counters(&self) -> Vec<Counter> {
        let mut counters = self.forgotten.clone();
        for talk in self.table.followed() {
            count(talk.number, &talk.follower, &mut counters);
        }
        counters.sort_by_key(|counter| counter.conversation);
        counters
    }
}

/// Puts the earlier datagrams of a conversation in front of the queue; false if there are none.
#[cold]
fn queue_deferred(held: &mut DeferredDatagrams, queue: &mut Queue, key: Key) -> bool {
    let mut recalled = Vec::new();
    held.take(key, |passing, data| {
        recalled.push(Event { passing, what: EventKind::Recalled(queue.copy(data)) });
    });
    let is_any = !recalled.is_empty();
    queue.push_first(recalled.into_iter());
    is_any
}

fn count<F: Detect>(conversation: u64, follower: &F, counters: &mut Vec<Counter>) {
    follower.counters(&mut |name, count| {
        if count > 0 && counters.len() < COUNTERS {
            counters.push(Counter { conversation, name, count });
        }
    });
}

/// A datagram that the capture holds in part would mislead a follower.
#[cold]
fn trace_truncated<T: Trace>(data: &[u8], trace: &mut T) {
    trace.enter_source("datagram", data);
    let expected = "the rest of the datagram, cut by the snap length";
    trace.error(&CodecError::new(data.len(), expected, Found::End));
    trace.exit();
}
