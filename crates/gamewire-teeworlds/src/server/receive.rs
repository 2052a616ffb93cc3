use std::net::SocketAddr;

use super::ServerState;
use super::peer::{PeerContext, PeerEffect};
use super::peer_state::{PeerState, truncated};
use super::{Event, GameLogic, Messages, Server};
use crate::Dialect;
use crate::codec::MessageBuf;
use crate::handshake::{AcceptOutcome, FirstPacket};
use crate::link::{CloseReason, InboundChunk, LinkInput, PacketError};
use crate::model::message::{Audience, ClientId, ClientMessage, ServerMessage};
use crate::shared::pack::Text;
use crate::shared::value::Team;

/// Maximum length of a line of chat in bytes, as in DDNet.
const MAX_CHAT_BYTES: usize = 256;
/// The weapon of a suicide.
const WEAPON_SELF: i32 = -2;

/// The result of handling a datagram in the connection of its sender.
enum LinkOutcome {
    /// The connection has handled the datagram.
    Handled,
    /// A control message that the connection does not handle.
    Control,
}

impl<G: GameLogic> Server<G> {
    /// Handles a datagram of an address without a connection.
    pub(super) fn on_unconnected_datagram(
        &mut self,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), PacketError> {
        let peers = &mut self.state.peers;
        let outcome = self.acceptor.receive(peers.clock.now(), from, data, &mut peers.transmits)?;
        self.on_accept(from, data, outcome);
        Ok(())
    }

    /// Handles a datagram of a client. A datagram that does not belong to the connection can be a server info request
    /// or open another connection.
    pub(super) fn on_peer_datagram(&mut self, slot: usize, data: &[u8]) -> Result<(), PacketError> {
        let received = self.receive_from_peer(slot, data);
        if matches!(received, Ok(LinkOutcome::Handled)) {
            return Ok(());
        }
        let peers = &mut self.state.peers;
        let now = peers.clock.now();
        let Some((link, transmits)) = peers.link_and_transmits(slot) else { return Ok(()) };
        let from = link.peer();
        match self.acceptor.receive_from_peer(now, link, data, transmits) {
            Ok(outcome) => self.on_accept(from, data, outcome),
            // The connection has processed the acknowledgement of the datagram, so the datagram is not rejected.
            Err(_) if received.is_ok() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn receive_from_peer(&mut self, slot: usize, data: &[u8]) -> Result<LinkOutcome, PacketError> {
        let Self { state, scratch, game, .. } = self;
        let now = state.peers.clock.now();
        let received = state.peers.update(slot, |peer| {
            let dialect = peer.link.dialect();
            peer.link.receive(now, data, scratch).map(|input| (dialect, input))
        });
        let (dialect, input) = received.ok_or(PacketError::UnknownAddress)??;
        match input {
            LinkInput::Chunks(chunks) => {
                for chunk in chunks {
                    let Ok(message) = dialect.decode_client_message(chunk.content) else {
                        self.undecodable = self.undecodable.saturating_add(1);
                        continue;
                    };
                    state.on_message(slot, &message, chunk.vital);
                    state.show_message(slot, &message, &chunk, game);
                }
                state.peers.update(slot, |peer| peer.flush_urgent());
            }
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                state.remove(slot, CloseReason::PeerClosed { reason });
            }
            LinkInput::KeepAlive => {}
            LinkInput::Control { .. } => return Ok(LinkOutcome::Control),
        }
        Ok(LinkOutcome::Handled)
    }

    fn on_accept(&mut self, from: SocketAddr, data: &[u8], outcome: AcceptOutcome<'_>) {
        match outcome {
            AcceptOutcome::Answered => {}
            AcceptOutcome::InfoQuery(query) => self.state.reply_info(from, &query),
            AcceptOutcome::Accepted { link, first_packet } => {
                let is_proven = link.dialect() != Dialect::V06 || first_packet != FirstPacket::Handshake;
                let Some(slot) = self.state.accept(link, is_proven) else { return };
                match first_packet {
                    FirstPacket::Handshake => {}
                    FirstPacket::PastInfo => {
                        let ServerState { config, peers, .. } = &mut self.state;
                        peers.update(slot, |peer| {
                            peer.send_map_change(&config.map);
                            peer.flush_urgent();
                        });
                    }
                    // An error in the first packet does not close the connection.
                    FirstPacket::WithMessages => drop(self.receive_from_peer(slot, data)),
                }
            }
        }
    }
}

impl ServerState {
    /// Handles a message of a client.
    fn on_message(&mut self, slot: usize, message: &ClientMessage<'_>, vital: bool) {
        let context = PeerContext { config: &self.config, ticks: self.ticks, now: self.peers.clock.now() };
        let effect = self.peers.update(slot, |peer| (peer.id, peer.on_message(message, vital, &context)));
        let Some((id, effect)) = effect else { return };
        match effect {
            PeerEffect::None => {}
            PeerEffect::Disconnect(reason) => self.disconnect(slot, &reason),
            PeerEffect::Entered => self.on_entered(slot),
            PeerEffect::Changed => self.on_changed(slot),
            PeerEffect::RconCommand(line) => {
                self.events.push(Event::RconCommand { from: id, line: line.into() });
            }
            // The effects below are relayed to all players.
            _ if !self.may_broadcast() => {}
            PeerEffect::Say { audience, text } => self.on_say(id, audience, text),
            PeerEffect::SetTeam(team) => self.on_set_team(id, team),
            PeerEffect::Kill => self.on_kill(id),
            PeerEffect::Emoticon(emoticon) => {
                self.broadcast(&ServerMessage::Emoticon { from: id, emoticon });
            }
        }
    }

