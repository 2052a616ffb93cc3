use core::convert::Infallible;
use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Transport};
use gamewire_riptide::client::{Client, ClientConfig, Event};
use gamewire_riptide::{Message, MessageSendMode, SendError};

use super::recording::{RiptideRecording, dialect};
use crate::replay::{PlayerClient, PlayerEvent, PlayerInput, ReplayPlayer};

/// Replays the client's side of a recording to a server. A [`Client`] with separate acks and resends sends the
/// recorded messages in order, with the recorded send modes.
pub type RiptideReplayPlayer = ReplayPlayer<Client>;

impl RiptideReplayPlayer {
    /// Connects to a server with the recorded connect data. Over TCP, the driver opens the stream.
    ///
    /// # Errors
    /// [`SendError`] if the connect data does not fit into a packet.
    pub fn connect(
        recording: RiptideRecording,
        transport: Transport,
        server: SocketAddr,
        now: Instant,
    ) -> Result<Self, SendError> {
        let RiptideRecording { format, connect_data, client: steps, .. } = recording;
        let config = ClientConfig { connect_data, ..ClientConfig::new(format) };
        let client = match transport {
            Transport::Udp => Client::connect(&config, server, now)?,
            Transport::Tcp => Client::connect_over_transport(&config, now)?,
        };
        Ok(Self::new(client, steps, Duration::ZERO, now))
    }
}

impl PlayerClient for Client {
    type Message = Message;
    type Awaited = Infallible;

    fn convert(&mut self, event: Event) -> Option<PlayerInput<Infallible>> {
        Some(PlayerInput::Event(match event {
            Event::Connected { .. } => PlayerEvent::Connected { dialect: Some(dialect(self.format())) },
            Event::ConnectionFailed { reason, .. } => PlayerEvent::Closed { reason: reason.to_string() },
            Event::Disconnected { reason, .. } => PlayerEvent::Closed { reason: reason.to_string() },
            _ => return None,
        }))
    }

    fn send(&mut self, message: &Message) -> bool {
        let is_full = matches!(Self::send(self, message), Err(SendError::Full));
        !is_full || message.mode() != MessageSendMode::Reliable
    }

    fn is_delivered(&self) -> bool {
        self.unacked() == 0
    }

    fn disconnect(&mut self, _: &str) {
        Self::disconnect(self);
    }
}
