use std::collections::VecDeque;

use gamewire_machine::StreamId;

use super::peer::Peer;
use super::stage::{Request, Stage};
use super::{Event, Reason, Server};
use crate::session::codec::Kind;

impl Server {
    /// Takes a client's bytes apart and does what its packets ask for.
    pub(super) fn read(&mut self, stream: StreamId, mut data: &[u8]) -> Result<(), Reason> {
        loop {
            let Some(peer) = self.peers.get_mut(&stream) else { return Ok(()) };
            if matches!(peer.stage, Stage::Closed) {
                return Ok(());
            }
            let limit = self.config.inflated_per_second;
            if peer.inflation.is_exceeded(self.now, peer.splitter.inflated()) {
                return Err(Reason::Inflated { limit });
            }
            let Some(packet) = peer.splitter.next(&mut data)? else { return Ok(()) };
            let received = peer.decoder.decode(packet.number, packet.body)?;
            let (kind, owned) = (self.config.definition.kind(packet.number), received.to_owned());
            match (&mut peer.stage, kind) {
                (Stage::Joining { .. }, Some(Kind::JoinRequest)) => self.asked_to_join(stream, &owned)?,
                (Stage::Authenticating { .. }, Some(Kind::AuthenticationReply)) => {
                    self.with(stream, |peer, events| peer.hear_password(&owned, events));
                }
                (Stage::Playing(playing), kind) => {
                    let request = match kind {
                        Some(Kind::JoinRequest | Kind::AuthenticationReply) => {
                            return Err(Reason::Unexpected(owned.name().to_owned()));
                        }
                        Some(Kind::Pong) => {
                            playing.ping.took = playing.ping.since.take().map(|since| self.now.since(since));
                            Request::Counted
                        }
                        Some(Kind::Heartbeat) => Request::Counted,
                        _ => Request::Packet(owned),
                    };
                    let limit = self.config.request_queue;
                    if playing.waiting.len() >= limit {
                        return Err(Reason::RequestQueue { limit });
                    }
                    playing.waiting.push_back(request);
                    peer.go_on(&mut self.events)?;
                }
                _ => return Err(Reason::Unexpected(owned.name().to_owned())),
            }
        }
    }
}

impl Peer {
    /// Begins with requests that wait, up to the next one that the application is to deal with.
    pub(super) fn go_on(&mut self, events: &mut VecDeque<Event>) -> Result<(), Reason> {
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