    /// Passes a message of a player to the game. Passes it to the application too, if it has no event type.
    fn show_message(
        &mut self,
        slot: usize,
        message: &ClientMessage<'_>,
        chunk: &InboundChunk<'_>,
        game: &mut impl GameLogic,
    ) {
        let Some(peer) = self.peers.get(slot) else { return };
        let (id, dialect) = (peer.id, peer.link.dialect());
        if !matches!(peer.state, PeerState::Playing(_)) || matches!(message, ClientMessage::Input { .. }) {
            return;
        }
        if let ClientMessage::Other(_)
        | ClientMessage::Vote(_)
        | ClientMessage::CallVote { .. }
        | ClientMessage::Spectate(_)
        | ClientMessage::ReadyChange = message
        {
            let message = MessageBuf { dialect, vital: chunk.vital, content: chunk.content.to_vec() };
            self.events.push(Event::Message { from: id, message });
        }
        game.on_message(id, message, &mut Messages { state: self });
    }

    /// Announces new looks to the players of 0.7. In 0.6 they are part of snapshots.
    fn on_changed(&mut self, slot: usize) {
        let Some(peer) = self.peers.get(slot) else { return };
        let PeerState::Playing(playing) = &peer.state else { return };
        let (client, skin) = (peer.id, playing.player.skin.clone());
        self.broadcast(&ServerMessage::SkinChange { client, skin: skin.as_skin() });
    }

    fn on_entered(&mut self, slot: usize) {
        let Some(peer) = self.peers.get(slot) else { return };
        let PeerState::Playing(playing) = &peer.state else { return };
        let (id, name) = (peer.id, playing.player.name.clone());
        self.send_infos(slot);
        self.send_client_infos(id);
        self.broadcast_chat(&[b"'", name.as_bytes(), b"' entered and joined the game"].concat());
        self.send_tune_params_again(slot);
        self.events.push(Event::Entered { id, name });
    }

    fn on_say(&mut self, author: ClientId, audience: Audience, text: Text<'_>) {
        let Some(team) =
            self.peers.playing().find(|(id, _)| *id == author).map(|(_, playing)| playing.player.team)
        else {
            return;
        };
        let line = truncated(text, MAX_CHAT_BYTES);
        let text = line.as_text();
        self.peers.update_all(|peer| {
            let PeerState::Playing(playing) = &peer.state else { return };
            let is_addressed = match audience {
                Audience::All => true,
                Audience::Team => playing.player.team == team,
                Audience::Whisper(to) => to == Some(peer.id) || author == peer.id,
            };
            if is_addressed {
                let dialect = peer.link.dialect();
                let (from, audience) = dialect.addressed(Some(peer.id), Some(author), audience);
                peer.send(&ServerMessage::Chat { from, audience, text });
            }
        });
        self.events.push(Event::Chat { from: author, audience, text: line });
    }

    fn on_set_team(&mut self, client: ClientId, team: Team) {
        let team = if team == Team::SPECTATORS { team } else { Team::RED };
        for (_, playing) in self.peers.playing_mut().filter(|(id, _)| *id == client) {
            playing.player.team = team;
        }
        self.broadcast(&ServerMessage::Team { client, team });
    }

    /// Removes the character of a player. The game creates a new one.
    fn on_kill(&mut self, victim: ClientId) {
        self.world.characters.retain(|character| character.id != victim);
        self.broadcast(&ServerMessage::Kill { killer: Some(victim), victim, weapon: WEAPON_SELF });
    }
}
