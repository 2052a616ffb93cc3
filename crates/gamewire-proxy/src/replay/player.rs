use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{
    EventLimits, EventQueue, Instant, LogLine, Machine, StreamId, StreamOutput, Transmit, Wake,
};

use super::steps::{Position, Progress, Step};
use super::{Playback, PlayerEvent, ReplayMachine};

/// A protocol's client that a [`ReplayPlayer`] commands.
pub trait PlayerClient: Machine {
    /// A recorded message of the client.
    type Message;
    /// A message of the recorded server. The client sends its next message only after it.
    type Awaited: PartialEq;

    /// Converts an event of the client. Returns `None` for an event that the replay does not need.
    fn convert(&mut self, event: Self::Event) -> Option<PlayerInput<Self::Awaited>>;

    /// Sends a message. Returns false if the message must be sent again later, because the send queue is full.
    fn send(&mut self, message: &Self::Message) -> bool;

    /// Returns whether the server has acknowledged all messages. A stream needs no acknowledgement.
    fn is_delivered(&self) -> bool {
        true
    }

    /// Sends packets that are only partly filled. The replay calls this after all due messages.
    fn flush(&mut self) {}

    /// Closes the connection.
    fn disconnect(&mut self, reason: &str);
}

/// A converted event of a client.
#[derive(Debug)]
pub enum PlayerInput<A> {
    /// An event of the replay.
    Event(PlayerEvent),
    /// A message of the server that a step may wait for.
    Arrived(A),
}

/// Replays the client's side of a recording to a server, with a client of the protocol.
#[derive(Debug)]
pub struct ReplayPlayer<C: PlayerClient> {
    client: C,
    steps: Vec<Step<C::Message, C::Awaited>>,
    /// The recording time of the connection.
    start: Duration,
    state: PlayerState<C::Awaited>,
    playback: Playback,
    events: EventQueue<PlayerEvent>,
}

#[derive(Debug)]
enum PlayerState<A> {
    Connecting,
    Connected(Position<A>),
    Closed,
}

impl<C: PlayerClient> ReplayPlayer<C> {
    pub(super) fn new(
        client: C,
        steps: Vec<Step<C::Message, C::Awaited>>,
        start: Duration,
        now: Instant,
    ) -> Self {
        let (playback, events) = (Playback::new(now), EventQueue::new(EventLimits::default()));
        Self { client, steps, start, state: PlayerState::Connecting, playback, events }
    }

    /// Handles the client's events, and sends the messages that are due.
    fn pump(&mut self) {
        self.read_events();
        let Self { client, steps, playback, .. } = self;
        let PlayerState::Connected(position) = &mut self.state else { return };
        let is_delivered = client.is_delivered();
        match position.play(steps, playback, is_delivered, |message| client.send(message)) {
            Progress::Waiting => {}
            Progress::Finished => self.events.push(PlayerEvent::Finished),
            Progress::Over => self.close("the recording is over"),
        }
        self.client.flush();
    }

    fn read_events(&mut self) {
        while let Some(event) = self.client.poll_event() {
            match self.client.convert(event) {
                Some(PlayerInput::Event(event)) => self.on_event(event),
                Some(PlayerInput::Arrived(message)) => {
                    if let PlayerState::Connected(position) = &mut self.state {
                        position.arrive(message);
                    }
                }
                None => {}
            }
        }
    }

    fn on_event(&mut self, event: PlayerEvent) {
        match event {
            PlayerEvent::Closed { reason } => self.end(reason),
            PlayerEvent::Missed { count } => self.events.count_missed(count),
            event => {
                if let PlayerEvent::Connected { .. } = event {
                    self.state = PlayerState::Connected(Position::new(&self.playback, self.start));
                }
                self.events.push(event);
            }
        }
    }

    fn end(&mut self, reason: String) {
        self.state = PlayerState::Closed;
        self.events.close(PlayerEvent::Closed { reason });
    }
}

impl<C: PlayerClient> ReplayMachine for ReplayPlayer<C> {
    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
    }

    fn close(&mut self, reason: &str) {
        if !self.is_closed() {
            self.client.disconnect(reason);
            self.end(reason.to_owned());
        }
    }

    fn is_closed(&self) -> bool {
        matches!(self.state, PlayerState::Closed)
    }
}

impl<C: PlayerClient> Machine for ReplayPlayer<C> {
    type Event = PlayerEvent;
    type DatagramError = C::DatagramError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.playback.advance(now);
        self.client.handle_timeout(now);
        self.pump();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let step = match &self.state {
            PlayerState::Connected(position) => position.poll_timeout(&self.steps, &self.playback),
            PlayerState::Connecting | PlayerState::Closed => None,
        };
        Wake::earliest([self.client.poll_timeout(), step])
    }

    fn poll_event(&mut self) -> Option<PlayerEvent> {
        // Sending may have closed the client.
        self.read_events();
        self.events.pop()
    }

    fn log_line(event: &PlayerEvent) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), C::DatagramError> {
        self.client.handle_datagram(now, from, data)?;
        self.playback.advance(now);
        self.pump();
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.client.poll_transmit(now, buffer)
    }

    fn poll_transmits(&mut self, now: Instant, buffer: &mut Vec<u8>, send: impl FnMut(Transmit, &[u8])) {
        self.client.poll_transmits(now, buffer, send);
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.client.handle_open(now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        let now = self.playback.advance(now);
        self.client.handle_bytes(now, stream, data);
        self.pump();
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        let now = self.playback.advance(now);
        self.client.handle_close(now, stream);
        self.pump();
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.client.poll_stream(now, buffer)
    }
}
