use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Transmit, Transport, Wake};
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::{ClientId, Format, MessageSendMode, PacketError, SendError};

use super::recording::RiptideRecording;
use crate::replay::Playback;

/// Time between the last message and the close, so that the server can answer the message.
const LINGER: Duration = Duration::from_secs(1);

/// An event of a replayed client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerEvent {
    /// The server has accepted the connection.
    Connected {
        /// The id that the server assigned.
        id: ClientId,
        /// The format.
        format: Format,
    },
    /// The player has sent all messages of the recording.
    Finished,
    /// The connection is closed. This is the last event.
    Closed {
        /// The reason.
        reason: String,
    },
}

/// Replays the client's side of a recording to a server. A [`Client`] with separate acks and resends sends the
/// recorded messages in order, with the recorded send modes.
pub struct RiptideReplayPlayer {
    recording: RiptideRecording,
    playback: Playback,
    client: Client,
    /// The replay time at which the server accepted the connection.
    began: Option<Duration>,
    /// Index of the next message.
    next: usize,
    /// True if the send window is full, until acks arrive.
    is_blocked: bool,
    /// Time to close the connection, set after the last message.
    end: Option<Instant>,
    is_closed: bool,
    events: VecDeque<PlayerEvent>,
    now: Instant,
}

impl RiptideReplayPlayer {
    /// Connects to a server with the recorded connect data. Over TCP, the driver opens the stream.
    ///
    /// # Errors
    /// [`SendError`] if the connect data does not fit into a packet.
    pub fn connect(
        recording: RiptideRecording,
        transport: Transport,
        server: SocketAddr,
        now: Instant,
    ) -> Result<Self, SendError> {
        let config = ClientConfig {
            connect_data: recording.connect_data.clone(),
            ..ClientConfig::new(recording.format)
        };
        let client = match transport {
            Transport::Udp => Client::connect(&config, server, now)?,
            Transport::Tcp => Client::connect_over_transport(&config, now)?,
        };
        Ok(Self {
            recording,
            playback: Playback::new(now),
            client,
            began: None,
            next: 0,
            is_blocked: false,
            end: None,
            is_closed: false,
            events: VecDeque::new(),
            now,
        })
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

    /// Disconnects from the server.
    pub fn close(&mut self, reason: &str) {
        self.client.disconnect();
        self.ended(reason.to_owned());
    }

    /// Returns whether the connection is closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    fn ended(&mut self, reason: String) {
        if !core::mem::replace(&mut self.is_closed, true) {
            self.events.push_back(PlayerEvent::Closed { reason });
        }
    }

    /// Handles the client's events, and sends the messages that are due.
    fn pump(&mut self) {
        while let Some(event) = self.client.poll_event() {
            match event {
                client::Event::Connected { id } => {
                    self.began = Some(self.playback.time(self.now));
                    let format = self.recording.format;
                    self.events.push_back(PlayerEvent::Connected { id, format });
                }
                client::Event::ConnectionFailed { reason, .. } => self.ended(reason.to_string()),
                client::Event::Disconnected { reason, .. } => self.ended(reason.to_string()),
                _ => {}
            }
        }
        self.advance();
    }

    /// Sends the messages that are due.
    fn advance(&mut self) {
        let Some(began) = self.began.filter(|_| !self.is_closed) else { return };
        let time = self.playback.time(self.now);
        self.is_blocked = false;
        while let Some((at, message)) = self.recording.client.get(self.next)
            && began.saturating_add(*at) <= time
        {
            let is_full = matches!(self.client.send(message), Err(SendError::Full));
            if is_full && message.mode() == MessageSendMode::Reliable {
                self.is_blocked = true;
                return;
            }
            self.next = self.next.saturating_add(1);
        }
        if self.next >= self.recording.client.len() && self.end.is_none() {
            self.end = Some(self.now + LINGER);
            self.events.push_back(PlayerEvent::Finished);
        }
        if self.end.is_some_and(|end| end <= self.now) {
            self.close("the recording is over");
        }
    }

    /// Returns the time of the next message.
    fn wake(&self) -> Option<Wake> {
        let began = self.began.filter(|_| !self.is_closed)?;
        if let Some(at) = self.end {
            return Some(Wake { at, reason: "end of a replay" });
        }
        let (at, _) = self.recording.client.get(self.next).filter(|_| !self.is_blocked)?;
        let at = self.playback.when(began.saturating_add(*at))?;
        Some(Wake { at, reason: "next message of a replay" })
    }
}

impl Machine for RiptideReplayPlayer {
    type Event = PlayerEvent;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = self.now.max(now);
        self.client.handle_timeout(self.now);
        self.pump();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        Wake::earliest([self.client.poll_timeout(), self.wake()])
    }

    fn poll_event(&mut self) -> Option<PlayerEvent> {
        self.events.pop_front()
    }

    fn log_line(event: &PlayerEvent) -> Option<LogLine> {
        Some(match event {
            PlayerEvent::Connected { id, .. } => LogLine::info(format_args!("connected as client {id}")),
            PlayerEvent::Finished => LogLine::info(format_args!("everything was sent")),
            PlayerEvent::Closed { reason } => LogLine::info(format_args!("disconnected: {reason}")),
        })
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        self.now = self.now.max(now);
        let handled = self.client.handle_datagram(self.now, from, data);
        self.pump();
        handled
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.client.poll_transmit(now, buffer)
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.now = self.now.max(now);
        self.client.handle_open(self.now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.now = self.now.max(now);
        self.client.handle_bytes(self.now, stream, data);
        self.pump();
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.now = self.now.max(now);
        self.client.handle_close(self.now, stream);
        self.pump();
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.client.poll_stream(now, buffer)
    }
}

impl core::fmt::Debug for RiptideReplayPlayer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RiptideReplayPlayer")
            .field("began", &self.began)
            .field("next", &self.next)
            .field("is_closed", &self.is_closed)
            .finish_non_exhaustive()
    }
}
