use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, Wake};
use gamewire_teeworlds::model::message::MapChunkInfo;
use gamewire_teeworlds::model::{ClientMessage, ServerMessage};
use gamewire_teeworlds::raw::link::{Link, LinkInput, PacketError, Scratch};

use super::recording::{Awaited, Step, TeeworldsRecording};
use crate::replay::Playback;
use crate::teeworlds::{Connection, Outgoing, Snapshots};

/// Duration of a tick.
const TICK: Duration = Duration::from_millis(20);
/// Size of a 0.6 map chunk in bytes, for recordings without map chunks.
const CHUNK: usize = 896;
/// Maximum number of stored client messages that arrived before their step.
const MAX_EARLY: usize = 16;

/// A client that receives a recording.
#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) connection: Connection,
    snapshots: Snapshots,
    /// Index of the next step.
    next: usize,
    /// The awaited messages that have arrived.
    arrived: VecDeque<Awaited>,
    /// The replay time and the recording time at which the last awaited message arrived.
    base: (Duration, Duration),
    is_waiting: bool,
    next_chunk: usize,
    /// The tick of the last snapshot, and the time it was sent.
    tick: (i32, Instant),
    out: Outgoing,
}

/// The progress of a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The viewer waits for the time of the next step, or for a message from the client.
    Waiting,
    /// All steps have been played.
    Finished,
}

/// A viewer has disconnected for this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Left(pub(super) String);

impl Viewer {
    pub(super) fn new(link: Link, recording: &TeeworldsRecording, now: Instant) -> Self {
        let dialect = link.dialect();
        Self {
            connection: Connection::new(link),
            snapshots: Snapshots::new(dialect, recording.dialect),
            next: 0,
            arrived: VecDeque::new(),
            base: (Duration::ZERO, Duration::ZERO),
            is_waiting: true,
            next_chunk: 0,
            tick: (0, now),
            out: Outgoing::new(dialect, recording.dialect),
        }
    }

    /// Handles a datagram from the client.
    pub(super) fn receive(
        &mut self,
        now: Instant,
        datagram: &[u8],
        recording: &TeeworldsRecording,
        scratch: &mut Scratch,
    ) -> Result<Option<Left>, PacketError> {
        let dialect = self.connection.link.dialect();
        match self.connection.link.receive(now, datagram, scratch)? {
            LinkInput::Chunks(chunks) => {
                for chunk in chunks {
                    if let Ok(message) = dialect.decode_client_message(chunk.content) {
                        self.on_message(now, &message, recording);
                    }
                }
                self.send_out();
                Ok(None)
            }
            LinkInput::Close { reason } => {
                Ok(Some(Left(reason.map(|reason| reason.to_string()).unwrap_or_default())))
            }
            LinkInput::KeepAlive => Ok(None),
            LinkInput::Control { .. } => Err(PacketError::Unexpected("a control message")),
        }
    }

    fn on_message(&mut self, now: Instant, message: &ClientMessage<'_>, recording: &TeeworldsRecording) {
        if let Some(awaited) = Awaited::of(message) {
            if self.arrived.len() < MAX_EARLY {
                self.arrived.push_back(awaited);
            }
            if awaited == Awaited::EnterGame {
                self.snapshots.reset();
            }
        }
        match *message {
            ClientMessage::RequestMapData { piece } => self.on_map_request(piece, recording),
            ClientMessage::Ping => self.out.client(false, &ServerMessage::PingReply),
            ClientMessage::PingEx(id) => self.out.client(true, &ServerMessage::PongEx(id)),
            ClientMessage::Input { ack_snapshot, intended_tick, .. } => {
                self.snapshots.acknowledge(ack_snapshot);
                let (tick, since) = self.tick;
                let ahead = intended_tick.saturating_sub(tick).clamp(-500, 500);
                let passed = i32::try_from(now.since(since).as_millis()).unwrap_or(i32::MAX);
                let ticks = i32::try_from(TICK.as_millis()).unwrap_or(i32::MAX).saturating_mul(ahead);
                let time_left = ticks.saturating_sub(passed);
                self.out.client(false, &ServerMessage::InputTiming { intended_tick, time_left });
            }
            _ => {}
        }
    }

    fn on_map_request(&mut self, piece: Option<i32>, recording: &TeeworldsRecording) {
        let map = &recording.map;
        if !map.is_complete {
            return self
                .connection
                .link
                .close(Some(b"The recording has no map: install it, or name its file"));
        }
        let size = if map.chunk == 0 { CHUNK } else { map.chunk };
        let chunk = |number: usize| {
            let start = number.checked_mul(size)?;
            let end = start.saturating_add(size).min(map.bytes.len());
            Some((map.bytes.get(start..end).filter(|chunk| !chunk.is_empty())?, end == map.bytes.len()))
        };
        if let Some(piece) = piece {
            let found = usize::try_from(piece).ok().and_then(chunk);
            let Some((data, is_last)) = found else { return };
            let info = Some(MapChunkInfo { is_last, crc: map.crc, piece });
            self.out.client(true, &ServerMessage::MapData { info, data });
            return;
        }
        for _ in 0..map.per_request.max(1) {
            let Some((data, _)) = chunk(self.next_chunk) else { return };
            self.out.client(true, &ServerMessage::MapData { info: None, data });
            self.next_chunk = self.next_chunk.saturating_add(1);
        }
    }

    /// Plays the steps that are due.
    pub(super) fn advance(
        &mut self,
        now: Instant,
        playback: &Playback,
        recording: &TeeworldsRecording,
    ) -> Progress {
        let dialect = recording.dialect;
        while let Some(step) = recording.steps.get(self.next) {
            match step {
                Step::Await(awaited) => {
                    if self.arrived.front() != Some(awaited) {
                        self.is_waiting = true;
                        return Progress::Waiting;
                    }
                    self.arrived.pop_front();
                    self.base = (playback.time(now), recording.time_after(self.next));
                    self.is_waiting = false;
                }
                Step::Send { message, .. } => {
                    if self.due(recording).is_some_and(|due| due > playback.time(now)) {
                        return Progress::Waiting;
                    }
                    match dialect.decode_server_message(&message.content) {
                        Ok(ServerMessage::Snapshot(snapshot)) => {
                            if let Some(tick) = self.snapshots.relay(&snapshot, &mut self.out) {
                                self.tick = (tick, now);
                            }
                        }
                        Ok(ServerMessage::MapChange { .. }) => {
                            self.snapshots.reset();
                            self.out.to_client.push((message.vital, message.content.clone()));
                        }
                        _ => self.out.to_client.push((message.vital, message.content.clone())),
                    }
                    self.send_out();
                }
            }
            self.next = self.next.saturating_add(1);
        }
        Progress::Finished
    }

    /// Returns the replay time of the next message; `None` if the viewer waits for the client.
    fn due(&self, recording: &TeeworldsRecording) -> Option<Duration> {
        let Step::Send { at, .. } = recording.steps.get(self.next)? else { return None };
        let (base, recorded) = self.base;
        Some(base.saturating_add(at.saturating_sub(recorded)))
    }

    fn send_out(&mut self) {
        for (vital, content) in core::mem::take(&mut self.out.to_client) {
            self.connection.send(vital, &content);
        }
    }

    pub(super) fn poll_timeout(&self, playback: &Playback, recording: &TeeworldsRecording) -> Option<Wake> {
        let due = if self.is_waiting { None } else { self.due(recording) };
        let step = due.and_then(|due| playback.when(due)).map(|at| Wake { at, reason: "recorded message" });
        Wake::earliest([self.connection.link.poll_timeout(), step])
    }
}
