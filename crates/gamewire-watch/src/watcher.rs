use std::borrow::Cow;
use std::sync::mpsc::TryRecvError;

use gamewire_inspect::capture::WriteError;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, SocketPayload};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_inspect::render::{Palette, summary};
use gamewire_machine::{Record, Role};

use crate::event::{CloseReason, Event};
use crate::feed::{Seen, Watched};
use crate::packet::ObservedPacket;
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
            batch.drain(|seen| match seen {
                Seen::Packet(packet, bytes) if packet.is_lost => sink.lost(&packet, bytes),
                Seen::Packet(packet, bytes) => self.packet(&packet, bytes, sink),
                Seen::Event(time, event) => self.event(time, &event, sink),
            });
            // The send fails if the feed is closed. It needs no more batches then.
            drop(watched.empty.try_send(batch));
        }
        self.flush(sink);
        self.stats.not_recorded = self.recording.as_ref().map_or(0, Recording::dropped_packets);
        self.stats
    }

    fn packet(&mut self, packet: &ObservedPacket, bytes: &[u8], sink: &mut dyn Sink) {
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
        if self.is_shown(packet)
            || self.recording.as_ref().is_some_and(|recording| recording.contains(packet))
        {
            self.follow(packet, bytes, sink);
        }
        if let Some(recording) = &mut self.recording {
            self.comment.truncate(MAX_COMMENT);
            let comment = self.comment.trim_ascii_start();
            // The truncation may have split a character.
            let comment =
                str::from_utf8(comment).map_or_else(|_| String::from_utf8_lossy(comment), Cow::Borrowed);
            note(recording.packet(packet, bytes, &comment), sink);
        }
    }

    /// Returns whether the sink receives the packet.
    fn is_shown(&self, packet: &ObservedPacket) -> bool {
        self.both_sides || packet.connection.side != Some(Role::Server)
    }

    fn follow(&mut self, packet: &ObservedPacket, bytes: &[u8], sink: &mut dyn Sink) {
        let is_shown = self.is_shown(packet);
        let Some(inspector) = &mut self.inspector else { return };
        let Self { record, stats, comment, number, recording, .. } = self;
        record.clear();
        let (transport, time, (from, to)) = (packet.transport, packet.time, packet.addresses());
        let payload = SocketPayload { transport, number: *number, time, from, to, data: bytes };
        let mut outcome = inspector.payload(&payload, &mut *record);
        if outcome.is_none() && is_shown {
            increment(&mut stats.unrecognized, 1);
            sink.unrecognized(stats.unrecognized);
        }
        while let Some(seen) = outcome {
            if let Some(info) = seen.packet() {
                if is_shown {
                    count(stats, &seen, record, sink);
                    sink.packet(packet.connection, info, record);
                }
                if recording.is_some() && info.frame == *number && comment.len() < MAX_COMMENT {
                    // Writing to a vector cannot fail.
                    let _ = summary(comment, info, record, &Palette::plain());
                }
            }
            record.clear();
            outcome = inspector.next_outcome(&mut *record);
        }
    }

    fn event(&mut self, time: i64, event: &Event, sink: &mut dyn Sink) {
        if let (Event::Closed { client, reason, .. }, Some(recording)) = (event, &mut self.recording) {
            let first = if let CloseReason::ClosedBy(role) = reason { *role } else { Role::Server };
            note(recording.closed(time, *client, first), sink);
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

/// Counts a decoded packet.
fn count(stats: &mut WatchStats, seen: &FrameOutcome, record: &Record, sink: &mut dyn Sink) {
    if matches!(seen, FrameOutcome::Deferred(_)) {
        // The packet was counted as unrecognized on arrival.
        stats.unrecognized = stats.unrecognized.saturating_sub(1);
        sink.unrecognized(stats.unrecognized);
    }
    increment(&mut stats.decoded, 1);
    increment(&mut stats.errors, u64::from(record.errors() > 0));
    increment(&mut stats.warnings, u64::from(record.warnings() > 0));
}

fn increment(counter: &mut u64, by: u64) {
    *counter = counter.saturating_add(by);
}
