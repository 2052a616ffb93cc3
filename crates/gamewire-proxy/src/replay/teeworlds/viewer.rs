use core::time::Duration;

use gamewire_machine::{Instant, Wake};
use gamewire_teeworlds::model::message::MapChunkInfo;
use gamewire_teeworlds::model::{ClientMessage, ServerMessage};
use gamewire_teeworlds::raw::link::{Link, LinkInput, PacketError, Scratch};
use gamewire_teeworlds::{Dialect, MessageBuf};

use super::recording::{Awaited, TeeworldsRecording};
use crate::replay::Playback;
use crate::replay::steps::{Position, Progress, first_time};
use crate::teeworlds::{Connection, Outgoing, Snapshots};

/// Duration of a tick.
const TICK: Duration = Duration::from_millis(20);
/// Size of a 0.6 map chunk in bytes, for recordings without map chunks.
const CHUNK: usize = 896;

/// A client that receives a recording.
#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) connection: Connection,
    position: Position<Awaited>,
    sending: Sending,
    next_chunk: usize,
}

/// The messages to a viewer.
#[derive(Debug)]
struct Sending {
    snapshots: Snapshots,
    /// The tick of the last snapshot.
    tick: i32,
    /// The time at which it was sent.
    sent_at: Instant,
    out: Outgoing,
}

/// The result of handling a datagram in a viewer's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ViewerOutcome {
    /// The connection has handled the datagram.
    Handled,
    /// A control message that the connection does not handle.
    Control,
    /// The viewer has disconnected for this reason.
    Left(String),
}

impl Viewer {
    pub(super) fn new(link: Link, recording: &TeeworldsRecording, playback: &Playback) -> Self {
        let dialect = link.dialect();
        Self {
            connection: Connection::new(link),
            position: Position::new(playback, first_time(&recording.steps)),
            sending: Sending {
                snapshots: Snapshots::new(dialect, recording.dialect),
                tick: 0,
                sent_at: playback.now(),
                out: Outgoing::new(dialect, recording.dialect),
            },
            next_chunk: 0,
        }
    }

    /// Returns the memory of the viewer in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        size_of::<Self>().saturating_add(self.connection.link.held_bytes())
    }

    /// Handles a datagram from the client.
    pub(super) fn receive(
        &mut self,
        now: Instant,
        datagram: &[u8],
        recording: &TeeworldsRecording,
        scratch: &mut Scratch,
    ) -> Result<ViewerOutcome, PacketError> {
        let dialect = self.connection.link.dialect();
        match self.connection.link.receive(now, datagram, scratch)? {
            LinkInput::Chunks(chunks) => {
                for chunk in chunks {
                    if let Ok(message) = dialect.decode_client_message(chunk.content) {
                        self.on_message(now, &message, recording);
                    }
                }
                Ok(ViewerOutcome::Handled)
            }
            LinkInput::Close { reason } => {
                Ok(ViewerOutcome::Left(reason.map(|reason| reason.to_string()).unwrap_or_default()))
            }
            LinkInput::KeepAlive => Ok(ViewerOutcome::Handled),
            LinkInput::Control { .. } => Ok(ViewerOutcome::Control),
        }
    }

    fn on_message(&mut self, now: Instant, message: &ClientMessage<'_>, recording: &TeeworldsRecording) {
        if let Some(awaited) = Awaited::of(message) {
            self.position.arrive(awaited);
            if awaited == Awaited::EnterGame {
                self.sending.snapshots.reset();
            }
        }
        let Sending { snapshots, tick, sent_at, out } = &mut self.sending;
        match *message {
            ClientMessage::RequestMapData { piece } => self.on_map_request(piece, recording),
            ClientMessage::Ping => out.client(false, &ServerMessage::PingReply),
            ClientMessage::PingEx(id) => out.client(true, &ServerMessage::PongEx(id)),
            ClientMessage::Input { ack_snapshot, intended_tick, .. } => {
                snapshots.acknowledge(ack_snapshot);
                let ahead = intended_tick.saturating_sub(*tick).clamp(-500, 500);
                let passed = i32::try_from(now.since(*sent_at).as_millis()).unwrap_or(i32::MAX);
                let ticks = i32::try_from(TICK.as_millis()).unwrap_or(i32::MAX).saturating_mul(ahead);
                let time_left = ticks.saturating_sub(passed);
                out.client(false, &ServerMessage::InputTiming { intended_tick, time_left });
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
            self.sending.out.client(true, &ServerMessage::MapData { info, data });
            return;
        }
        for _ in 0..map.per_request.max(1) {
            let Some((data, _)) = chunk(self.next_chunk) else { return };
            self.sending.out.client(true, &ServerMessage::MapData { info: None, data });
            self.next_chunk = self.next_chunk.saturating_add(1);
        }
    }

    /// Plays the steps that are due, and sends everything.
    pub(super) fn advance(&mut self, playback: &Playback, recording: &TeeworldsRecording) -> Progress {
        let Self { connection, position, sending, .. } = self;
        let (now, dialect) = (playback.now(), recording.dialect);
        sending.send(connection);
        let is_delivered = connection.is_delivered();
        let progress = position.play(&recording.steps, playback, is_delivered, |message| {
            sending.queue(now, dialect, message);
            sending.send(connection);
            true
        });
        connection.send_waiting();
        progress
    }

    pub(super) fn poll_timeout(&self, playback: &Playback, recording: &TeeworldsRecording) -> Option<Wake> {
        let step = self.position.poll_timeout(&recording.steps, playback);
        Wake::earliest([self.connection.link.poll_timeout(), step])
    }
}

impl Sending {
    /// Queues a recorded message, in the dialect of the viewer.
    fn queue(&mut self, now: Instant, dialect: Dialect, message: &MessageBuf) {
        match dialect.decode_server_message(&message.content) {
            Ok(ServerMessage::Snapshot(snapshot)) => {
                if let Some(tick) = self.snapshots.relay(&snapshot, &mut self.out) {
                    (self.tick, self.sent_at) = (tick, now);
                }
                return;
            }
            Ok(ServerMessage::MapChange { .. }) => self.snapshots.reset(),
            _ => {}
        }
        self.out.to_client.push(message.vital, &message.content);
    }

    /// Passes the queued messages to the connection.
    fn send(&mut self, connection: &mut Connection) {
        while self.out.to_client.pop_with(|vital, content| connection.send(vital, content)).is_some() {}
    }
}
