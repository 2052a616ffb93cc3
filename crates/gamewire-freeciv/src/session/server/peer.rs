use std::net::IpAddr;

use gamewire_machine::Instant;

use super::stage::{PeerState, Playing};
use super::{ClientId, CloseReason, ServerConfig};
use crate::delta::{DeltaError, Direction, Value};
use crate::frame::FrameSplitter;
use crate::session::RequestId;
use crate::session::codec::{Decoder, Encoder, SessionPacket};
use crate::session::inflation::InflateLimiter;
use crate::session::link::PacketQueue;

/// One client's connection.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ClientId,
    pub(super) address: IpAddr,
    pub(super) splitter: FrameSplitter,
    pub(super) decoder: Decoder,
    pub(super) encoder: Encoder,
    pub(super) link: PacketQueue,
    pub(super) inflation: InflateLimiter,
    pub(super) stage: PeerState,
    /// The number of its next packet.
    next: RequestId,
    /// The request that is being dealt with.
    pub(super) current: Option<RequestId>,
    /// Whether the application knows of it.
    pub(super) is_announced: bool,
    /// Whether it stands in the queue of those that have something to do.
    pub(super) is_queued: bool,
    send_queue: usize,
}

impl Peer {
    pub(super) fn new(config: &ServerConfig, id: ClientId, address: IpAddr, now: Instant) -> Self {
        let limits = config.delta_limits;
        Self {
            id,
            address,
            splitter: FrameSplitter::new(ServerConfig::LOGIN_LIMITS),
            decoder: Decoder::new(&config.definition, Direction::ToServer, limits),
            encoder: Encoder::new(&config.definition, Direction::ToClient, limits),
            link: PacketQueue::new(config.compression),
            inflation: InflateLimiter::new(config.inflated_per_second, now),
            stage: PeerState::Joining { deadline: now + config.login_deadline },
            next: RequestId::FIRST,
            current: None,
            is_announced: false,
            is_queued: false,
            send_queue: config.send_queue,
        }
    }

    /// Begins to deal with the next request.
    pub(super) fn start(&mut self) -> Result<RequestId, CloseReason> {
        let request = self.next;
        self.next = request.next();
        self.current = Some(request);
        self.link.freeze();
        self.send(SessionPacket::ProcessingStarted, &[])?;
        Ok(request)
    }

    /// Has dealt with the request at hand, if there is one.
    pub(super) fn finish(&mut self) -> Result<(), CloseReason> {
        if self.current.take().is_some() {
            self.send(SessionPacket::ProcessingFinished, &[])?;
            self.link.thaw();
        }
        Ok(())
    }

    /// Sends a packet that the server knows itself.
    pub(super) fn send(&mut self, kind: SessionPacket, fields: &[(&str, Value)]) -> Result<(), CloseReason> {
        self.send_with(|encoder, out| encoder.encode_own(kind, fields, out)).map(|_| ())
    }

    /// Sends what `encode` writes; whether it wrote anything.
    pub(super) fn send_with(
        &mut self,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<bool, CloseReason> {
        if self.link.waiting() >= self.send_queue {
            return Err(CloseReason::SendQueue { limit: self.send_queue });
        }
        self.link.body.clear();
        let Some(number) = encode(&mut self.encoder, &mut self.link.body)? else { return Ok(false) };
        self.link.write(number)?;
        Ok(true)
    }

    /// Its own, if it was let in.
    pub(super) const fn playing(&self) -> Option<&Playing> {
        match &self.stage {
            PeerState::Playing(playing) => Some(playing),
            _ => None,
        }
    }

    pub(super) const fn playing_mut(&mut self) -> Option<&mut Playing> {
        match &mut self.stage {
            PeerState::Playing(playing) => Some(playing),
            _ => None,
        }
    }

    /// Whether it has still to be let in.
    pub(super) const fn is_half_open(&self) -> bool {
        !matches!(self.stage, PeerState::Playing(_) | PeerState::Closed)
    }
}
