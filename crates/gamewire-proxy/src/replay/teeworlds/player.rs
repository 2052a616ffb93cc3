use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, Transmit, TransmitQueue, Wake};
use gamewire_teeworlds::model::{ClientMessage, ServerMessage, TextBuf};
use gamewire_teeworlds::raw::handshake::{ConnectOutcome, Connecting, SeededRng};
use gamewire_teeworlds::raw::link::{Link, LinkInput, PacketError, Scratch};
use gamewire_teeworlds::raw::snapshot::{Receiver, SnapshotOutcome};
use gamewire_teeworlds::{Dialect, Offer};

use super::recording::{Answer, PlayerStep, TeeworldsRecording};
use crate::replay::Playback;
use crate::teeworlds::{Connection, Outgoing};

/// Time between the last message and the close, so that the server can answer the message.
const LINGER: Duration = Duration::from_secs(1);

/// An event of a replayed player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerEvent {
    /// The server has accepted the connection.
    Connected {
        /// The dialect.
        dialect: Dialect,
    },
    /// The player has received the first snapshot.
    Entered,
    /// The server sent a line of chat.
    Chat {
        /// The text.
        text: String,
    },
    /// The player has sent all messages of the recording.
    Finished,
    /// The connection is closed. This is the last event.
    Closed {
        /// The reason.
        reason: String,
    },
}

/// Replays the client's side of a recording to a server. The ticks of inputs are moved to the server's ticks: each
/// input keeps its recorded distance to the last snapshot.
#[derive(Debug)]
pub struct TeeworldsReplayPlayer {
    recording: TeeworldsRecording,
    playback: Playback,
    state: State,
    receiver: Receiver,
    out: Outgoing,
    next: usize,
    arrived: VecDeque<Answer>,
    /// The replay time and the recording time at which the last awaited message arrived.
    base: (Duration, Duration),
    /// The tick of the server's last snapshot.
    tick: Option<i32>,
    /// Time to close the connection, set after the last step.
    end: Option<Instant>,
    transmits: TransmitQueue<SocketAddr>,
    events: VecDeque<PlayerEvent>,
    scratch: Scratch,
    server: SocketAddr,
    now: Instant,
}

#[derive(Debug)]
enum State {
    Connecting(Box<Connecting>),
    Online(Box<Connection>),
    Closed,
}

/// Maximum number of stored answers that arrived before their step.
const MAX_ANSWERS: usize = 16;
/// Maximum number of queued events. Chat lines above it are dropped.
const MAX_EVENTS: usize = 1_024;

impl TeeworldsReplayPlayer {
    /// Connects to a server with the recorded dialect, or with the dialect of `offer`, which must be of the same
    /// version. `seed` is 32 secret random bytes.
    #[must_use]
    pub fn connect(
        recording: TeeworldsRecording,
        server: SocketAddr,
        offer: Option<Offer>,
        seed: [u8; 32],
        now: Instant,
    ) -> Self {
        let offer = offer.unwrap_or(Offer::Only(recording.dialect));
        let connecting = Connecting::new(offer, server, None, &mut SeededRng::new(seed), now);
        Self {
            out: Outgoing::new(recording.dialect, recording.dialect),
            recording,
            playback: Playback::new(now),
            state: State::Connecting(Box::new(connecting)),
            receiver: Receiver::default(),
            next: 0,
            arrived: VecDeque::new(),
            base: (Duration::ZERO, Duration::ZERO),
            tick: None,
            end: None,
            transmits: TransmitQueue::new(),
            events: VecDeque::new(),
            scratch: Scratch::new(),
            server,
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

    /// Disconnects from the server.
    pub fn close(&mut self, reason: &str) {
        match &mut self.state {
            State::Connecting(connecting) => connecting.close(Some(reason.as_bytes())),
            State::Online(connection) => connection.link.close(Some(reason.as_bytes())),
            State::Closed => return,
        }
        self.flush();
        self.ended(reason.to_owned());
    }

    /// Returns whether the connection is closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed)
    }

    fn ended(&mut self, reason: String) {
        if !matches!(self.state, State::Closed) {
            self.state = State::Closed;
            self.events.push_back(PlayerEvent::Closed { reason });
        }
    }

    fn on_online(&mut self, link: Link) {
        self.events.push_back(PlayerEvent::Connected { dialect: link.dialect() });
        self.state = State::Online(Box::new(Connection::new(link)));
        self.base = (self.playback.time(self.now), self.time_from(0));
    }

    fn receive(&mut self, data: &[u8]) -> Result<(), PacketError> {
        let connection = match &mut self.state {
            State::Connecting(connecting) => match connecting.receive(self.now, data)? {
                ConnectOutcome::Online(link) => {
                    self.on_online(link);
                    return Ok(());
                }
                ConnectOutcome::OnlineWithMessages(link) => {
                    self.on_online(link);
                    return self.receive(data);
                }
                ConnectOutcome::Refused { reason } => {
                    self.ended(reason);
                    return Ok(());
                }
                ConnectOutcome::Waiting => return Ok(()),
            },
            State::Online(connection) => connection,
            State::Closed => return Err(PacketError::Closed),
        };
        let dialect = connection.link.dialect();
        match connection.link.receive(self.now, data, &mut self.scratch)? {
            LinkInput::Chunks(chunks) => {
                let contents: Vec<_> = chunks.map(|chunk| chunk.content.to_vec()).collect();
                for content in contents {
                    if let Ok(message) = dialect.decode_server_message(&content) {
                        self.on_message(dialect, &message);
                    }
                }
            }
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                self.ended(reason);
            }
            LinkInput::KeepAlive | LinkInput::Control { .. } => {}
        }
        Ok(())
    }

