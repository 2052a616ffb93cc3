use std::borrow::Cow;
use std::sync::mpsc::TryRecvError;

use gamewire_inspect::capture::WriteError;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, SocketPayload};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_inspect::render::{Palette, summary};
use gamewire_machine::{Record, Role};

use crate::batch::{Passage, Seen};
use crate::event::{CloseReason, Event};
use crate::feed::Watched;
use crate::packet::ObservedPacket;
use crate::passed::{PassedPackets, Problems, ReceivedPacket};
use crate::recording::{RecordError, Recording, RecordingConfig, StateOf};
use crate::sink::Sink;

/// Maximum length of a comment in bytes. A longer comment is truncated.
const MAX_COMMENT: usize = 1_000;

/// Settings of a watcher.
#[derive(Default)]
pub struct WatchConfig {
    /// Settings of the followers. With `None`, nothing is decoded.
    pub protocols: Option<ProtocolConfig>,
    /// True to decode both sides of a proxy that changes the traffic. If false, only the client's side is decoded.
    pub both_sides: bool,
    /// Settings of the recording. With `None`, nothing is recorded.
    pub recording: Option<RecordingConfig>,
}

/// The counters of a watcher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchStats {
    /// Number of decoded datagrams and stream parts.
    pub decoded: u64,
    /// Number of decoded datagrams and stream parts with an error.
    pub errors: u64,
    /// Number of decoded datagrams and stream parts with a warning.
    pub warnings: u64,
    /// Number of packets of an unknown protocol.
    pub unrecognized: u64,
    /// Number of packets that are missing in the recording, because it failed.
    pub not_recorded: u64,
}

/// Decodes and records the traffic of a [`Feed`](crate::Feed).
pub struct Watcher {
    inspector: Option<Inspector<Protocol>>,
    both_sides: bool,
    recording: Option<Recording>,
    record: Record,
    /// Number of the last packet.
    number: u64,
    comment: Vec<u8>,
    passed: PassedPackets,
    missed: u64,
    stats: WatchStats,
}

impl Watcher {
    /// Returns a watcher. Creates the recording's file if a recording is configured.
    ///
    /// # Errors
    /// [`WriteError`] if the file cannot be created or written.
    pub fn new(config: WatchConfig) -> Result<Self, WriteError> {
        let limits = ConversationLimits::default();
        Ok(Self {
            inspector: config.protocols.map(|protocols| Inspector::with_config(limits, protocols)),
            both_sides: config.both_sides,
            recording: config.recording.map(Recording::create).transpose()?,
            record: Record::new(),
            number: 0,
            comment: Vec::new(),
            passed: PassedPackets::default(),
            missed: 0,
            stats: WatchStats::default(),
        })
    }

    /// Watches until the feed is closed, and passes everything to `sink`. Returns the counters.
    pub fn run(mut self, watched: &Watched, sink: &mut dyn Sink) -> WatchStats {
        loop {
            let mut batch = match watched.batches.try_recv() {
                Ok(batch) => batch,
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {
                    // Flush before waiting, so that the file is complete whenever the program is killed.
                    self.flush(sink);
                    let Ok(batch) = watched.batches.recv() else { break };
                    batch
                }
            };
            if batch.missed > self.missed {
                self.missed = batch.missed;
                sink.missed(self.missed);
            }
            batch.drain(|index, seen| match seen {
                Seen::Packet(packet, _, bytes) if packet.is_lost => {
                    self.passed.note_loss(packet.connection.peer);
                    sink.lost(&packet, bytes);
                }
                Seen::Packet(packet, passage, bytes) => self.packet(&packet, (index, passage), bytes, sink),
                Seen::Event(time, event) => self.event(time, &event, sink),
            });
            self.passed.end_batch();
            // The send fails if the feed is closed. It needs no more batches then.
            drop(watched.empty.try_send(batch));
        }
        self.flush(sink);
        self.stats.not_recorded = self.recording.as_ref().map_or(0, Recording::dropped_packets);
        self.stats
    }

