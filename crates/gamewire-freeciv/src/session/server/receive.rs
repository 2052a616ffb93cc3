use std::collections::VecDeque;

use gamewire_machine::StreamId;

use super::peer::Peer;
use super::stage::{PeerState, Request};
use super::{CloseReason, Event, Server};
use crate::session::codec::SessionPacket;

impl Server {
    /// Takes a client's bytes apart and does what its packets ask for.
    pub(super) fn read(&mut self, stream: StreamId, mut data: &[u8]) -> Result<(), CloseReason> {
        loop {
            let Some(peer) = self.peers.get_mut(&stream) else { return Ok(()) };
            if matches!(peer.stage, PeerState::Closed) {
                return Ok(());
            }
            let limit = self.config.inflated_per_second;
            if peer.inflation.is_exceeded(self.now, peer.splitter.inflated()) {
                return Err(CloseReason::Inflated { limit });
            }
            let Some(packet) = peer.splitter.next(&mut data)? else { return Ok(()) };
            let received = peer.decoder.decode(packet.number, packet.body)?;
            let (kind, owned) = (self.config.definition.kind(packet.number), received.to_owned());
            match (&mut peer.stage, kind) {
                (PeerState::Joining { .. }, Some(SessionPacket::JoinRequest)) => {
                    self.on_join_request(stream, &owned)?
                }
                (PeerState::Authenticating { .. }, Some(SessionPacket::AuthenticationReply)) => {
                    self.with(stream, |peer, events| peer.on_auth_reply(&owned, events));
                }
                (PeerState::Playing(playing), kind) => {
                    let request = match kind {
                        Some(SessionPacket::JoinRequest | SessionPacket::AuthenticationReply) => {
                            return Err(CloseReason::Unexpected(owned.name().to_owned()));
                        }
                        Some(SessionPacket::Pong) => {
                            playing.ping.took = playing.ping.since.take().map(|since| self.now.since(since));
                            Request::Counted
                        }
                        Some(SessionPacket::Heartbeat) => Request::Counted,
                        _ => Request::Packet(owned),
                    };
                    let limit = self.config.max_queued_requests;
                    if playing.waiting.len() >= limit {
                        return Err(CloseReason::RequestQueue { limit });
                    }
                    playing.waiting.push_back(request);
                    peer.start_next_requests(&mut self.events)?;
                }
                _ => return Err(CloseReason::Unexpected(owned.name().to_owned())),
            }
        }
    }
}

impl Peer {
    /// Begins with requests that wait, up to the next one that the application is to deal with.
    pub(super) fn start_next_requests(&mut self, events: &mut VecDeque<Event>) -> Result<(), CloseReason> {
        while self.current.is_none() {
            let Some(request) = self.playing_mut().and_then(|playing| playing.waiting.pop_front()) else {
                return Ok(());
            };
            let id = self.start()?;
            match request {
                Request::Counted => self.finish()?,
                Request::Packet(packet) => {
                    events.push_back(Event::Packet { client: self.id, request: id, packet });
                }
            }
        }
        Ok(())
    }
}
