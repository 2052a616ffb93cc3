use gamewire_machine::{Clock, Counter, EventQueue, Instant, StreamId};

use super::state::{Joining, SessionState};
use super::{ClientConfig, CloseReason, Event, Phase, SendError};
use crate::delta::{DeltaError, Direction, Value};
use crate::frame::FrameSplitter;
use crate::session::codec::{Decoder, Encoder, SessionPacket};
use crate::session::inflate_limiter::InflateLimiter;
use crate::session::packet_queue::{PacketQueue, QueueError};
use crate::session::request::{RequestId, Requests};
use crate::session::{Capabilities, PlayerRole};

/// A client that connects to one server.
#[derive(Debug)]
pub struct Client {
    pub(super) input: Input,
    pub(super) session: ClientCore,
    /// The stream to the server, or `None` if it is not open.
    pub(crate) stream: Option<StreamId>,
}

/// The reading half of a client. It passes packets to the session by reference.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) splitter: FrameSplitter,
    pub(super) decoder: Decoder,
    pub(super) inflate_limiter: InflateLimiter,
    /// Bytes of all packets up to now, after inflating.
    pub(super) packet_bytes: Counter,
}

/// The other half of a client: its output, its state and its events.
#[derive(Debug)]
pub(super) struct ClientCore {
    pub(super) config: ClientConfig,
    pub(super) capabilities: Capabilities,
    pub(super) clock: Clock,
    pub(super) state: SessionState,
    pub(super) events: EventQueue<Event>,
    pub(super) encoder: Encoder,
    pub(super) queue: PacketQueue,
    pub(super) requests: Requests,
    /// The last chat line from the server and the time of its arrival.
    pub(super) last_message: Option<(Instant, String)>,
}

impl Client {
    /// Creates a client. It sends its join request once its stream is open.
    ///
    /// # Errors
    /// [`SendError::Capabilities`] or [`SendError::Packet`] if the name, the capabilities or the version do not fit
    /// in the join request.
    pub fn new(config: ClientConfig, now: Instant) -> Result<Self, SendError> {
        let input = Input {
            splitter: FrameSplitter::new(config.frame_limits),
            decoder: Decoder::new(&config.definition, Direction::ToClient, config.delta_limits),
            inflate_limiter: InflateLimiter::new(config.max_inflated_bytes_per_second, now),
            packet_bytes: Counter::default(),
        };
        let mut session = ClientCore {
            capabilities: Capabilities::parse(&config.capabilities)?,
            clock: Clock::new(now),
            state: SessionState::Joining(Joining::new(now + config.login_timeout)),
            events: EventQueue::new(config.event_limits),
            encoder: Encoder::new(&config.definition, Direction::ToServer, config.delta_limits),
            queue: PacketQueue::new(config.compression.unwrap_or_default()),
            requests: Requests::new(),
            last_message: None,
            config,
        };
        session.send_join_request()?;
        Ok(Self { input, session, stream: None })
    }

    /// Returns the phase of the connection, or `None` once it is closed.
    pub const fn phase(&self) -> Option<Phase> {
        self.session.state.phase()
    }

    /// Returns the player that the client plays or observes.
    pub const fn role(&self) -> PlayerRole {
        match &self.session.state {
            SessionState::Playing(playing) => playing.role,
            _ => PlayerRole::DETACHED,
        }
    }

    /// Returns the number of the connection, or `None` before the client has joined.
    pub const fn connection(&self) -> Option<i64> {
        match &self.session.state {
            SessionState::Playing(playing) => Some(playing.connection),
            _ => None,
        }
    }

    /// Returns the number of sent packets that the server has not begun to process.
    pub const fn pending_requests(&self) -> u64 {
        self.session.requests.waiting()
    }

    /// Returns the bytes that all chunks from the server inflated to up to now.
    pub const fn inflated_bytes(&self) -> u64 {
        self.input.splitter.inflated()
    }

    /// Returns the bytes of all packets from the server up to now, after inflating.
    pub const fn packet_bytes(&self) -> u64 {
        self.input.packet_bytes.get()
    }

    /// Returns the configuration.
    pub const fn config(&self) -> &ClientConfig {
        &self.session.config
    }
}

impl ClientCore {
    fn send_join_request(&mut self) -> Result<(), SendError> {
        let number = |number: u32| Value::Int(number.into());
        let [major, minor, patch] = self.config.version.numbers;
        let request = [
            ("username", self.config.name.as_str().into()),
            ("capability", self.config.capabilities.as_str().into()),
            ("version_label", self.config.version.label.as_str().into()),
            ("major_version", number(major)),
            ("minor_version", number(minor)),
            ("patch_version", number(patch)),
        ];
        self.send(SessionPacket::JoinRequest, &request)?;
        Ok(())
    }

    /// Queues the packet that `encode` writes. Returns its number, or `None` if `encode` writes no packet.
    pub(super) fn write(
        &mut self,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<Option<RequestId>, QueueError> {
        let limit = self.config.max_send_queue_bytes;
        let is_written = self.queue.write(limit, |body| encode(&mut self.encoder, body))?;
        Ok(is_written.then(|| self.requests.sent()))
    }

    /// Sends a packet of the session itself.
    pub(super) fn send(&mut self, kind: SessionPacket, fields: &[(&str, Value)]) -> Result<(), QueueError> {
        self.write(|encoder, body| encoder.encode_own(kind, fields, body)).map(drop)
    }

    /// Closes the session and emits its last event. Has no effect on a closed session.
    pub(super) fn close(&mut self, reason: CloseReason) {
        if !matches!(self.state, SessionState::Closed(_)) {
            self.events.close(Event::Closed(reason.clone()));
            self.state = SessionState::Closed(reason);
        }
    }
}
