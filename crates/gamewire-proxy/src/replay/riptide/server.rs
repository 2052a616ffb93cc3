use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, Role, StreamId, StreamOutput, Transmit, Wake};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{ClientId, ConnectionId, Format, MessageSendMode, SendError, ServerPacketError};

use super::recording::{Reply, RiptideRecording, ServerStep};
use crate::replay::Playback;

/// Maximum number of viewers.
const MAX_VIEWERS: u16 = 64;
/// Time between the last message and the disconnect, so that the client can acknowledge the message.
const LINGER: Duration = Duration::from_secs(1);
/// Maximum number of queued events. At this number, the replay accepts no viewer.
const MAX_EVENTS: usize = 1_024;

/// An event of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A client has connected.
    Connected {
        /// The viewer's id. It equals the recorded client's id, unless another viewer has that id.
        viewer: ClientId,
        /// The viewer's address.
        address: Option<SocketAddr>,
        /// The viewer's format.
        format: Format,
    },
    /// A viewer has received the whole recording.
    Finished {
        /// The viewer.
        viewer: ClientId,
    },
    /// A viewer has disconnected.
    Closed {
        /// The viewer.
        viewer: ClientId,
        /// The reason.
        reason: String,
    },
}

/// Replays the server's side of a recording to every client that connects, each from the beginning. A [`Server`] with
/// separate acks and resends handles the connections. Messages from clients are ignored.
pub struct RiptideReplay {
    recording: RiptideRecording,
    playback: Playback,
    server: Server,
    viewers: BTreeMap<ClientId, Viewer>,
    events: VecDeque<Event>,
    now: Instant,
}

/// A client that receives the recording.
#[derive(Clone, Copy, Debug)]
struct Viewer {
    /// The replay time at which the client connected.
    began: Duration,
    /// Index of the next step.
    next: usize,
    /// True if the send window is full, until acks arrive.
    is_blocked: bool,
    /// Time to disconnect the client, set after the last step.
    end: Option<Instant>,
}

impl RiptideReplay {
    /// Returns a replay of `recording` that starts at `now`.
    #[must_use]
    pub fn new(recording: RiptideRecording, now: Instant) -> Self {
        let config = ServerConfig {
            handle_connection: true,
            announce_clients: false,
            ..ServerConfig::new(MAX_VIEWERS)
        };
        Self {
            recording,
            playback: Playback::new(now),
            server: Server::new(config, now),
            viewers: BTreeMap::new(),
            events: VecDeque::new(),
            now,
        }
    }

    /// Changes the speed. 2 is twice the recorded speed.
    pub fn set_speed(&mut self, speed: f64) {
        self.playback.set_speed(self.now, speed);
    }

