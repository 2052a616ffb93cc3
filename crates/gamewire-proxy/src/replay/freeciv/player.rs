use core::convert::Infallible;
use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_freeciv::session::client::{Client, ClientConfig, Event, SendError};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::recording::{BEGIN_TURN, FreecivRecording, Step};
use crate::replay::Playback;

/// Time between the last packet and the close, so that the server can process the packet.
const LINGER: Duration = Duration::from_secs(1);
/// Maximum number of queued events. Chat lines above it are dropped.
const MAX_EVENTS: usize = 1_024;

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
    /// The player has sent all packets of the recording.
    Finished,
    /// The connection is closed. This is the last event.
    Closed {
        /// The reason.
        reason: String,
    },
}

/// Replays the client's side of a recording to a server. A [`Client`] with a separate login, baselines and pings sends
/// the recorded packets in order. The packets of a turn are sent after the server has started this turn.
pub struct FreecivReplayPlayer {
    recording: FreecivRecording,
    playback: Playback,
    client: Client,
    /// The replay time and the recording time of the login or of the start of the last turn; `None` before the login.
    base: Option<(Duration, Duration)>,
    /// Index of the next step.
    next: usize,
    /// Number of started turns that no step has awaited yet.
    turns: usize,
    /// True if the send queue is full.
    is_blocked: bool,
    /// Time to close the connection, set after the last step.
    end: Option<Instant>,
    is_closed: bool,
    events: VecDeque<PlayerEvent>,
    now: Instant,
}

impl FreecivReplayPlayer {
    /// Connects with `config`. Its user name may be the [recorded one](FreecivRecording::name).
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

    /// Handles the client's events, and sends the packets that are due.
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
            "PACKET_CHAT_MSG" | "PACKET_CONNECT_MSG" if self.events.len() < MAX_EVENTS => {
                self.events.push_back(PlayerEvent::Chat { text: packet.text("message") });
            }
            _ => {}
        }
    }

    /// Returns the recording time of the first packet at or after `step`.
    fn recorded_from(&self, step: usize) -> Duration {
        let mut sent = self.recording.steps.iter().skip(step).filter_map(|step| match step {
            Step::Send(at, _) => Some(*at),
            Step::AwaitTurn => None,
        });
        sent.next().unwrap_or_default()
    }

    /// Returns the replay time of the next packet; `None` if the replay waits for the server.
    fn due(&self) -> Option<Duration> {
        let (base, recorded) = self.base?;
        match self.recording.steps.get(self.next)? {
            Step::Send(at, _) => Some(base.saturating_add(at.saturating_sub(recorded))),
            Step::AwaitTurn => None,
        }
    }

    /// Plays the steps that are due.
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
                    // Skip a packet that the server's version does not have, or that equals the previous one.
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

    /// Returns the time of the next packet.
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
