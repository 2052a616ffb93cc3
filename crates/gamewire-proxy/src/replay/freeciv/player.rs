use core::convert::Infallible;
use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_freeciv::session::client::{Client, ClientConfig, Event, SendError};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::recording::{BEGIN_TURN, FreecivRecording, Step};
use crate::replay::Playback;

/// Time from the last packet to the end, so that the server can process it.
const LINGER: Duration = Duration::from_secs(1);
/// Lines of chat that wait to be polled; above it they are lost.
const EVENTS: usize = 1_024;

/// An event of a replayed client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerEvent {
    /// The server has accepted the client.
    Connected,
    /// The server sent a line of chat or a message.
    Chat {
        /// The text.
        text: String,
    },
    /// All that the recorded client sent was sent.
    Finished,
    /// The connection is closed: the last event.
    Closed {
        /// The reason.
        reason: String,
    },
}

/// Plays the client's side of a recording to a server: the recorded packets in their order, from a [`Client`] with its own
/// login, baselines and pings. What was sent in a turn waits for this turn of the server.
pub struct FreecivReplayPlayer {
    recording: FreecivRecording,
    playback: Playback,
    client: Client,
    /// The time of the replay, and that of the recording, at the login or when the last turn began; `None` before.
    base: Option<(Duration, Duration)>,
    /// The next step.
    next: usize,
    /// Number of turns that began and were not awaited yet.
    turns: usize,
    /// The send queue is full.
    is_blocked: bool,
    /// When the connection is closed, after the last step.
    end: Option<Instant>,
    is_closed: bool,
    events: VecDeque<PlayerEvent>,
    now: Instant,
}

impl FreecivReplayPlayer {
    /// Logs in with this configuration. Its name may be that of the [recorded user](FreecivRecording::name).
    ///
    /// # Errors
    /// [`SendError`] if the login cannot be sent.
    pub fn connect(
        recording: FreecivRecording,
        config: ClientConfig,
        now: Instant,
    ) -> Result<Self, SendError> {
        let client = Client::new(ClientConfig { packet_events: true, ..config }, now)?;
        Ok(Self {
            recording,
            playback: Playback::new(now),
            client,
            base: None,
            next: 0,
            turns: 0,
            is_blocked: false,
            end: None,
            is_closed: false,
            events: VecDeque::new(),
            now,
        })
    }

    /// Changes the speed: 2 is twice as fast.
    pub fn set_speed(&mut self, speed: f64) {
        self.playback.set_speed(self.now, speed);
    }

    /// Pauses, or goes on.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.playback.set_paused(self.now, is_paused);
    }

    /// Goes on by this time of the recording at once, and pauses.
    pub fn step(&mut self, time: Duration) {
        self.playback.step(self.now, time);
        self.advance();
    }

    /// Leaves the server.
    pub fn close(&mut self, reason: &str) {
        self.client.close();
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

    /// Handles the events of the client, and sends what is due.
    fn pump(&mut self) {
        while let Some(event) = self.client.poll_event() {
            match event {
                Event::Joined(_) => {
                    self.base = Some((self.playback.time(self.now), self.recorded_from(0)));
                    self.events.push_back(PlayerEvent::Connected);
                }
                Event::Packet(packet) => self.on_packet(&packet),
                Event::PasswordRequested { message, .. } => {
                    self.close(&format!("the server asks for a password: {message}"));
                }
                Event::Closed(reason) => self.ended(reason.to_string()),
                _ => {}
            }
        }
        self.advance();
    }

    fn on_packet(&mut self, packet: &PacketBuf) {
        match packet.name() {
            BEGIN_TURN => self.turns = self.turns.saturating_add(1),
            "PACKET_CHAT_MSG" | "PACKET_CONNECT_MSG" if self.events.len() < EVENTS => {
                self.events.push_back(PlayerEvent::Chat { text: packet.text("message") });
            }
            _ => {}
        }
    }

    /// Returns the time of the recording at which the first packet from a step on was sent.
    fn recorded_from(&self, step: usize) -> Duration {
        let mut sent = self.recording.steps.iter().skip(step).filter_map(|step| match step {
            Step::Send(at, _) => Some(*at),
            Step::AwaitTurn => None,
        });
        sent.next().unwrap_or_default()
    }

    /// Returns the time of the replay at which the next packet is sent; `None` if it waits for the server.
    fn due(&self) -> Option<Duration> {
        let (base, recorded) = self.base?;
        match self.recording.steps.get(self.next)? {
            Step::Send(at, _) => Some(base.saturating_add(at.saturating_sub(recorded))),
            Step::AwaitTurn => None,
        }
    }

    /// Does the steps that are due.
    fn advance(&mut self) {
        if self.base.is_none() || self.is_closed {
            return;
        }
        self.is_blocked = false;
        while let Some(step) = self.recording.steps.get(self.next) {
            match step {
                Step::AwaitTurn => {
                    let Some(left) = self.turns.checked_sub(1) else { break };
                    self.turns = left;
                    self.base = Some((self.playback.time(self.now), self.recorded_from(self.next)));
                }
                Step::Send(_, packet) => {
                    if self.due().is_none_or(|due| due > self.playback.time(self.now)) {
                        break;
                    }
                    let names = packet.field_names();
                    let fields: Vec<_> =
                        names.into_iter().filter_map(|name| Some((name, packet.value(name)?))).collect();
                    // A packet that the server's version lacks, or that repeats the last one, is left out.
                    let sent = self.client.send_fields(packet.name(), &fields);
                    self.is_blocked = matches!(sent, Err(SendError::Full { .. }));
                    if self.is_blocked {
                        return;
                    }
                }
            }
            self.next = self.next.saturating_add(1);
        }
        if self.next >= self.recording.steps.len() && self.end.is_none() {
            self.end = Some(self.now + LINGER);
            self.events.push_back(PlayerEvent::Finished);
        }
        if self.end.is_some_and(|end| end <= self.now) {
            self.close("the recording is over");
        }
    }

    /// Returns when the next packet is due.
    fn wake(&self) -> Option<Wake> {
        if self.is_closed || self.is_blocked {
            return None;
        }
        if let Some(at) = self.end {
            return Some(Wake { at, reason: "end of a replay" });
        }
        let at = self.playback.when(self.due()?)?;
        Some(Wake { at, reason: "next packet of a replay" })
    }
}

impl Machine for FreecivReplayPlayer {
    type Event = PlayerEvent;
    type DatagramError = Infallible;

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
            PlayerEvent::Connected => LogLine::info(format_args!("the server has accepted the client")),
            PlayerEvent::Chat { .. } => return None,
            PlayerEvent::Finished => LogLine::info(format_args!("everything was sent")),
            PlayerEvent::Closed { reason } => LogLine::info(format_args!("disconnected: {reason}")),
        })
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

impl core::fmt::Debug for FreecivReplayPlayer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FreecivReplayPlayer")
            .field("next", &self.next)
            .field("is_closed", &self.is_closed)
            .finish_non_exhaustive()
    }
}
