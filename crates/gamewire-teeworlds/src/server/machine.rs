use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};

use super::play::TOO_SLOW;
use super::room::ServerState;
use super::{Event, GameLogic, ServerConfig};
use crate::handshake::{AcceptOutcome, Acceptor, AcceptorStats, FirstPacket, SeededRng};
use crate::link::{CloseReason, LinkInput, LinkStats, Outbox, PacketError, Scratch};
use crate::session::message::{Audience, ClientId, ServerMessage};
use crate::session::world::World;
use crate::shared::pack::Text;

/// A server of all dialects, with the game `G`.
///
/// An address that has proven nothing costs no memory. What clients send that cannot be read is
/// dropped and counted.
#[derive(Debug)]
pub struct Server<G> {
    room: ServerState,
    game: G,
    gate: Acceptor,
    scratch: Scratch,
    out: Outbox,
    now: Instant,
    undecodable: u64,
}

/// What a connection made of a datagram.
enum LinkOutcome {
    /// All that there is to it.
    All,
    /// A control message that means nothing to it.
    Control,
}

impl<G: GameLogic> Server<G> {
    /// A server that begins to play at `now`.
    #[must_use]
    pub fn new(config: ServerConfig, game: G, now: Instant) -> Self {
        let mut entropy = SeededRng::new(config.seed);
        let gate = Acceptor::new(config.gate, &mut entropy);
        Self {
            room: ServerState::new(config, &mut entropy, now),
            game,
            gate,
            scratch: Scratch::new(),
            out: Outbox::new(),
            now,
            undecodable: 0,
        }
    }

    /// Says something to everybody in the game.
    pub fn say(&mut self, text: &str) {
        let word = ServerMessage::Chat { from: None, audience: Audience::All, text: Text::new(text) };
        self.room.broadcast(self.now, &word, &mut self.out);
    }

    /// Writes a line to somebody's remote console.
    pub fn rcon_line(&mut self, to: ClientId, line: &str) {
        if let Some(peer) = self.room.peer(to.0.into()) {
            peer.send_or_close(self.now, &ServerMessage::RconLine(Text::new(line)), &mut self.out);
        }
    }

    /// Sends somebody away.
    pub fn kick(&mut self, id: ClientId, reason: &str) {
        self.room.drop_peer(self.now, id.0.into(), reason, &mut self.out);
    }

    /// Sends everybody away: the server ends.
    pub fn close(&mut self, reason: &str) {
        for place in 0..self.room.peers.len() {
            self.room.drop_peer(self.now, place, reason, &mut self.out);
        }
    }

