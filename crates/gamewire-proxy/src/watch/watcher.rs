use std::borrow::Cow;
use std::sync::mpsc::TryRecvError;

use gamewire_inspect::capture::WriteError;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, PacketInfo};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_inspect::recording::RecordError;
use gamewire_inspect::render::{Palette, summary};
use gamewire_machine::{Record, Role};

use super::batch::Seen;
use super::feed::Watched;
use super::recording::{Recording, RecordingConfig};
use crate::traffic::Packet;
use crate::traffic::{ClientNumber, CloseReason, Event};

/// Maximum length of a comment in bytes. A longer comment is truncated.
const COMMENT: usize = 1_000;

/// Receives the decoded packets and events of a watcher, in order, on the watcher's thread.
pub trait Sink {
    /// Handles an event of a client. `time` is in nanoseconds since 1970.
    fn event(&mut self, time: i64, event: &Event);

    /// Handles a decoded datagram, or the next part of a stream, on one side of a client.
    fn packet(&mut self, client: ClientNumber, side: Role, info: &PacketInfo, record: &Record);

    /// Handles a datagram that a link's conditions lost.
    fn lost(&mut self, packet: &Packet, bytes: &[u8]) {
        let _ = (packet, bytes);
    }

    /// Handles a new number of packets whose protocol is unknown. The number drops when a later packet reveals the
    /// protocol.
    fn unrecognized(&mut self, count: u64) {
        let _ = count;
    }

    /// Handles the error that ended the recording.
    fn recording_failed(&mut self, error: &RecordError);
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn event(&mut self, time: i64, event: &Event) {
        (**self).event(time, event);
    }

    fn packet(&mut self, client: ClientNumber, side: Role, info: &PacketInfo, record: &Record) {
        (**self).packet(client, side, info, record);
    }

    fn lost(&mut self, packet: &Packet, bytes: &[u8]) {
        (**self).lost(packet, bytes);
    }

    fn unrecognized(&mut self, count: u64) {
        (**self).unrecognized(count);
    }

    fn recording_failed(&mut self, error: &RecordError) {
        (**self).recording_failed(error);
    }
}

/// Settings of a watcher.
#[derive(Default)]
pub struct WatchConfig {
    /// Settings of the followers. With `None`, nothing is decoded.
    pub protocols: Option<ProtocolConfig>,
    /// True to decode both sides of each client, for sessions that change the traffic. If false, only the client's
    /// side is decoded.
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
    /// Number of packets whose protocol is unknown.
    pub unrecognized: u64,
    /// Number of packets that are missing in the recording, because it failed.
    pub not_recorded: u64,
}

/// Decodes and records the traffic of a relay.
pub struct Watcher<S> {
    inspector: Option<Inspector<Protocol>>,
    both_sides: bool,
    recording: Option<Recording>,
    record: Record,
    /// Number of the last packet.
    number: u64,
    comment: Vec<u8>,
    stats: WatchStats,
    sink: S,
}

impl<S: Sink> Watcher<S> {
    /// Returns a watcher. Creates the recording's file if a recording is configured.
    ///
    /// # Errors
    /// [`WriteError`] if the file cannot be created or written.
    pub fn new(config: WatchConfig, sink: S) -> Result<Self, WriteError> {
        let limits = ConversationLimits::default();
        Ok(Self {
            inspector: config.protocols.map(|protocols| Inspector::with_config(limits, protocols)),
            both_sides: config.both_sides,
            recording: config.recording.map(Recording::create).transpose()?,
            record: Record::new(),
            number: 0,
            comment: Vec::new(),
            stats: WatchStats::default(),
            sink,
        })
    }

    /// Watches until the relay has stopped. Returns the sink and the counters.
    pub fn run(mut self, watched: &Watched) -> (S, WatchStats) {
        loop {
            let mut batch = match watched.batches.try_recv() {
                Ok(batch) => batch,
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {
                    // Flush before waiting, so that the file is complete whenever the program is killed.
                    self.flush();
                    let Ok(batch) = watched.batches.recv() else { break };
                    batch
                }
            };
            batch.drain(|seen| match seen {
                Seen::Packet(packet, bytes) if packet.is_lost => self.sink.lost(&packet, bytes),
                Seen::Packet(packet, bytes) => self.packet(&packet, bytes),
                Seen::Event(time, event) => self.event(time, &event),
            });
            // The send fails if the relay has stopped. It needs no more batches then.
            drop(watched.empty.try_send(batch));
        }
        self.flush();
        self.stats.not_recorded = self.recording.as_ref().map_or(0, Recording::dropped_packets);
        (self.sink, self.stats)
    }

    fn packet(&mut self, packet: &Packet, bytes: &[u8]) {
        self.number = self.number.saturating_add(1);
        self.comment.clear();
        if self.both_sides || packet.side == Role::Client {
            self.follow(packet, bytes);
        }
        if let Some(recording) = &mut self.recording {
            self.comment.truncate(COMMENT);
            let comment = self.comment.trim_ascii_start();
            // The truncation may have split a character.
            let comment =
                str::from_utf8(comment).map_or_else(|_| String::from_utf8_lossy(comment), Cow::Borrowed);
            let recorded = recording.packet(packet, bytes, &comment);
            self.note(recorded);
        }
    }

    fn follow(&mut self, packet: &Packet, bytes: &[u8]) {
        let Some(inspector) = &mut self.inspector else { return };
        let Self { record, stats, sink, comment, number, recording, .. } = self;
        record.clear();
        let (transport, addresses) = (packet.transport, packet.addresses());
        let mut outcome = inspector.payload(transport, *number, packet.time, addresses, bytes, &mut *record);
        if outcome.is_none() {
            increment(&mut stats.unrecognized, 1);
            sink.unrecognized(stats.unrecognized);
        }
        while let Some(seen) = outcome {
            if let Some(info) = seen.packet() {
                if matches!(seen, FrameOutcome::Deferred(_)) {
                    // The packet was counted as unrecognized on arrival.
                    stats.unrecognized = stats.unrecognized.saturating_sub(1);
                    sink.unrecognized(stats.unrecognized);
                }
                increment(&mut stats.decoded, 1);
                increment(&mut stats.errors, u64::from(record.errors() > 0));
                increment(&mut stats.warnings, u64::from(record.warnings() > 0));
                sink.packet(packet.client, packet.side, info, record);
                if recording.is_some() && info.frame == *number && comment.len() < COMMENT {
                    // Writing to a vector cannot fail.
                    let _ = summary(comment, info, record, &Palette::plain());
                }
            }
            record.clear();
            outcome = inspector.next_outcome(&mut *record);
        }
    }

    fn event(&mut self, time: i64, event: &Event) {
        if let (Event::Closed { client, reason, .. }, Some(recording)) = (event, &mut self.recording) {
            let first = match reason {
                CloseReason::ClosedByClient => Role::Client,
                _ => Role::Server,
            };
            let closed = recording.closed(time, *client, first);
            self.note(closed);
        }
        self.sink.event(time, event);
    }

    fn flush(&mut self) {
        if let Some(recording) = &mut self.recording {
            let flushed = recording.flush();
            self.note(flushed);
        }
    }

    fn note(&mut self, recorded: Result<(), RecordError>) {
        if let Err(error) = recorded {
            self.sink.recording_failed(&error);
        }
    }
}

fn increment(counter: &mut u64, by: u64) {
    *counter = counter.saturating_add(by);
}
