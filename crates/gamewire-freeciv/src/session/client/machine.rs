use gamewire_machine::{Instant, Machine, Stream, Wake};

use super::core::{After, Core};
use super::stage::{Playing, Stage};
use super::{ClientConfig, Event, Phase, Reason, SendError};
use crate::delta::Direction;
use crate::frame::FrameSplitter;
use crate::session::codec::{Decoder, Received};
use crate::session::inflation::Inflation;
use crate::session::{Capabilities, Role};

/// A client of one server.
#[derive(Debug)]
pub struct Client {
    pub(super) core: Core,
    splitter: FrameSplitter,
    decoder: Decoder,
    inflation: Inflation,
    unpacked: u64,
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
        let inflation = Inflation::new(config.inflated_per_second, now);
        Ok(Self { core: Core::new(config, capabilities, now)?, splitter, decoder, inflation, unpacked: 0 })
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
        mut receive: impl FnMut(Event<Received<'_>>),
    ) -> Result<(), Reason> {
        self.core.handle_timeout(now);
        if let Stage::Closed(closed) = &self.core.stage {
            return Err(closed.reason.clone());
        }
        self.core.heard(now, data.len());
        self.read(now, data, &mut receive).inspect_err(|reason| self.core.close(reason.clone()))
    }

    fn read(
        &mut self,
        now: Instant,
        mut data: &[u8],
        receive: &mut impl FnMut(Event<Received<'_>>),
    ) -> Result<(), Reason> {
        let limit = self.core.config.inflated_per_second;
        while let Some(packet) = self.splitter.next(&mut data)? {
            let length = u64::try_from(packet.bytes.len()).unwrap_or(u64::MAX);
            self.unpacked = self.unpacked.saturating_add(length);
            let received = self.decoder.decode(packet.number, packet.body)?;
            receive(Event::Packet(received));
            match self.core.hear(now, &received, receive)? {
                After::Nothing => {}
                After::Agreed(active) => {
                    let active: Vec<&str> = active.iter().map(String::as_str).collect();
                    self.decoder.set_capabilities(&active);
                }
                After::Forget => self.decoder.forget_game_info(),
            }
            if self.inflation.is_exceeded(now, self.splitter.inflated()) {
                return Err(Reason::Inflated { limit });
            }
        }
        Ok(())
    }

    /// Answers with a password, if one is asked for.
    ///
    /// # Errors
    /// None is asked for, or it is too long.
    pub fn answer(&mut self, now: Instant, password: &str) -> Result<(), SendError> {
        match self.core.stage {
            Stage::Authenticating(_) => match self.core.answer(now, password) {
                Ok(()) => Ok(()),
                Err(Reason::Packet(error)) => Err(SendError::Packet(error)),
                Err(_) => Err(SendError::Full { limit: self.core.config.send_queue }),
            },
            Stage::Closed(_) => Err(SendError::Over),
            Stage::Joining(_) | Stage::Playing(_) => Err(SendError::NotAsked),
        }
    }

    /// Leaves. There is no word for that on the wire: the driver is to be dropped. What was sent
    /// before is still to be polled.
    pub fn close(&mut self) {
        self.core.close(Reason::Left);
    }

    /// Where the connection stands; `None` once it is over.
    #[must_use]
    pub const fn phase(&self) -> Option<Phase> {
        self.core.stage.phase()
    }

    /// Whom the client plays or watches.
    #[must_use]
    pub const fn role(&self) -> Role {
        match &self.core.stage {
            Stage::Playing(playing) => playing.role,
            _ => Role::DETACHED,
        }
    }

    /// The number of the connection, once joined.
    #[must_use]
    pub const fn connection(&self) -> Option<i64> {
        match &self.core.stage {
            Stage::Playing(Playing { connection, .. }) => Some(*connection),
            _ => None,
        }
    }

    /// How many of the packets sent the server has not begun to deal with.
    #[must_use]
    pub const fn unanswered(&self) -> u64 {
        self.core.requests.waiting()
    }

    /// How many bytes the server's chunks inflated to so far.
    #[must_use]
    pub const fn inflated(&self) -> u64 {
        self.splitter.inflated()
    }

    /// How many bytes the server's packets had so far, out of their chunks.
    #[must_use]
    pub const fn unpacked(&self) -> u64 {
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
            Stage::Closed(closed) if !closed.is_told => {
                closed.is_told = true;
                Some(Event::Closed(closed.reason.clone()))
            }
            _ => None,
        }
    }
}

impl Stream for Client {
    type Error = Reason;

    fn handle_bytes(&mut self, now: Instant, data: &[u8]) -> Result<(), Reason> {
        let mut events = core::mem::take(&mut self.core.events);
        let limit = self.core.config.event_queue;
        let mut lost = 0_usize;
        let read = self.handle_bytes_with(now, data, |event| match events.len() {
            waiting if waiting < limit => events.push_back(event.to_owned()),
            _ => lost = lost.saturating_add(1),
        });
        self.core.events = events;
        read?;
        if lost == 0 {
            return Ok(());
        }
        let reason = Reason::EventQueue { limit };
        self.core.close(reason.clone());
        Err(reason)
    }

    fn handle_eof(&mut self, now: Instant) {
        if let Some(reason) = self.core.ended(now, self.splitter.unfinished() > 0) {
            self.core.close(reason);
        }
    }

    fn poll_write(&mut self, _: Instant, buffer: &mut Vec<u8>) -> bool {
        self.core.link.poll(buffer)
    }
}