    fn on_message(&mut self, dialect: Dialect, message: &ServerMessage<'_>) {
        if let Some(answer) = Answer::of(message) {
            if self.arrived.len() < MAX_ANSWERS {
                self.arrived.push_back(answer);
            }
            self.receiver.reset();
        }
        match *message {
            ServerMessage::Snapshot(ref snapshot) => {
                let outcome = self.receiver.receive(snapshot, dialect.fifth_byte(), dialect.item_sizes());
                if let SnapshotOutcome::Complete { tick, .. } = outcome
                    && self.tick.replace(tick).is_none()
                {
                    self.events.push_back(PlayerEvent::Entered);
                }
            }
            ServerMessage::Ping => self.out.server(false, &ClientMessage::PingReply),
            ServerMessage::PingEx(id) => self.out.server(false, &ClientMessage::PongEx(id)),
            ServerMessage::Chat { text, .. } if self.events.len() < MAX_EVENTS => {
                self.events.push_back(PlayerEvent::Chat { text: TextBuf::from(text).to_string() });
            }
            _ => {}
        }
    }

    /// Returns the recording time of the first message at or after `step`.
    fn time_from(&self, step: usize) -> Duration {
        let mut times = self.recording.player.iter().skip(step).filter_map(|step| match step {
            PlayerStep::Send { at, .. } => Some(*at),
            PlayerStep::Await(_) => None,
        });
        times.next().unwrap_or_default()
    }

    /// Returns the replay time of the next message; `None` if the replay waits for the server.
    fn due(&self) -> Option<Duration> {
        let PlayerStep::Send { at, .. } = self.recording.player.get(self.next)? else { return None };
        let (base, recorded) = self.base;
        Some(base.saturating_add(at.saturating_sub(recorded)))
    }

    /// Plays the steps that are due.
    fn advance(&mut self) {
        let is_online = matches!(self.state, State::Online(_));
        while let Some(step) = self.recording.player.get(self.next).filter(|_| is_online) {
            match step {
                PlayerStep::Await(answer) => {
                    if self.arrived.front() != Some(answer) {
                        break;
                    }
                    self.arrived.pop_front();
                    self.base = (self.playback.time(self.now), self.time_from(self.next));
                }
                PlayerStep::Send { tick, message, .. } => {
                    if self.due().is_some_and(|due| due > self.playback.time(self.now)) {
                        break;
                    }
                    match message.dialect.decode_client_message(&message.content) {
                        Ok(ClientMessage::Input { intended_tick, input, ping_correction, .. }) => {
                            let ahead = intended_tick.saturating_sub(*tick);
                            let intended_tick = self.tick.unwrap_or_default().saturating_add(ahead);
                            let ack_snapshot = self.receiver.ack();
                            let input =
                                ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction };
                            self.out.server(message.vital, &input);
                        }
                        _ => self.out.to_server.push((message.vital, message.content.clone())),
                    }
                }
            }
            self.next = self.next.saturating_add(1);
        }
        if is_online && self.next >= self.recording.player.len() && self.end.is_none() {
            self.end = Some(self.now + LINGER);
            self.events.push_back(PlayerEvent::Finished);
        }
        self.flush();
        if let State::Online(connection) = &self.state
            && connection.link.is_closed()
        {
            self.ended("nothing more can be sent".to_owned());
        }
    }

    fn flush(&mut self) {
        let mut datagrams = VecDeque::new();
        match &mut self.state {
            State::Connecting(connecting) => {
                let mut buffer = Vec::new();
                while connecting.poll_transmit(&mut buffer).is_some() {
                    datagrams.push_back(buffer.clone());
                }
            }
            State::Online(connection) => {
                for (vital, content) in core::mem::take(&mut self.out.to_server) {
                    connection.send(vital, &content);
                }
                connection.flush(&mut datagrams);
            }
            State::Closed => {}
        }
        for datagram in datagrams {
            self.transmits.push(self.server, &datagram);
        }
    }
}

impl Machine for TeeworldsReplayPlayer {
    type Event = PlayerEvent;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = self.now.max(now);
        let ended = match &mut self.state {
            State::Connecting(connecting) => connecting.handle_timeout(self.now),
            State::Online(connection) => connection.link.handle_timeout(self.now),
            State::Closed => return,
        };
        self.advance();
        if let Err(reason) = ended {
            self.ended(reason.to_string());
        }
        if self.end.is_some_and(|end| end <= self.now) {
            self.close("The recording is over");
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let link = match &self.state {
            State::Connecting(connecting) => return connecting.poll_timeout(),
            State::Online(connection) => connection.link.poll_timeout(),
            State::Closed => return None,
        };
        let step = self.due().and_then(|due| self.playback.when(due));
        let step = step.map(|at| Wake { at, reason: "recorded message" });
        Wake::earliest([link, step, self.end.map(|at| Wake { at, reason: "the recording is over" })])
    }

    fn poll_event(&mut self) -> Option<PlayerEvent> {
        self.events.pop_front()
    }

    fn log_line(event: &PlayerEvent) -> Option<LogLine> {
        Some(match event {
            PlayerEvent::Connected { dialect } => {
                LogLine::info(format_args!("connected in {}", dialect.name()))
            }
            PlayerEvent::Closed { reason } => LogLine::info(format_args!("closed: {reason}")),
            _ => return None,
        })
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        self.now = self.now.max(now);
        if from != self.server {
            return Err(PacketError::UnknownAddress);
        }
        self.receive(data)?;
        self.advance();
        Ok(())
    }

    fn poll_transmit(&mut self, _now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.transmits.pop(buffer).map(|to| Transmit { to })
    }
}
