use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;

use gamewire_machine::{Instant, StreamId};

use super::config::Settings;
use super::state::{PeerState, Ping, Playing, User};
use super::{ClientId, CloseReason, Event, ServerConfig};
use crate::delta::{DeltaError, Direction, Value};
use crate::frame::FrameSplitter;
use crate::session::codec::{Decoder, Encoder, SessionPacket};
use crate::session::inflate_limiter::InflateLimiter;
use crate::session::packet_queue::{PacketQueue, QueueError};
use crate::session::{PlayerRole, RequestId};

/// The connection of one client. It has no access to the server or other peers: its effects are return values.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ClientId,
    pub(super) stream: StreamId,
    /// The address of the client, or its network, as [`limited_network`](gamewire_machine::limited_network) has it.
    pub(super) network: IpAddr,
    pub(super) settings: Arc<Settings>,
    pub(super) splitter: FrameSplitter,
    pub(super) decoder: Decoder,
    pub(super) encoder: Encoder,
    pub(super) queue: PacketQueue,
    pub(super) inflate_limiter: InflateLimiter,
    pub(super) state: PeerState,
    /// The number of the client's next packet.
    pub(super) next: RequestId,
    /// The request that is being processed.
    pub(super) current: Option<RequestId>,
    /// True if the application has got an event for the client.
    pub(super) is_announced: bool,
    /// True if the stream is in the server's queue of streams to write.
    pub(super) is_ready: bool,
}

/// The event that results from an action, or the reason to close the connection.
pub(super) type PeerResult = Result<Option<Event>, CloseReason>;

impl Peer {
    pub(super) fn new(
        settings: Arc<Settings>,
        id: ClientId,
        stream: StreamId,
        network: IpAddr,
        now: Instant,
    ) -> Self {
        let config = &settings.config;
        let limits = config.delta_limits;
        Self {
            id,
            stream,
            network,
            splitter: FrameSplitter::new(ServerConfig::LOGIN_LIMITS),
            decoder: Decoder::new(&config.definition, Direction::ToServer, limits),
            encoder: Encoder::new(&config.definition, Direction::ToClient, limits),
            queue: PacketQueue::new(config.compression),
            inflate_limiter: InflateLimiter::new(config.max_inflated_bytes_per_second, now),
            state: PeerState::Joining { deadline: now + config.login_timeout },
            settings,
            next: RequestId::FIRST,
            current: None,
            is_announced: false,
            is_ready: false,
        }
    }

    /// Accepts the client.
    pub(super) fn join(&mut self, user: User, now: Instant) -> PeerResult {
        let settings = Arc::clone(&self.settings);
        let Settings { config, capabilities } = &*settings;
        self.send_join_reply(true, &config.welcome, self.id.0.into())?;
        self.splitter.use_wide_types();
        self.splitter.set_limits(config.frame_limits);
        let active = capabilities.active(&user.capabilities, &config.definition.protocol().capabilities);
        self.encoder.set_capabilities(&active);
        self.decoder.set_capabilities(&active);
        let event = Event::Joined {
            client: self.id,
            name: user.name.clone(),
            capabilities: user.capabilities.clone(),
        };
        self.state = PeerState::Playing(Playing {
            user,
            role: PlayerRole::DETACHED,
            is_introduced: false,
            ping: Ping::new(now + config.ping_interval),
            waiting: VecDeque::new(),
        });
        Ok(Some(event))
    }

    /// Rejects the client. Returns the reason to close its connection.
    pub(super) fn refuse(&mut self, message: String) -> PeerResult {
        self.send_join_reply(false, &message, -1)?;
        self.finish()?;
        Err(CloseReason::Refused(message))
    }

    fn send_join_reply(&mut self, accepted: bool, message: &str, id: i64) -> Result<(), CloseReason> {
        let settings = Arc::clone(&self.settings);
        let reply = [
            ("you_can_join", Value::Bool(accepted)),
            ("message", message.into()),
            ("capability", settings.capabilities.as_str().into()),
            ("conn_id", Value::Int(id)),
        ];
        self.send(SessionPacket::JoinReply, &reply)
    }

    /// Requests a password, and ends the current request.
    pub(super) fn ask_password(&mut self, request: i64, message: &str) -> PeerResult {
        let fields = [("type", Value::Int(request)), ("message", message.into())];
        self.send(SessionPacket::AuthenticationRequest, &fields)?;
        self.finish()?;
        Ok(None)
    }

    /// Sends a packet of the server itself.
    pub(super) fn send(&mut self, kind: SessionPacket, fields: &[(&str, Value)]) -> Result<(), CloseReason> {
        self.send_with(|encoder, body| encoder.encode_own(kind, fields, body))?;
        Ok(())
    }

    /// Queues the packet that `encode` writes. Returns whether `encode` wrote one.
    pub(super) fn send_with(
        &mut self,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<bool, QueueError> {
        let limit = self.settings.config.max_send_queue_bytes;
        self.queue.write(limit, |body| encode(&mut self.encoder, body))
    }

    /// Returns the data of a client that has joined.
    pub(super) const fn playing(&self) -> Option<&Playing> {
        match &self.state {
            PeerState::Playing(playing) => Some(playing),
            _ => None,
        }
    }

    pub(super) const fn playing_mut(&mut self) -> Option<&mut Playing> {
        match &mut self.state {
            PeerState::Playing(playing) => Some(playing),
            _ => None,
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.queue.waiting().saturating_add(self.splitter.held_bytes())
    }
}