    /// The world, as the last tick left it.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.room.world
    }

    /// The game.
    pub const fn game(&mut self) -> &mut G {
        &mut self.game
    }

    /// What the connection of a place has counted.
    #[must_use]
    pub fn stats(&self, id: ClientId) -> Option<&LinkStats> {
        self.room.peers.get(usize::from(id.0))?.as_ref().map(|peer| peer.link.stats())
    }

    /// How many places are taken.
    #[must_use]
    pub fn client_count(&self) -> usize {
        self.room.peers.iter().flatten().count()
    }

    /// What happened to datagrams of addresses without a connection.
    #[must_use]
    pub const fn acceptor_stats(&self) -> &AcceptorStats {
        self.gate.stats()
    }

    /// Messages of clients that could not be read, and were dropped.
    #[must_use]
    pub const fn undecodable(&self) -> u64 {
        self.undecodable
    }

    /// The connections and what waits to be sent, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let links = self.room.peers.iter().flatten().map(|peer| peer.held_bytes());
        let held = self.gate.held_bytes().saturating_add(self.room.held_bytes());
        links.fold(held, usize::saturating_add)
    }

    /// Time does not go back here, whatever the clock does.
    fn advance_clock(&mut self, now: Instant) -> Instant {
        self.now = self.now.max(now);
        self.now
    }

    /// Does what time does to connections, and sends those away who do not come into the game.
    fn handle_peer_timeouts(&mut self, now: Instant) {
        for place in 0..self.room.peers.len() {
            let Some(peer) = self.room.peer(place) else { continue };
            let is_too_slow = peer.login_timed_out(now);
            if let Err(reason) = peer.link.handle_timeout(now, &mut self.out) {
                self.room.remove(now, place, reason, &mut self.out);
            } else if is_too_slow {
                self.room.drop_peer(now, place, TOO_SLOW, &mut self.out);
            }
        }
    }

    /// A datagram of somebody who has a place.
    fn receive_from_peer(
        &mut self,
        now: Instant,
        place: usize,
        data: &[u8],
    ) -> Result<LinkOutcome, PacketError> {
        let Self { room, scratch, out, undecodable, .. } = self;
        let Some(peer) = room.peer(place) else { return Err(PacketError::UnknownAddress) };
        let dialect = peer.link.dialect();
        match peer.link.receive(now, data, scratch, out)? {
            LinkInput::Chunks(chunks) => {
                for chunk in chunks {
                    match dialect.decode_client_message(chunk.content) {
                        Ok(word) => room.handle_message(now, place, &word, chunk.vital, out),
                        Err(_) => *undecodable = undecodable.saturating_add(1),
                    }
                }
                if let Some(peer) = room.peer(place) {
                    peer.flush_urgent(now, out);
                }
            }
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                room.remove(now, place, CloseReason::PeerClosed { reason }, out);
            }
            LinkInput::KeepAlive => {}
            LinkInput::Control { .. } => return Ok(LinkOutcome::Control),
        }
        Ok(LinkOutcome::All)
    }

    /// What came of a datagram that no connection took.
    fn on_accept(&mut self, now: Instant, from: SocketAddr, data: &[u8], admission: AcceptOutcome<'_>) {
        let Self { room, out, .. } = self;
        match admission {
            AcceptOutcome::Answered => {}
            AcceptOutcome::Browse(question) => room.reply_info(from, &question, out),
            AcceptOutcome::Accepted { link, arrival } => {
                let Some(place) = room.accept(now, link, out) else { return };
                match arrival {
                    FirstPacket::Handshake => {}
                    FirstPacket::PastInfo => {
                        room.send_map_change(now, place, out);
                        if let Some(peer) = room.peer(place) {
                            peer.flush_urgent(now, out);
                        }
                    }
                    // The connection stands whatever is wrong with its first packet.
                    FirstPacket::WithMessages => drop(self.receive_from_peer(now, place, data)),
                }
            }
        }
    }
}

impl<G: GameLogic> Machine for Server<G> {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.advance_clock(now);
        // Who leaves is announced to the others, whose connections may be due for it once more;
        // every further round somebody has left.
        for _ in 0..=self.room.peers.len() {
            if !self.room.peers.iter().flatten().any(|peer| peer.is_due(now)) {
                break;
            }
            self.handle_peer_timeouts(now);
        }
        self.room.play(now, &mut self.game, &mut self.out);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let tick = Wake { at: self.room.next_tick(), reason: "tick" };
        let links = self.room.peers.iter().flatten().filter_map(|peer| peer.poll_timeout());
        links.chain([tick]).min_by_key(|wake| wake.at)
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.room.next_event()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        let now = self.advance_clock(now);
        let Some(place) = self.room.slot(from) else {
            let admission = self.gate.receive(now, from, data, &mut self.out)?;
            self.on_accept(now, from, data, admission);
            return Ok(());
        };
        let known = self.receive_from_peer(now, place, data);
        if matches!(known, Ok(LinkOutcome::All)) {
            return Ok(());
        }
        let Some(peer) = self.room.peers.get(place).and_then(Option::as_deref) else { return Ok(()) };
        // Not of this connection: it may be a question, or begin one that takes its place.
        match self.gate.receive_from_peer(now, &peer.link, data, &mut self.out) {
            Ok(admission) => self.on_accept(now, from, data, admission),
            // The connection has taken it all the same: its acknowledgement counts.
            Err(_) if known.is_ok() => {}
            Err(rejected) => return Err(rejected),
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.advance_clock(now);
        self.out.pop(buffer).map(|to| Transmit { to })
    }
}
