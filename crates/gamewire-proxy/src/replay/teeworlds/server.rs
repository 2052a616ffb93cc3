use std::collections::BTreeMap;
use std::net::SocketAddr;

use gamewire_machine::{EventLimits, EventQueue, Instant, LogLine, Machine, Transmit, TransmitQueue, Wake};
use gamewire_teeworlds::raw::handshake::{AcceptOutcome, Acceptor, FirstPacket, SeededRng};
use gamewire_teeworlds::raw::link::{Link, PacketError, Scratch};
use gamewire_teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};

use super::recording::TeeworldsRecording;
use super::viewer::{Viewer, ViewerOutcome};
use crate::replay::steps::Progress;
use crate::replay::{Playback, ReplayMachine, ViewerEvent, ViewerId};
use crate::teeworlds::Connection;

/// Maximum number of viewers.
const MAX_VIEWERS: usize = 64;
/// The reason for the close at the end of the recording.
const OVER: &str = "The recording is over";

/// Replays the server's side of a recording to every client that joins, each from the beginning.
#[derive(Debug)]
pub struct TeeworldsReplay {
    recording: TeeworldsRecording,
    playback: Playback,
    acceptor: Acceptor,
    viewers: BTreeMap<SocketAddr, (ViewerId, Viewer)>,
    last_id: ViewerId,
    /// The datagrams that do not belong to a viewer.
    transmits: TransmitQueue<SocketAddr>,
    events: EventQueue<ViewerEvent>,
    scratch: Scratch,
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
            events: EventQueue::new(EventLimits::default()),
            scratch: Scratch::new(),
        }
    }

    /// Returns the recording.
    #[must_use]
    pub const fn recording(&self) -> &TeeworldsRecording {
        &self.recording
    }

    /// Returns the approximate memory that the replay holds for its viewers, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let viewers = self.viewers.values().map(|(_, viewer)| viewer.held_bytes());
        viewers.chain([self.events.held_bytes()]).fold(0, usize::saturating_add)
    }

    fn accept(&mut self, link: Link, first_packet: FirstPacket, datagram: &[u8]) {
        let address = link.peer();
        self.disconnect(address, "reconnected");
        if self.viewers.len() >= MAX_VIEWERS || self.events.is_full() {
            let mut connection = Connection::new(link);
            if connection.link.is_unproven() {
                // The CLOSE replaces the reply to CONNECT.
                let mut dropped = Vec::new();
                while connection.link.poll_transmit(&mut dropped).is_some() {}
            }
            connection.link.close(Some(b"This server is full"));
            self.keep_datagrams(connection);
            return;
        }
        self.last_id = self.last_id.saturating_add(1);
        let (viewer, dialect) = (self.last_id, link.dialect().name());
        self.events.push(ViewerEvent::Connected { viewer, address: Some(address), dialect });
        self.viewers.insert(address, (viewer, Viewer::new(link, &self.recording, &self.playback)));
        if first_packet == FirstPacket::WithMessages {
            // An error in the first packet does not close the connection.
            let _ = self.receive_from_viewer(address, datagram);
        }
    }

    /// Handles a datagram in the connection of its sender. Returns whether it is a control message that the connection
    /// does not handle.
    fn receive_from_viewer(&mut self, from: SocketAddr, datagram: &[u8]) -> Result<bool, PacketError> {
        let Self { viewers, recording, scratch, playback, .. } = self;
        let Some((_, viewer)) = viewers.get_mut(&from) else { return Err(PacketError::UnknownAddress) };
        match viewer.receive(playback.now(), datagram, recording, scratch)? {
            ViewerOutcome::Handled => Ok(false),
            ViewerOutcome::Control => Ok(true),
            ViewerOutcome::Left(reason) => {
                self.remove(from, reason);
                Ok(false)
            }
        }
    }

    fn disconnect(&mut self, address: SocketAddr, reason: &str) {
        if let Some((_, viewer)) = self.viewers.get_mut(&address) {
            viewer.connection.link.close(Some(reason.as_bytes()));
            self.remove(address, reason.to_owned());
        }
    }

    fn remove(&mut self, address: SocketAddr, reason: String) {
        if let Some((id, viewer)) = self.viewers.remove(&address) {
            self.keep_datagrams(viewer.connection);
            self.events.push(ViewerEvent::Closed { viewer: id, reason });
        }
    }

    /// Keeps the unsent datagrams of a connection that is removed.
    fn keep_datagrams(&mut self, mut connection: Connection) {
        let mut buffer = Vec::new();
        while let Some(Transmit { to }) = connection.link.poll_transmit(&mut buffer) {
            self.transmits.push(to, &buffer);
        }
    }

    /// Plays the due steps of every viewer.
    fn advance(&mut self) {
        let Self { viewers, playback, recording, events, .. } = self;
        let mut ended = Vec::new();
        for (address, (id, viewer)) in viewers {
            let progress = viewer.advance(playback, recording);
            if viewer.connection.link.is_closed() {
                ended.push((*address, "nothing more can be sent to it"));
                continue;
            }
            match progress {
                Progress::Waiting => {}
                Progress::Finished => events.push(ViewerEvent::Finished { viewer: *id }),
                Progress::Over => {
                    viewer.connection.link.close(Some(OVER.as_bytes()));
                    ended.push((*address, OVER));
                }
            }
        }
        for (address, reason) in ended {
            self.remove(address, reason.to_owned());
        }
    }
}

impl ReplayMachine for TeeworldsReplay {
    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
    }

    fn close(&mut self, reason: &str) {
        for address in self.viewers.keys().copied().collect::<Vec<_>>() {
            self.disconnect(address, reason);
        }
    }

    fn is_closed(&self) -> bool {
        false
    }
}

impl Machine for TeeworldsReplay {
    type Event = ViewerEvent;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.playback.advance(now);
        let mut ended = Vec::new();
        for (address, (_, viewer)) in &mut self.viewers {
            if let Err(reason) = viewer.connection.link.handle_timeout(now) {
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

    fn poll_event(&mut self) -> Option<ViewerEvent> {
        self.events.pop()
    }

    fn log_line(event: &ViewerEvent) -> Option<LogLine> {
        Some(event.log_line())
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        let now = self.playback.advance(now);
        let received = self.receive_from_viewer(from, data);
        let accepted = match (received, self.viewers.get(&from)) {
            (Ok(false), _) => {
                self.advance();
                return Ok(());
            }
            (_, None) => self.acceptor.receive(now, from, data, &mut self.transmits)?,
            (received, Some((_, viewer))) => {
                let link = &viewer.connection.link;
                match self.acceptor.receive_from_peer(now, link, data, &mut self.transmits) {
                    Ok(accepted) => accepted,
                    // The connection has processed the acknowledgement of the datagram, so it is not rejected.
                    Err(_) if received.is_ok() => AcceptOutcome::Answered,
                    Err(error) => return Err(error),
                }
            }
        };
        if let AcceptOutcome::Accepted { link, first_packet } = accepted {
            self.accept(link, first_packet, data);
        }
        self.advance();
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        if let Some(to) = self.transmits.pop(buffer) {
            return Some(Transmit { to });
        }
        self.viewers.values_mut().find_map(|(_, viewer)| viewer.connection.link.poll_transmit(buffer))
    }
}