    /// Decodes and records a packet, which has an index in its batch.
    fn packet(
        &mut self,
        packet: &ObservedPacket,
        (index, passage): (usize, Passage),
        bytes: &[u8],
        sink: &mut dyn Sink,
    ) {
        self.number = self.number.saturating_add(1);
        self.comment.clear();
        if let Some(recording) = self.recording.as_mut().filter(|recording| recording.contains(packet)) {
            let inspector = self.inspector.as_ref();
            let state: &StateOf<'_> = &|transport, ends, time, send| {
                if let Some(inspector) = inspector {
                    inspector.resume(transport, ends, time, send);
                }
            };
            let is_half_open = || inspector.is_some_and(|inspector| inspector.is_half_open(packet.time));
            note(recording.rotate(packet.time, is_half_open, state), sink);
        }
        let is_shown = self.is_shown(packet);
        let is_recorded = self.recording.as_ref().is_some_and(|recording| recording.contains(packet));
        if !is_shown && !is_recorded {
            return;
        }
        let received = match passage {
            // In traffic that the proxy changes, equal bytes may mean different things on both sides.
            Passage::Sent(index) if !self.both_sides => self.passed.take(packet.connection.peer, index),
            _ => None,
        };
        let problems = match &received {
            Some(received) if !is_shown || !sink.wants_packets() => {
                self.follow_copy(packet, bytes, received, sink)
            }
            _ => self.follow(packet, bytes, received.is_none(), sink),
        };
        let Some(recording) = &mut self.recording else { return };
        if let Some(received) = &received {
            let comment = problems.map_or("", |_| self.passed.comment(received));
            return note(recording.packet(packet, bytes, comment), sink);
        }
        self.comment.truncate(MAX_COMMENT);
        let comment = self.comment.trim_ascii_start();
        // The truncation may have split a character.
        let comment =
            str::from_utf8(comment).map_or_else(|_| String::from_utf8_lossy(comment), Cow::Borrowed);
        note(recording.packet(packet, bytes, &comment), sink);
        if let (Passage::Received, Some(problems), false) = (passage, problems, self.both_sides) {
            self.passed.keep(index, &comment, problems);
        }
    }

    /// Returns whether the sink receives the packet.
    fn is_shown(&self, packet: &ObservedPacket) -> bool {
        self.both_sides || packet.connection.side != Some(Role::Server)
    }

    /// Decodes a packet, and makes its comment if it needs one. If nothing but this packet was decoded, returns its
    /// problems.
    fn follow(
        &mut self,
        packet: &ObservedPacket,
        bytes: &[u8],
        needs_comment: bool,
        sink: &mut dyn Sink,
    ) -> Option<Problems> {
        let is_shown = self.is_shown(packet);
        let inspector = self.inspector.as_mut()?;
        let Self { record, stats, comment, number, recording, .. } = self;
        record.clear();
        let mut outcome = inspector.payload(&payload(packet, *number, bytes), &mut *record);
        if outcome.is_none() && is_shown {
            increment(&mut stats.unrecognized, 1);
            sink.unrecognized(stats.unrecognized);
        }
        let (mut only, mut is_first) = (None, true);
        while let Some(seen) = outcome {
            let problems = Problems { errors: record.errors() > 0, warnings: record.warnings() > 0 };
            if let Some(info) = seen.packet() {
                if is_shown {
                    count(stats, &seen, problems, sink);
                    sink.packet(packet.connection, info, record);
                }
                let is_commented = needs_comment && recording.is_some() && info.frame == *number;
                if is_commented && comment.len() < MAX_COMMENT {
                    // Writing to a vector cannot fail.
                    let _ = summary(comment, info, record, &Palette::plain());
                }
            }
            only = Some(problems).filter(|_| is_first && matches!(seen, FrameOutcome::Datagram(_)));
            is_first = false;
            record.clear();
            outcome = inspector.next_outcome(&mut *record);
        }
        only
    }

    /// Follows a packet that was decoded when the relay received it, without decoding it again. Returns its problems, or
    /// `None` if its protocol is not recognized on this side.
    fn follow_copy(
        &mut self,
        packet: &ObservedPacket,
        bytes: &[u8],
        received: &ReceivedPacket,
        sink: &mut dyn Sink,
    ) -> Option<Problems> {
        let is_shown = self.is_shown(packet);
        let Self { inspector, stats, number, .. } = self;
        let inspector = inspector.as_mut()?;
        let mut outcome = inspector.payload(&payload(packet, *number, bytes), &mut ());
        if outcome.is_none() && is_shown {
            increment(&mut stats.unrecognized, 1);
            sink.unrecognized(stats.unrecognized);
        }
        let problems = outcome.map(|_| received.problems);
        while let Some(seen) = outcome {
            if is_shown && seen.packet().is_some() {
                count(stats, &seen, received.problems, sink);
            }
            outcome = inspector.next_outcome(&mut ());
        }
        problems
    }

    fn event(&mut self, time: i64, event: &Event, sink: &mut dyn Sink) {
        if let Event::Closed { client, reason, .. } = event {
            self.passed.forget(*client);
            if let Some(recording) = &mut self.recording {
                let first = if let CloseReason::ClosedBy(role) = reason { *role } else { Role::Server };
                note(recording.closed(time, *client, first), sink);
            }
        }
        sink.event(time, event);
    }

    fn flush(&mut self, sink: &mut dyn Sink) {
        if let Some(recording) = &mut self.recording {
            note(recording.flush(), sink);
        }
    }
}

fn note(recorded: Result<(), RecordError>, sink: &mut dyn Sink) {
    if let Err(error) = recorded {
        sink.recording_failed(&error);
    }
}

fn payload<'a>(packet: &ObservedPacket, number: u64, data: &'a [u8]) -> SocketPayload<'a> {
    let (transport, time, (from, to)) = (packet.transport, packet.time, packet.addresses());
    SocketPayload { transport, number, time, from, to, data }
}

/// Counts a decoded packet.
fn count(stats: &mut WatchStats, seen: &FrameOutcome, problems: Problems, sink: &mut dyn Sink) {
    if matches!(seen, FrameOutcome::Deferred(_)) {
        // The packet was counted as unrecognized on arrival.
        stats.unrecognized = stats.unrecognized.saturating_sub(1);
        sink.unrecognized(stats.unrecognized);
    }
    increment(&mut stats.decoded, 1);
    increment(&mut stats.errors, u64::from(problems.errors));
    increment(&mut stats.warnings, u64::from(problems.warnings));
}

fn increment(counter: &mut u64, by: u64) {
    *counter = counter.saturating_add(by);
}
