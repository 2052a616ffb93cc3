use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};

use super::context::{ClientShared, Context, OnlineLink};
use super::stage::{AwaitMap, LoginState};
use super::state::ClientState;
use super::{ClientConfig, CommandError, Event, hearing};
use crate::handshake::{ConnectOutcome, Connecting, SeededRng};
use crate::link::{CloseReason, Link, LinkInput, PacketError, Scratch};
use crate::shared::data::Uuid;

/// A player without a screen, on one server.
///
/// Whatever the server sends, the client neither panics nor grows without bound: what cannot be
/// read is dropped and counted, at most 1024 events wait to be polled (then the oldest that ask
/// for nothing go, which is counted too), and a map has the size that the configuration allows.
#[derive(Debug)]
pub struct Client {
    pub(super) desk: ClientShared,
    pub(super) state: ClientState,
    pub(super) server: SocketAddr,
    entropy: SeededRng,
    scratch: Scratch,
}

impl Client {
    /// A client that begins to connect to `server` at once.
    #[must_use]
    pub fn connect(server: SocketAddr, config: ClientConfig, now: Instant) -> Self {
        let mut entropy = SeededRng::new(config.seed);
        let mut desk = ClientShared::new(config, now);
        let state = ClientState::Connecting(connecting(server, &mut desk, &mut entropy));
        Self { desk, state, server, entropy, scratch: Scratch::new() }
    }

    /// Leaves the server and sends it `reason`. [`Event::Closed`](super::Event::Closed) follows.
    pub fn disconnect(&mut self, reason: &str) {
        self.send_close(reason);
        self.end(CloseReason::Left);
    }

    /// Leaves the server and connects again, to its port `port` if that is given: what
    /// [`Event::Reconnect`](super::Event::Reconnect) and [`Event::Redirect`](super::Event::Redirect) ask for.
    ///
    /// # Errors
    /// [`CommandError::NotConnected`] if the client is closed; it stays closed.
    pub fn reconnect(&mut self, port: Option<u16>) -> Result<(), CommandError> {
        if matches!(self.state, ClientState::Closed) {
            return Err(CommandError::NotConnected);
        }
        self.send_close("");
        if let Some(port) = port {
            self.server.set_port(port);
        }
        self.state = ClientState::Connecting(connecting(self.server, &mut self.desk, &mut self.entropy));
        Ok(())
    }

    /// Does something with the stage of the session, if there is one.
    pub(super) fn with_stage<T>(
        &mut self,
        act: impl FnOnce(&mut LoginState, &mut Context<'_>) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let ClientState::Online(line, stage) = &mut self.state else {
            return Err(CommandError::NotConnected);
        };
        act(stage, &mut Context { desk: &mut self.desk, line })
    }

    fn send_close(&mut self, reason: &str) {
        let said = (!reason.is_empty()).then_some(reason.as_bytes());
        let ClientShared { now, out, counts, .. } = &mut self.desk;
        match &mut self.state {
            ClientState::Connecting(connecting) => connecting.close(said, out),
            ClientState::Online(line, _) => {
                line.flush(*now, out);
                line.link.close(*now, said, out);
                counts.link = *line.link.stats();
            }
            ClientState::Closed => {}
        }
    }

    /// The end. The event comes once, whatever the reasons.
    fn end(&mut self, reason: CloseReason) {
        if let ClientState::Online(line, _) = &self.state {
            self.desk.counts.link = *line.link.stats();
        }
        self.state = ClientState::Closed;
        self.desk.events.push(Event::Closed(reason));
    }

    fn begin_session(&mut self, link: Link) {
        self.desk.events.push(Event::Connected { dialect: link.dialect() });
        let connection_id = Uuid(self.entropy.key());
        let mut line = OnlineLink::new(link);
        let stage = AwaitMap::begin(connection_id, &mut Context { desk: &mut self.desk, line: &mut line });
        self.state = ClientState::Online(line, LoginState::LoggingIn(stage));
    }

    fn handle_online(&mut self, now: Instant, data: &[u8]) -> Result<(), PacketError> {
        let ClientState::Online(line, stage) = &mut self.state else { return Err(PacketError::Closed) };
        let desk = &mut self.desk;
        let received = line.link.receive(now, data, &mut self.scratch, &mut desk.out)?;
        desk.now = now;
        match received {
            LinkInput::Chunks(chunks) => {
                let mut context = Context { desk, line };
                for chunk in chunks {
                    hearing::handle_chunk(chunk, stage, &mut context);
                }
                stage.handle_timeout(&mut context);
                line.request_resend(now);
            }
            LinkInput::KeepAlive => {}
            // Once there is a connection, handshakes mean nothing.
            LinkInput::Control { .. } => {
                desk.counts.unexpected = desk.counts.unexpected.saturating_add(1);
            }
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                self.end(CloseReason::PeerClosed { reason });
            }
        }
        Ok(())
    }
}

fn connecting(server: SocketAddr, desk: &mut ClientShared, entropy: &mut SeededRng) -> Connecting {
    Connecting::new(desk.config.dialect, server, desk.config.link, entropy, desk.now, &mut desk.out)
}

impl Machine for Client {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let desk = &mut self.desk;
        desk.now = desk.now.max(now);
        let ended = match &mut self.state {
            ClientState::Connecting(connecting) => connecting.handle_timeout(desk.now, &mut desk.out),
            ClientState::Online(line, stage) => {
                let ended = line.link.handle_timeout(desk.now, &mut desk.out);
                if ended.is_ok() {
                    stage.handle_timeout(&mut Context { desk, line });
                    // What was said just now may be overdue by the connection's own timer.
                    line.flush(desk.now, &mut desk.out);
                }
                ended
            }
            ClientState::Closed => Ok(()),
        };
        if let Err(reason) = ended {
            self.end(reason);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        match &self.state {
            ClientState::Connecting(connecting) => connecting.poll_timeout(),
            ClientState::Online(line, stage) => {
                let wakes = [line.link.poll_timeout(), stage.poll_timeout(self.desk.now, &self.desk.input)];
                wakes.into_iter().flatten().min_by_key(|wake| wake.at)
            }
            ClientState::Closed => None,
        }
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.desk.events.pop()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        if from != self.server {
            return Err(PacketError::UnknownAddress);
        }
        let desk = &mut self.desk;
        let now = desk.now.max(now);
        let ClientState::Connecting(connecting) = &mut self.state else {
            return self.handle_online(now, data);
        };
        let step = connecting.receive(now, data, &mut desk.out)?;
        desk.now = now;
        match step {
            ConnectOutcome::Waiting => {}
            ConnectOutcome::Online(link) => self.begin_session(link),
            ConnectOutcome::Refused { reason } => self.end(CloseReason::Refused { reason }),
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let desk = &mut self.desk;
        desk.now = desk.now.max(now);
        if let ClientState::Online(line, _) = &mut self.state {
            line.flush(desk.now, &mut desk.out);
        }
        desk.out.pop(buffer).map(|to| Transmit { to })
    }
}
