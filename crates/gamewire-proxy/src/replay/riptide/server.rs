use core::convert::Infallible;
use core::time::Duration;
use std::collections::BTreeMap;
use std::net::SocketAddr;

use gamewire_machine::{
    EventLimits, EventQueue, Instant, LogLine, Machine, StreamId, StreamOutput, Transmit, Wake,
};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{ClientId, ConnectionId, Format, MessageSendMode, SendError, ServerPacketError};

use super::recording::{Reply, RiptideRecording, ServerStep};
use crate::replay::steps::{Position, Progress};
use crate::replay::{Playback, ReplayMachine, ViewerEvent};

/// Maximum number of viewers.
const MAX_VIEWERS: u16 = 64;
/// Maximum number of connections that have not completed the handshake.
const MAX_HALF_OPEN: usize = 256;

/// Replays the server's side of a recording to every client that connects, each from the beginning. A [`Server`] with
/// separate acks and resends handles the connections. Messages from clients are ignored.
#[derive(Debug)]
pub struct RiptideReplay {
    recording: RiptideRecording,
    playback: Playback,
    server: Server,
    viewers: BTreeMap<ClientId, Position<Infallible>>,
    events: EventQueue<ViewerEvent>,
}

impl RiptideReplay {
    /// Returns a replay of `recording` that starts at `now`.
    #[must_use]
    pub fn new(recording: RiptideRecording, now: Instant) -> Self {
        let config = ServerConfig {
            handle_connection: true,
            announce_clients: false,
            max_half_open: MAX_HALF_OPEN,
            ..ServerConfig::new(MAX_VIEWERS)
        };
        Self {
            recording,
            playback: Playback::new(now),
            server: Server::new(config, now),
            viewers: BTreeMap::new(),
            events: EventQueue::new(EventLimits::default()),
        }
    }

    /// Returns the approximate memory that the replay holds for its viewers, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let viewers = self.viewers.len().saturating_mul(size_of::<(ClientId, Position<Infallible>)>());
        self.server.held_bytes().saturating_add(self.events.held_bytes()).saturating_add(viewers)
    }

    /// Handles the server's events, and plays the steps that are due.
    fn pump(&mut self) {
        self.read_events();
        self.play();
    }

    fn read_events(&mut self) {
        while let Some(event) = self.server.poll_event() {
            match event {
                server::Event::ConnectionRequested { connection, format, .. } => {
                    self.answer(connection, format);
                }
                server::Event::ClientConnected { client, address, .. } => {
                    self.viewers.insert(client, Position::new(&self.playback, Duration::ZERO));
                    let (viewer, dialect) = (client.0.into(), self.recording.dialect());
                    self.events.push(ViewerEvent::Connected { viewer, address, dialect });
                }
                server::Event::ClientDisconnected { client, reason, .. } => {
                    self.remove(client, &reason.to_string());
                }
                _ => {}
            }
        }
    }

    /// Answers a connect request like the recorded server.
    fn answer(&mut self, connection: ConnectionId, format: Format) {
        let is_served = format == self.recording.format && !self.events.is_full();
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
    fn play(&mut self) {
        let Self { recording, playback, server, viewers, events } = self;
        let mut over = Vec::new();
        for (client, position) in viewers {
            let is_delivered = server.client(*client).is_none_or(|client| client.unacked() == 0);
            match position.play(&recording.server, playback, is_delivered, |step| play(server, *client, step))
            {
                Progress::Waiting => {}
                Progress::Finished => events.push(ViewerEvent::Finished { viewer: client.0.into() }),
                Progress::Over => over.push(*client),
            }
        }
        for client in over {
            // This fails if the client has already disconnected.
            let _ = self.server.disconnect_client(client, None);
            self.remove(client, "the recording is over");
        }
    }

    fn remove(&mut self, client: ClientId, reason: &str) {
        if self.viewers.remove(&client).is_some() {
            self.events.push(ViewerEvent::Closed { viewer: client.0.into(), reason: reason.to_owned() });
        }
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

impl ReplayMachine for RiptideReplay {
    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
    }

    fn close(&mut self, reason: &str) {
        self.server.stop();
        for client in self.viewers.keys().copied().collect::<Vec<_>>() {
            self.remove(client, reason);
        }
    }

    fn is_closed(&self) -> bool {
        false
    }
}

impl Machine for RiptideReplay {
    type Event = ViewerEvent;
    type DatagramError = ServerPacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.playback.advance(now);
        self.server.handle_timeout(now);
        self.pump();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let viewers = self.viewers.values();
        let viewers = viewers.map(|viewer| viewer.poll_timeout(&self.recording.server, &self.playback));
        Wake::earliest(viewers.chain([self.server.poll_timeout()]))
    }

    fn poll_event(&mut self) -> Option<ViewerEvent> {
        // Sending may have closed a connection.
        self.read_events();
        self.events.pop()
    }

    fn log_line(event: &ViewerEvent) -> Option<LogLine> {
        Some(event.log_line())
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), ServerPacketError> {
        self.server.handle_datagram(now, from, data)?;
        self.playback.advance(now);
        self.pump();
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.server.poll_transmit(now, buffer)
    }

    fn poll_transmits(&mut self, now: Instant, buffer: &mut Vec<u8>, send: impl FnMut(Transmit, &[u8])) {
        self.server.poll_transmits(now, buffer, send);
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.server.handle_open(now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        let now = self.playback.advance(now);
        self.server.handle_bytes(now, stream, data);
        self.pump();
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        let now = self.playback.advance(now);
        self.server.handle_close(now, stream);
        self.pump();
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.server.poll_stream(now, buffer)
    }
}
