use core::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Wake};

use super::core::{Core, DecoderAction};
use super::stage::{Playing, SessionState};
use super::{ClientConfig, CloseReason, Event, Phase, SendError};
use crate::delta::Direction;
use crate::frame::FrameSplitter;
use crate::session::codec::{Decoder, PacketRef};
use crate::session::inflation::InflateLimiter;
use crate::session::{Capabilities, PlayerRole};

/// A client of one server.
#[derive(Debug)]
pub struct Client {
    pub(super) core: Core,
    splitter: FrameSplitter,
    decoder: Decoder,
    inflation: InflateLimiter,
    unpacked: u64,
    /// The stream to the server; `None` before it is open and once it is closed.
    stream: Option<StreamId>,
}

impl Client {
    /// A client that is connected and is about to send its join request.
    ///
    /// # Errors
    /// The request cannot be written: a name, capability list or version that is too long.
    pub fn new(config: ClientConfig, now: Instant) -> Result<Self, SendError> {
        let capabilities = Capabilities::parse(&config.capabilities)?;
        let splitter = FrameSplitter::new(config.frame_limits);
        let decoder = Decoder::new(&config.definition, Direction::ToClient, config.delta_limits);
        let inflation = InflateLimiter::new(config.max_inflated_bytes_per_second, now);
        Ok(Self {
            core: Core::new(config, capabilities, now)?,
            splitter,
            decoder,
            inflation,
            unpacked: 0,
            stream: None,
        })
    }

    /// Bytes arrived, cut anywhere. What happens is told to `receive` at once, with packets lent;
    /// the end of the connection alone is an event to be polled.
    ///
    /// # Errors
    /// The client is closed; its last event says so too.
    pub fn handle_bytes_with(
        &mut self,
        now: Instant,
        data: &[u8],
        mut receive: impl FnMut(Event<PacketRef<'_>>),
    ) -> Result<(), CloseReason> {
        self.core.handle_timeout(now);
        if let SessionState::Closed(closed) = &self.core.stage {
            return Err(closed.reason.clone());
        }
        self.core.on_bytes(now, data.len());
        self.read(now, data, &mut receive).inspect_err(|reason| self.core.close(reason.clone()))
    }

    fn read(
        &mut self,
        now: Instant,
        mut data: &[u8],
        receive: &mut impl FnMut(Event<PacketRef<'_>>),
    ) -> Result<(), CloseReason> {
        let limit = self.core.config.max_inflated_bytes_per_second;
        while let Some(packet) = self.splitter.next(&mut data)? {
            let length = u64::try_from(packet.bytes.len()).unwrap_or(u64::MAX);
            self.unpacked = self.unpacked.saturating_add(length);
            let received = self.decoder.decode(packet.number, packet.body)?;
            receive(Event::Packet(received));
            match self.core.handle_packet(now, &received, receive)? {
                DecoderAction::Nothing => {}
                DecoderAction::Agreed(active) => {
                    let active: Vec<&str> = active.iter().map(String::as_str).collect();
                    self.decoder.set_capabilities(&active);
                }
                DecoderAction::Forget => self.decoder.forget_game_info(),
            }
            if self.inflation.is_exceeded(now, self.splitter.inflated()) {
                return Err(CloseReason::Inflated { limit });
            }
        }
        Ok(())
    }

    /// Answers with a password, if one is asked for.
    ///
    /// # Errors
    /// None is asked for, or it is too long.
    pub fn send_password(&mut self, now: Instant, password: &str) -> Result<(), SendError> {
        match self.core.stage {
            SessionState::Authenticating(_) => match self.core.send_password(now, password) {
                Ok(()) => Ok(()),
                Err(CloseReason::Packet(error)) => Err(SendError::Packet(error)),
                Err(_) => Err(SendError::Full { limit: self.core.config.max_send_queue_bytes }),
            },
            SessionState::Closed(_) => Err(SendError::Closed),
            SessionState::Joining(_) | SessionState::Playing(_) => Err(SendError::NotAsked),
        }
    }

    /// Leaves. There is no word for that on the wire: the driver is to be dropped. What was sent
    /// before is still to be polled.
    pub fn close(&mut self) {
        self.core.close(CloseReason::Left);
    }

    /// Where the connection stands; `None` once it is over.
    #[must_use]
    pub const fn phase(&self) -> Option<Phase> {
        self.core.stage.phase()
    }

    /// Whom the client plays or watches.
    #[must_use]
    pub const fn role(&self) -> PlayerRole {
        match &self.core.stage {
            SessionState::Playing(playing) => playing.role,
            _ => PlayerRole::DETACHED,
        }
    }

    /// The number of the connection, once joined.
    #[must_use]
    pub const fn connection(&self) -> Option<i64> {
        match &self.core.stage {
            SessionState::Playing(Playing { connection, .. }) => Some(*connection),
            _ => None,
        }
    }

    /// How many of the packets sent the server has not begun to deal with.
    #[must_use]
    pub const fn pending_requests(&self) -> u64 {
        self.core.requests.waiting()
    }

    /// How many bytes the server's chunks inflated to so far.
    #[must_use]
    pub const fn inflated_bytes(&self) -> u64 {
        self.splitter.inflated()
    }

    /// How many bytes the server's packets had so far, out of their chunks.
    #[must_use]
    pub const fn packet_bytes(&self) -> u64 {
        self.unpacked
    }

    /// As it was made.
    #[must_use]
    pub const fn config(&self) -> &ClientConfig {
        &self.core.config
    }
}

impl Machine for Client {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.core.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.core.stage.wake()
    }

    fn poll_event(&mut self) -> Option<Event> {
        let event = self.core.events.pop_front();
        if event.is_some() {
            return event;
        }
        match &mut self.core.stage {
            SessionState::Closed(closed) if !closed.is_told => {
                closed.is_told = true;
                Some(Event::Closed(closed.reason.clone()))
            }
            _ => None,
        }
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, _: SocketAddr) {
        self.stream = Some(stream);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        if self.stream != Some(stream) {
            return;
        }
        let mut events = core::mem::take(&mut self.core.events);
        let limit = self.core.config.max_events;
        let mut lost = 0_usize;
        let read = self.handle_bytes_with(now, data, |event| match events.len() {
            waiting if waiting < limit => events.push_back(event.to_owned()),
            _ => lost = lost.saturating_add(1),
        });
        self.core.events = events;
        if read.is_ok() && lost > 0 {
            self.core.close(CloseReason::EventQueue { limit });
        }
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        if self.stream != Some(stream) {
            return;
        }
        self.stream = None;
        if let Some(reason) = self.core.ended(now, self.splitter.pending_bytes() > 0) {
            self.core.close(reason);
        }
    }

    fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let stream = self.stream?;
        if self.core.link.poll(buffer) {
            return Some(StreamOutput::Write(stream));
        }
        if self.phase().is_none() { self.stream.take().map(StreamOutput::Close) } else { None }
    }
}
