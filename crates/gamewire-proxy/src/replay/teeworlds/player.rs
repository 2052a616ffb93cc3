use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, Machine, Transmit, TransmitQueue, Wake};
use gamewire_teeworlds::model::{ClientMessage, ServerMessage, TextBuf};
use gamewire_teeworlds::raw::handshake::{ConnectOutcome, Connecting, SeededRng};
use gamewire_teeworlds::raw::link::{Link, LinkInput, PacketError, Scratch};
use gamewire_teeworlds::raw::snapshot::{Receiver, SnapshotOutcome};
use gamewire_teeworlds::{Dialect, Offer};

use super::recording::{Answer, PlayerMessage, TeeworldsRecording};
use crate::replay::steps::first_time;
use crate::replay::{PlayerClient, PlayerEvent, PlayerInput, ReplayPlayer};
use crate::teeworlds::{Connection, Outgoing};

/// Replays the client's side of a recording to a server. The ticks of inputs are moved to the server's ticks: each
/// input keeps its recorded distance to the last snapshot.
pub type TeeworldsReplayPlayer = ReplayPlayer<LinkClient>;

impl TeeworldsReplayPlayer {
    /// Connects to a server with the recorded dialect, or with the dialect of `offer`, which must be of the same
    /// version. `seed` is 32 secret random bytes.
    #[must_use]
    pub fn connect(
        recording: TeeworldsRecording,
        server: SocketAddr,
        offer: Option<Offer>,
        seed: [u8; 32],
        now: Instant,
    ) -> Self {
        let TeeworldsRecording { dialect, player: steps, .. } = recording;
        let offer = offer.unwrap_or(Offer::Only(dialect));
        let connecting = Connecting::new(offer, server, None, &mut SeededRng::new(seed), now);
        let client = LinkClient {
            state: State::Connecting(Box::new(connecting)),
            receiver: Receiver::default(),
            out: Outgoing::new(dialect, dialect),
            tick: None,
            transmits: TransmitQueue::new(),
            events: VecDeque::new(),
            scratch: Scratch::new(),
            server,
            clock: Clock::new(now),
        };
        let start = first_time(&steps);
        Self::new(client, steps, start, now)
    }
}

/// A client that sends recorded messages over a [`Link`]. It answers pings and acknowledges snapshots.
#[derive(Debug)]
pub struct LinkClient {
    state: State,
    receiver: Receiver,
    out: Outgoing,
    /// The tick of the server's last snapshot.
    tick: Option<i32>,
    /// The datagrams of an earlier state.
    transmits: TransmitQueue<SocketAddr>,
    /// The events of the last call.
    events: VecDeque<PlayerInput<Answer>>,
    scratch: Scratch,
    server: SocketAddr,
    clock: Clock,
}

#[derive(Debug)]
enum State {
    Connecting(Box<Connecting>),
    Online(Box<Connection>),
    Closed,
}

impl PlayerClient for LinkClient {
    type Message = PlayerMessage;
    type Awaited = Answer;

    fn convert(&mut self, event: PlayerInput<Answer>) -> Option<PlayerInput<Answer>> {
        Some(event)
    }

    /// Queues a message. The connection is closed if too many wait for acknowledgements.
    fn send(&mut self, PlayerMessage { tick, message }: &PlayerMessage) -> bool {
        match message.dialect.decode_client_message(&message.content) {
            Ok(ClientMessage::Input { intended_tick, input, ping_correction, .. }) => {
                let ahead = intended_tick.saturating_sub(*tick);
                let intended_tick = self.tick.unwrap_or_default().saturating_add(ahead);
                let ack_snapshot = self.receiver.ack();
                let input = ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction };
                self.out.server(message.vital, &input);
            }
            _ => self.out.to_server.push(message.vital, &message.content),
        }
        true
    }

    fn is_delivered(&self) -> bool {
        match &self.state {
            State::Online(connection) => connection.is_delivered(),
            State::Connecting(_) | State::Closed => true,
        }
    }

    fn flush(&mut self) {
        let State::Online(connection) = &mut self.state else { return };
        while self.out.to_server.pop_with(|vital, content| connection.send(vital, content)).is_some() {}
        connection.send_waiting();
        if connection.link.is_closed() {
            self.end("nothing more can be sent".to_owned());
        }
    }

    fn disconnect(&mut self, reason: &str) {
        match &mut self.state {
            State::Connecting(connecting) => connecting.close(Some(reason.as_bytes())),
            State::Online(connection) => connection.link.close(Some(reason.as_bytes())),
            State::Closed => return,
        }
        self.end(reason.to_owned());
    }
}

impl LinkClient {
    fn end(&mut self, reason: String) {
        self.replace_state(State::Closed);
        self.events.push_back(PlayerInput::Event(PlayerEvent::Closed { reason }));
    }

