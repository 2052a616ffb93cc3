use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::raw::handshake::{
    AcceptOutcome, Acceptor, AcceptorConfig, ConnectOutcome, Connecting, FirstPacket, SeededRng,
};
use gamewire_teeworlds::raw::link::{
    CloseReason, Link, LinkConfig, LinkInput, Outbox, OverflowPolicy, PacketError, Scratch, SendError,
};

/// A handshake and a connection without a session: sends and receives messages without interpreting them.
pub struct Thin {
    state: State,
    scratch: Scratch,
    out: Outbox,
    events: VecDeque<Event>,
    now: Instant,
    is_dirty: bool,
}

#[allow(clippy::large_enum_variant, reason = "there are few")]
enum State {
    Listening(Acceptor),
    Connecting(Connecting),
    Online(Link),
    Closed,
}

/// An event of a [`Thin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Opened(Dialect),
    Heard { vital: bool, content: Vec<u8> },
    Closed(CloseReason),
}

/// Returns the configuration of a connection that stays open when its send buffer is full. Teeworlds closes the
/// connection then.
pub fn patient(dialect: Dialect) -> LinkConfig {
    LinkConfig { overflow: OverflowPolicy::Refuse, ..LinkConfig::vanilla(dialect) }
}

impl Thin {
    /// Creates a client.
    pub fn caller(
        dialect: Dialect,
        config: LinkConfig,
        to: SocketAddr,
        seed: [u8; 32],
        now: Instant,
    ) -> Self {
        let connecting = Connecting::new(dialect.into(), to, Some(config), &mut SeededRng::new(seed), now);
        Self::new(State::Connecting(connecting), now)
    }

    /// Creates a server that accepts a single connection.
    pub fn listener(config: AcceptorConfig, seed: [u8; 32], now: Instant) -> Self {
        let acceptor = Acceptor::new(config, &mut SeededRng::new(seed));
        Self::new(State::Listening(acceptor), now)
    }

    fn new(state: State, now: Instant) -> Self {
        Self {
            state,
            scratch: Scratch::new(),
            out: Outbox::new(),
            events: VecDeque::new(),
            now,
            is_dirty: false,
        }
    }

    /// Returns the connection, if there is one.
    pub const fn link(&self) -> Option<&Link> {
        match &self.state {
            State::Online(link) => Some(link),
            _ => None,
        }
    }

    /// Sends a message: id and body.
    pub fn say(&mut self, vital: bool, content: &[u8]) -> Result<(), SendError> {
        let State::Online(link) = &mut self.state else { return Err(SendError::Closed) };
        self.is_dirty = true;
        link.advance(self.now);
        link.send(vital, content)
    }

    /// Closes the connection or the handshake.
    pub fn close(&mut self) {
        match &mut self.state {
            State::Connecting(connecting) => connecting.close(None),
            State::Online(link) => {
                link.advance(self.now);
                link.flush();
                link.close(None);
            }
            State::Listening(_) | State::Closed => return,
        }
        self.end(CloseReason::Left);
    }

    fn open(&mut self, link: Link) {
        self.events.push_back(Event::Opened(link.dialect()));
        self.state = State::Online(link);
    }

    fn end(&mut self, reason: CloseReason) {
        self.drain();
        self.state = State::Closed;
        self.events.push_back(Event::Closed(reason));
    }

    /// Takes over the unsent datagrams of the old state.
    fn drain(&mut self) {
        let mut buffer = Vec::new();
        while let Some(Transmit { to }) = match &mut self.state {
            State::Connecting(connecting) => connecting.poll_transmit(&mut buffer),
            State::Online(link) => link.poll_transmit(&mut buffer),
            State::Listening(_) | State::Closed => None,
        } {
            self.out.push(to, &buffer);
        }
    }

    fn receive(&mut self, data: &[u8]) -> Result<(), PacketError> {
        let State::Online(link) = &mut self.state else { return Err(PacketError::Closed) };
        match link.receive(self.now, data, &mut self.scratch)? {
            LinkInput::Chunks(chunks) => self.events.extend(
                chunks.map(|chunk| Event::Heard { vital: chunk.vital, content: chunk.content.to_vec() }),
            ),
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                self.end(CloseReason::PeerClosed { reason });
            }
            LinkInput::KeepAlive | LinkInput::Control { .. } => {}
        }
        Ok(())
    }
}

impl Machine for Thin {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = self.now.max(now);
        let ended = match &mut self.state {
            State::Connecting(connecting) => connecting.handle_timeout(self.now),
            State::Online(link) => link.handle_timeout(self.now),
            State::Listening(_) | State::Closed => Ok(()),
        };
        if let Err(reason) = ended {
            self.end(reason);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        match &self.state {
            State::Connecting(connecting) => connecting.poll_timeout(),
            State::Online(link) => link.poll_timeout(),
            State::Listening(_) | State::Closed => None,
        }
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        self.now = self.now.max(now);
        match &mut self.state {
            State::Listening(acceptor) => {
                if let AcceptOutcome::Accepted { link, first_packet } =
                    acceptor.receive(self.now, from, data, &mut self.out)?
                {
                    self.open(link);
                    if first_packet == FirstPacket::WithMessages {
                        self.receive(data)?;
                    }
                }
            }
            State::Connecting(connecting) => match connecting.receive(self.now, data)? {
                ConnectOutcome::Waiting => {}
                ConnectOutcome::Online(link) => self.open(link),
                ConnectOutcome::OnlineWithMessages(link) => {
                    self.open(link);
                    let _ = self.receive(data);
                }
                ConnectOutcome::Refused { reason } => self.end(CloseReason::Refused { reason }),
            },
            State::Online(link) if link.peer() == from => self.receive(data)?,
            State::Online(_) => return Err(PacketError::UnknownAddress),
            State::Closed => return Err(PacketError::Closed),
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.now = self.now.max(now);
        if let (State::Online(link), true) = (&mut self.state, core::mem::take(&mut self.is_dirty)) {
            link.advance(self.now);
            link.flush();
        }
        self.drain();
        self.out.pop(buffer).map(|to| Transmit { to })
    }
}
