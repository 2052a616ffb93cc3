use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;

use gamewire_machine::{Instant, StreamId};

use super::config::Settings;
use super::state::{PeerState, Ping, Playing, Request, User};
use super::{ClientId, CloseReason, Event, ServerConfig};
use crate::delta::{DeltaError, Direction, Value};
use crate::frame::FrameSplitter;
use crate::session::codec::{Decoder, Encoder, PacketRef, SessionPacket};
use crate::session::inflate_limiter::InflateLimiter;
use crate::session::packet_queue::{PacketQueue, QueueError};
use crate::session::{PlayerRole, RequestId};

/// The connection of one client. It knows neither the other peers nor the server: its effects are return values.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ClientId,
    pub(super) stream: StreamId,
    pub(super) address: IpAddr,
    settings: Arc<Settings>,
    splitter: FrameSplitter,
    pub(super) decoder: Decoder,
    pub(super) encoder: Encoder,
    pub(super) queue: PacketQueue,
    inflate_limiter: InflateLimiter,
    pub(super) state: PeerState,
    /// The number of the client's next packet.
    next: RequestId,
    /// The request that is being processed.
    pub(super) current: Option<RequestId>,
    /// Whether the application knows of the client.
    pub(super) is_announced: bool,
    /// Whether the stream is in the server's queue of streams to write.
    pub(super) is_ready: bool,
}

/// The event that an action causes, or why it closes the connection.
pub(super) type PeerResult = Result<Option<Event>, CloseReason>;

/// What a packet asks of the server.
#[derive(Debug)]
pub(super) enum PeerInput {
    /// Emit this event, if any.
    Handled(Option<Event>),
    /// Check a join request with this name and this capability string.
    JoinRequest { name: String, capabilities: String },
}

impl Peer {
    pub(super) fn new(
        settings: Arc<Settings>,
        id: ClientId,
        stream: StreamId,
        address: IpAddr,
        now: Instant,
    ) -> Self {
        let config = &settings.config;
        let limits = config.delta_limits;
        Self {
            id,
            stream,
            address,
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

    /// Handles the next packet of `data`; `None` if it holds no further whole packet.
    pub(super) fn receive(
        &mut self,
        now: Instant,
        data: &mut &[u8],
    ) -> Result<Option<PeerInput>, CloseReason> {
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

    /// Starts to process the client's next packet: packets to it are frozen until [`finish`](Self::finish).
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

    /// Starts waiting requests up to the next one that the application must process.
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

    /// Rejects the client. Returns the reason for which its connection closes then.
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

    /// Asks for a password, which ends the current request.
    pub(super) fn ask_password(&mut self, request: i64, message: &str) -> PeerResult {
        let fields = [("type", Value::Int(request)), ("message", message.into())];
        self.send(SessionPacket::AuthenticationRequest, &fields)?;
        self.finish()?;
        Ok(None)
    }

    /// Sends a packet that the server makes itself.
    pub(super) fn send(&mut self, kind: SessionPacket, fields: &[(&str, Value)]) -> Result<(), CloseReason> {
        self.send_with(|encoder, body| encoder.encode_own(kind, fields, body))?;
        Ok(())
    }

    /// Queues the packet that `encode` makes. Returns whether it made one.
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

    /// Returns whether the client has not joined yet.
    pub(super) const fn is_half_open(&self) -> bool {
        self.playing().is_none()
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.queue.waiting().saturating_add(self.splitter.held_bytes())
    }
}

#[cold]
fn unexpected(packet: &PacketRef<'_>) -> CloseReason {
    CloseReason::Unexpected(packet.name().to_owned())
}
