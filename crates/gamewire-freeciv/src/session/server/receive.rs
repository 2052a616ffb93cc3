use gamewire_machine::{Instant, StreamId};

use super::peer::{Peer, PeerResult};
use super::state::{PeerState, Request};
use super::{CloseReason, Event, Server};
use crate::session::RequestId;
use crate::session::codec::{PacketRef, SessionPacket};

/// The server's next step after a packet.
#[derive(Debug)]
enum PeerInput {
    /// Emit this event, if there is one.
    Handled(Option<Event>),
    /// Check a join request with this name and this capability string.
    JoinRequest { name: String, capabilities: String },
}

impl Server {
    /// Handles bytes from a client, which can be split at any byte.
    pub(super) fn on_bytes(&mut self, stream: StreamId, mut data: &[u8]) {
        let Some(client) = self.peers.client_of(stream) else { return };
        let now = self.clock.now();
        while let Some(peer) = self.peers.get_mut(client) {
            match peer.receive(now, &mut data) {
                Ok(Some(PeerInput::Handled(None))) => {}
                Ok(Some(PeerInput::Handled(event))) => self.update(client, |_| Ok(event)),
                Ok(Some(PeerInput::JoinRequest { name, capabilities })) => {
                    self.on_join_request(client, name, &capabilities);
                }
                Ok(None) => break,
                Err(reason) => self.close(client, reason),
            }
        }
        self.update(client, |_| Ok(None));
    }
}

impl Peer {
    /// Handles the next packet in `data`. Returns `None` if `data` contains no further whole packet.
    fn receive(&mut self, now: Instant, data: &mut &[u8]) -> Result<Option<PeerInput>, CloseReason> {
        if let Some(limit) = self.inflate_limiter.exceeded(now, self.splitter.inflated()) {
            return Err(CloseReason::Inflated { limit });
        }
        let Some(frame) = self.splitter.next(data)? else { return Ok(None) };
        let packet = self.decoder.decode(frame.number, frame.body)?;
        let kind = self.settings.config.definition.kind(frame.number);
        let handled = match (&mut self.state, kind) {
            (PeerState::Joining { .. }, Some(SessionPacket::JoinRequest)) => {
                let (name, capabilities) = (packet.text("username"), packet.text("capability"));
                self.start()?;
                return Ok(Some(PeerInput::JoinRequest { name, capabilities }));
            }
            (PeerState::Authenticating { .. }, Some(SessionPacket::AuthenticationReply)) => {
                let password = packet.text("password");
                self.on_auth_reply(password)?
            }
            (
                PeerState::Playing(_),
                Some(SessionPacket::JoinRequest | SessionPacket::AuthenticationReply),
            ) => return Err(unexpected(&packet)),
            (PeerState::Playing(playing), kind) => {
                let request = match kind {
                    Some(SessionPacket::Pong) => {
                        playing.ping.on_pong(now);
                        Request::Counted
                    }
                    Some(SessionPacket::Heartbeat) => Request::Counted,
                    _ => Request::Packet(packet.to_owned()),
                };
                let limit = self.settings.config.max_queued_requests;
                if playing.waiting.len() >= limit {
                    return Err(CloseReason::RequestQueue { limit });
                }
                playing.waiting.push_back(request);
                self.start_next_requests()?
            }
            _ => return Err(unexpected(&packet)),
        };
        Ok(Some(PeerInput::Handled(handled)))
    }

    fn on_auth_reply(&mut self, password: String) -> PeerResult {
        let PeerState::Authenticating { user, attempts } = &self.state else { return Ok(None) };
        let (user, attempts) = (user.clone(), *attempts);
        self.state = PeerState::Checking { user, attempts };
        self.start()?;
        Ok(Some(Event::Password { client: self.id, request: attempts.request, password }))
    }

    /// Starts to process the client's next packet. Packets to the client are frozen until [`finish`](Self::finish).
    fn start(&mut self) -> Result<RequestId, CloseReason> {
        let request = self.next;
        self.next = request.next();
        self.current = Some(request);
        self.queue.freeze();
        self.send(SessionPacket::ProcessingStarted, &[])?;
        Ok(request)
    }

    /// Ends the current request, if there is one.
    pub(super) fn finish(&mut self) -> Result<(), CloseReason> {
        if self.current.take().is_some() {
            self.send(SessionPacket::ProcessingFinished, &[])?;
            self.queue.thaw();
        }
        Ok(())
    }

    /// Starts queued requests, up to the first one that the application must process.
    pub(super) fn start_next_requests(&mut self) -> PeerResult {
        while self.current.is_none() {
            let waiting = self.playing_mut().and_then(|playing| playing.waiting.pop_front());
            let Some(waiting) = waiting else { break };
            let request = self.start()?;
            match waiting {
                Request::Counted => self.finish()?,
                Request::Packet(packet) => {
                    return Ok(Some(Event::Packet { client: self.id, request, packet }));
                }
            }
        }
        Ok(None)
    }
}

#[cold]
fn unexpected(packet: &PacketRef<'_>) -> CloseReason {
    CloseReason::Unexpected(packet.name().to_owned())
}