    /// Replaces the state, and keeps the datagrams of the old one.
    fn replace_state(&mut self, state: State) {
        let mut buffer = Vec::new();
        while let Some(Transmit { to }) = self.state.poll_transmit(&mut buffer) {
            self.transmits.push(to, &buffer);
        }
        self.state = state;
    }

    fn on_handshake_datagram(&mut self, now: Instant, data: &[u8]) -> Result<(), PacketError> {
        let State::Connecting(connecting) = &mut self.state else { return Err(PacketError::Closed) };
        match connecting.receive(now, data)? {
            ConnectOutcome::Waiting => {}
            ConnectOutcome::Online(link) => self.on_online(link),
            ConnectOutcome::OnlineWithMessages(link) => {
                self.on_online(link);
                // An error in the first packet does not close the connection.
                let _ = self.on_datagram(now, data);
            }
            ConnectOutcome::Refused { reason } => self.end(reason),
        }
        Ok(())
    }

    fn on_online(&mut self, link: Link) {
        let dialect = Some(link.dialect().name());
        self.events.push_back(PlayerInput::Event(PlayerEvent::Connected { dialect }));
        self.replace_state(State::Online(Box::new(Connection::new(link))));
    }

    fn on_datagram(&mut self, now: Instant, data: &[u8]) -> Result<(), PacketError> {
        let Self { state, receiver, out, tick, events, scratch, .. } = self;
        let State::Online(connection) = state else { return Err(PacketError::Closed) };
        let dialect = connection.link.dialect();
        match connection.link.receive(now, data, scratch)? {
            LinkInput::Chunks(chunks) => {
                let mut reader = MessageReader { dialect, receiver, out, tick, events };
                for chunk in chunks {
                    if let Ok(message) = dialect.decode_server_message(chunk.content) {
                        reader.on_message(&message);
                    }
                }
            }
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                self.end(reason);
            }
            LinkInput::KeepAlive | LinkInput::Control { .. } => {}
        }
        Ok(())
    }
}

/// The parts of a client that handle a message.
struct MessageReader<'c> {
    dialect: Dialect,
    receiver: &'c mut Receiver,
    out: &'c mut Outgoing,
    tick: &'c mut Option<i32>,
    events: &'c mut VecDeque<PlayerInput<Answer>>,
}

impl MessageReader<'_> {
    fn on_message(&mut self, message: &ServerMessage<'_>) {
        if let Some(answer) = Answer::of(message) {
            self.events.push_back(PlayerInput::Arrived(answer));
            self.receiver.reset();
        }
        match *message {
            ServerMessage::Snapshot(ref snapshot) => {
                let (fifth_byte, item_sizes) = (self.dialect.fifth_byte(), self.dialect.item_sizes());
                let outcome = self.receiver.receive(snapshot, fifth_byte, item_sizes);
                if let SnapshotOutcome::Complete { tick, .. } = outcome
                    && self.tick.replace(tick).is_none()
                {
                    self.events.push_back(PlayerInput::Event(PlayerEvent::Entered));
                }
            }
            ServerMessage::Ping => self.out.server(false, &ClientMessage::PingReply),
            ServerMessage::PingEx(id) => self.out.server(false, &ClientMessage::PongEx(id)),
            ServerMessage::Chat { text, .. } => {
                let text = TextBuf::from(text).to_string();
                self.events.push_back(PlayerInput::Event(PlayerEvent::Chat { text }));
            }
            _ => {}
        }
    }
}

impl State {
    fn poll_transmit(&mut self, buffer: &mut Vec<u8>) -> Option<Transmit> {
        match self {
            Self::Connecting(connecting) => connecting.poll_transmit(buffer),
            Self::Online(connection) => connection.link.poll_transmit(buffer),
            Self::Closed => None,
        }
    }
}

impl Machine for LinkClient {
    type Event = PlayerInput<Answer>;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        let result = match &mut self.state {
            State::Connecting(connecting) => connecting.handle_timeout(now),
            State::Online(connection) => connection.link.handle_timeout(now),
            State::Closed => Ok(()),
        };
        if let Err(reason) = result {
            self.end(reason.to_string());
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        match &self.state {
            State::Connecting(connecting) => connecting.poll_timeout(),
            State::Online(connection) => connection.link.poll_timeout(),
            State::Closed => None,
        }
    }

    fn poll_event(&mut self) -> Option<PlayerInput<Answer>> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        if from != self.server {
            return Err(PacketError::UnknownAddress);
        }
        let now = self.clock.advance(now);
        match self.state {
            State::Connecting(_) => self.on_handshake_datagram(now, data),
            State::Online(_) => self.on_datagram(now, data),
            State::Closed => Err(PacketError::Closed),
        }
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let earlier = self.transmits.pop(buffer).map(|to| Transmit { to });
        earlier.or_else(|| self.state.poll_transmit(buffer))
    }
}