    /// Pauses or resumes the replay.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.playback.set_paused(self.now, is_paused);
    }

    /// Pauses, and immediately advances the replay by `time`.
    pub fn step(&mut self, time: Duration) {
        self.playback.step(self.now, time);
        self.advance();
    }

    /// Disconnects all viewers.
    pub fn close(&mut self, reason: &str) {
        self.server.stop();
        for (viewer, _) in core::mem::take(&mut self.viewers) {
            self.events.push_back(Event::Closed { viewer, reason: reason.to_owned() });
        }
    }

    /// Handles the server's events, and plays the steps that are due.
    fn pump(&mut self) {
        while let Some(event) = self.server.poll_event() {
            match event {
                server::Event::ConnectionRequested { connection, format, .. } => {
                    self.answer(connection, format);
                }
                server::Event::ClientConnected { client, address, format, .. } => {
                    let began = self.playback.time(self.now);
                    let viewer = Viewer { began, next: 0, is_blocked: false, end: None };
                    self.viewers.insert(client, viewer);
                    self.events.push_back(Event::Connected { viewer: client, address, format });
                }
                server::Event::ClientDisconnected { client, reason, .. } => {
                    let left = self.viewers.remove(&client);
                    let closed = left.map(|_| Event::Closed { viewer: client, reason: reason.to_string() });
                    self.events.extend(closed);
                }
                _ => {}
            }
        }
        self.advance();
    }

    /// Answers a connect request like the recorded server.
    fn answer(&mut self, connection: ConnectionId, format: Format) {
        let is_served = format == self.recording.format && self.events.len() < MAX_EVENTS;
        match &self.recording.reply {
            Reply::Accepted(own) if is_served => {
                let free = (1..=MAX_VIEWERS).map(ClientId);
                let mut ids = core::iter::once(*own).chain(free);
                // If the server is full, it rejects the request.
                let _ = ids.find_map(|id| self.server.accept_as(connection, id));
            }
            // This fails if the request has expired.
            Reply::Rejected(reason, data) if is_served => {
                let _ = self.server.reject_as(connection, *reason, data.as_ref());
            }
            _ => {
                let _ = self.server.reject(connection, None);
            }
        }
    }

    /// Plays the due steps of every viewer.
    fn advance(&mut self) {
        let Self { recording, playback, server, viewers, events, now, .. } = self;
        let time = playback.time(*now);
        let mut ended = Vec::new();
        for (id, viewer) in viewers.iter_mut() {
            viewer.is_blocked = false;
            while let Some((at, step)) = recording.server.get(viewer.next)
                && viewer.began.saturating_add(*at) <= time
            {
                viewer.is_blocked = !play(server, *id, step);
                if viewer.is_blocked {
                    break;
                }
                viewer.next = viewer.next.saturating_add(1);
            }
            if viewer.next >= recording.server.len() && viewer.end.is_none() {
                viewer.end = Some(*now + LINGER);
                events.push_back(Event::Finished { viewer: *id });
            }
            if viewer.end.is_some_and(|end| end <= *now) {
                ended.push(*id);
            }
        }
        for id in ended {
            self.viewers.remove(&id);
            // This fails if the client has already disconnected.
            let _ = self.server.disconnect_client(id, None);
            self.events.push_back(Event::Closed { viewer: id, reason: "the recording is over".to_owned() });
        }
    }

    /// Returns the time of a viewer's next step.
    fn wake(&self, viewer: &Viewer) -> Option<Wake> {
        if let Some(at) = viewer.end {
            return Some(Wake { at, reason: "end of a replay" });
        }
        let (at, _) = self.recording.server.get(viewer.next).filter(|_| !viewer.is_blocked)?;
        let at = self.playback.when(viewer.began.saturating_add(*at))?;
        Some(Wake { at, reason: "next message of a replay" })
    }
}

/// Plays a step for a client. Returns false if the step must wait for acks.
fn play(server: &mut Server, client: ClientId, step: &ServerStep) -> bool {
    match step {
        ServerStep::Message(message) => {
            let is_full = matches!(server.send(message, client), Err(SendError::Full));
            return !is_full || message.mode() != MessageSendMode::Reliable;
        }
        ServerStep::Announce(other, is_connected) => server.announce_client(client, *other, *is_connected),
        // This fails if the client has already disconnected.
        ServerStep::Disconnect(data) => _ = server.disconnect_client(client, data.as_ref()),
    }
    true
}

impl Machine for RiptideReplay {
    type Event = Event;
    type DatagramError = ServerPacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = self.now.max(now);
        self.server.handle_timeout(self.now);
        self.pump();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let viewers = self.viewers.values().map(|viewer| self.wake(viewer));
        Wake::earliest(viewers.chain([self.server.poll_timeout()]))
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        Some(match event {
            Event::Connected { viewer, .. } => LogLine::info(format_args!("viewer {viewer} connected")),
            Event::Finished { viewer } => LogLine::info(format_args!("viewer {viewer} has seen everything")),
            Event::Closed { viewer, reason } => {
                LogLine::info(format_args!("viewer {viewer} is disconnected: {reason}"))
            }
        })
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), ServerPacketError> {
        self.now = self.now.max(now);
        let handled = self.server.handle_datagram(self.now, from, data);
        self.pump();
        handled
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.server.poll_transmit(now, buffer)
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.now = self.now.max(now);
        self.server.handle_open(self.now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.now = self.now.max(now);
        self.server.handle_bytes(self.now, stream, data);
        self.pump();
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.now = self.now.max(now);
        self.server.handle_close(self.now, stream);
        self.pump();
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.server.poll_stream(now, buffer)
    }
}

impl core::fmt::Debug for RiptideReplay {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let messages = self.recording.messages(Role::Server);
        f.debug_struct("RiptideReplay")
            .field("messages", &messages)
            .field("viewers", &self.viewers)
            .finish_non_exhaustive()
    }
}
