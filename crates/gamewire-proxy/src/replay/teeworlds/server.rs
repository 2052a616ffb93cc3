use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, Transmit, TransmitQueue, Wake};
use gamewire_teeworlds::raw::handshake::{AcceptOutcome, Acceptor, FirstPacket, SeededRng};
use gamewire_teeworlds::raw::link::{Link, PacketError, Scratch};
use gamewire_teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};

use super::recording::TeeworldsRecording;
use super::viewer::{Left, Progress, Viewer};
use crate::replay::Playback;
use crate::teeworlds::Connection;

/// Maximum number of viewers.
const MAX_VIEWERS: usize = 64;
/// Maximum number of queued events. At this number, the replay accepts no viewer.
const MAX_EVENTS: usize = 1_024;

/// Number of a viewer, from 1.
pub type ViewerId = u32;

/// An event of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A client has connected.
    Connected {
        /// The viewer.
        viewer: ViewerId,
        /// The viewer's address.
        address: SocketAddr,
        /// The viewer's dialect.
        dialect: Dialect,
    },
    /// A viewer has received the whole recording.
    Finished {
        /// The viewer.
        viewer: ViewerId,
    },
    /// A viewer has disconnected.
    Closed {
        /// The viewer.
        viewer: ViewerId,
        /// The reason.
        reason: String,
    },
}

/// Replays the server's side of a recording to every client that joins, each from the beginning.
#[derive(Debug)]
pub struct TeeworldsReplay {
    recording: TeeworldsRecording,
    playback: Playback,
    acceptor: Acceptor,
    viewers: BTreeMap<SocketAddr, (ViewerId, Viewer)>,
    last_id: ViewerId,
    transmits: TransmitQueue<SocketAddr>,
    events: VecDeque<Event>,
    scratch: Scratch,
    now: Instant,
}

impl TeeworldsReplay {
    /// Returns a replay. `seed` is 32 secret random bytes.
    #[must_use]
    pub fn new(recording: TeeworldsRecording, seed: [u8; 32], now: Instant) -> Self {
        let link = |dialect| Connection::link_config(LinkConfig::of_games(dialect));
        let is_07 = recording.dialect == Dialect::V07;
        let of_06 = |dialect| (!is_07).then(|| link(dialect));
        let config = AcceptorConfig {
            tken: of_06(Dialect::Tken),
            v065: of_06(Dialect::V065),
            v07: is_07.then(|| link(Dialect::V07)),
            tokenless: of_06(Dialect::V06).map_or(TokenlessPolicy::Refuse, TokenlessPolicy::Accept),
            ..AcceptorConfig::vanilla()
        };
        Self {
            recording,
            playback: Playback::new(now),
            acceptor: Acceptor::new(config, &mut SeededRng::new(seed)),
            viewers: BTreeMap::new(),
            last_id: 0,
            transmits: TransmitQueue::new(),
            events: VecDeque::new(),
            scratch: Scratch::new(),
            now,
        }
    }

    /// Returns the recording.
    #[must_use]
    pub const fn recording(&self) -> &TeeworldsRecording {
        &self.recording
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
        for address in self.viewers.keys().copied().collect::<Vec<_>>() {
            self.disconnect(address, reason);
        }
    }

    fn accept(&mut self, link: Link, first_packet: FirstPacket, datagram: &[u8]) {
        let address = link.peer();
        self.disconnect(address, "reconnected");
        if self.viewers.len() >= MAX_VIEWERS || self.events.len() >= MAX_EVENTS {
            let mut connection = Connection::new(link);
            connection.link.close(Some(b"This server is full"));
            flush(&mut connection, address, &mut self.transmits);
            return;
        }
        self.last_id = self.last_id.saturating_add(1);
        let event = Event::Connected { viewer: self.last_id, address, dialect: link.dialect() };
        self.events.push_back(event);
        let viewer = Viewer::new(link, &self.recording, self.now);
        self.viewers.insert(address, (self.last_id, viewer));
        if first_packet == FirstPacket::WithMessages {
            // An error in the first packet does not close the connection.
            let _ = self.receive(address, datagram);
        }
    }

    fn receive(&mut self, from: SocketAddr, datagram: &[u8]) -> Result<(), PacketError> {
        let Self { viewers, recording, scratch, .. } = self;
        let Some((_, viewer)) = viewers.get_mut(&from) else { return Err(PacketError::UnknownAddress) };
        let left = viewer.receive(self.now, datagram, recording, scratch)?;
        if let Some(Left(reason)) = left {
            self.remove(from, reason);
        }
        Ok(())
    }

    fn disconnect(&mut self, address: SocketAddr, reason: &str) {
        if let Some((_, viewer)) = self.viewers.get_mut(&address) {
            viewer.connection.link.close(Some(reason.as_bytes()));
            self.remove(address, reason.to_owned());
        }
    }

    fn remove(&mut self, address: SocketAddr, reason: String) {
        if let Some((id, mut viewer)) = self.viewers.remove(&address) {
            flush(&mut viewer.connection, address, &mut self.transmits);
            self.events.push_back(Event::Closed { viewer: id, reason });
        }
    }

    /// Plays the due steps of every viewer.
    fn advance(&mut self) {
        let (mut finished, mut closed) = (Vec::new(), Vec::new());
        for (address, (id, viewer)) in &mut self.viewers {
            let progress = viewer.advance(self.now, &self.playback, &self.recording);
            flush(&mut viewer.connection, *address, &mut self.transmits);
            if viewer.connection.link.is_closed() {
                closed.push(*address);
            } else if progress == Progress::Finished {
                finished.push((*address, *id));
            }
        }
        for address in closed {
            self.remove(address, "nothing more can be sent to it".to_owned());
        }
        for (address, viewer) in finished {
            self.events.push_back(Event::Finished { viewer });
            self.disconnect(address, "The recording is over");
        }
    }
}

impl Machine for TeeworldsReplay {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = self.now.max(now);
        let mut ended = Vec::new();
        for (address, (_, viewer)) in &mut self.viewers {
            if let Err(reason) = viewer.connection.link.handle_timeout(self.now) {
                ended.push((*address, reason.to_string()));
            }
        }
        for (address, reason) in ended {
            self.remove(address, reason);
        }
        self.advance();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let viewers = self.viewers.values();
        Wake::earliest(viewers.map(|(_, viewer)| viewer.poll_timeout(&self.playback, &self.recording)))
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        Some(match event {
            Event::Connected { viewer, address, dialect } => {
                LogLine::info(format_args!("viewer {viewer} ({address}, {}) connected", dialect.name()))
            }
            Event::Finished { viewer } => LogLine::info(format_args!("viewer {viewer} has seen everything")),
            Event::Closed { viewer, reason } => {
                LogLine::info(format_args!("viewer {viewer} is disconnected: {reason}"))
            }
        })
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        self.now = self.now.max(now);
        let received = match self.viewers.get(&from) {
            None => self.acceptor.receive(self.now, from, data, &mut self.transmits),
            Some(_) => match self.receive(from, data) {
                Ok(()) => {
                    self.advance();
                    return Ok(());
                }
                Err(error) => {
                    let Some((_, viewer)) = self.viewers.get(&from) else { return Err(error) };
                    let link = &viewer.connection.link;
                    self.acceptor.receive_from_peer(self.now, link, data, &mut self.transmits)
                }
            },
        };
        if let AcceptOutcome::Accepted { link, first_packet } = received? {
            self.accept(link, first_packet, data);
            self.advance();
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.transmits.pop(buffer).map(|to| Transmit { to })
    }
}

fn flush(connection: &mut Connection, address: SocketAddr, out: &mut TransmitQueue<SocketAddr>) {
    let mut datagrams = VecDeque::new();
    connection.flush(&mut datagrams);
    for datagram in datagrams {
        out.push(address, &datagram);
    }
}
