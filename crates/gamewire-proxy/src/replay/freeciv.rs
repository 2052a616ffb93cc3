//! Replay of the client's side of recorded Freeciv games. The server of `gamewire_freeciv` replays the server's side.

mod recording;

pub use recording::{FreecivRecording, RecordingError};

use gamewire_freeciv::session::client::{Client, ClientConfig, Event, SendError};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_machine::Instant;

use self::recording::{BEGIN_TURN, TurnStarted};
use crate::replay::steps::first_time;
use crate::replay::{PlayerClient, PlayerEvent, PlayerInput, ReplayPlayer};

/// Replays the client's side of a recording to a server. A [`Client`] with a separate login, baselines and pings sends
/// the recorded packets in order. The packets of a turn are sent after the server has started this turn.
pub type FreecivReplayPlayer = ReplayPlayer<Client>;

impl FreecivReplayPlayer {
    /// Connects with `config`. Its user name may be the [recorded one](FreecivRecording::name).
    ///
    /// # Errors
    /// [`SendError`] if the login cannot be sent.
    pub fn connect(
        recording: FreecivRecording,
        config: ClientConfig,
        now: Instant,
    ) -> Result<Self, SendError> {
        let client = Client::new(ClientConfig { packet_events: true, ..config }, now)?;
        let start = first_time(&recording.steps);
        Ok(Self::new(client, recording.steps, start, now))
    }
}

impl PlayerClient for Client {
    type Message = PacketBuf;
    type Awaited = TurnStarted;

    fn convert(&mut self, event: Event) -> Option<PlayerInput<TurnStarted>> {
        Some(PlayerInput::Event(match event {
            Event::Joined(_) => PlayerEvent::Connected { dialect: None },
            Event::Packet(packet) => match packet.name() {
                BEGIN_TURN => return Some(PlayerInput::Arrived(TurnStarted)),
                "PACKET_CHAT_MSG" | "PACKET_CONNECT_MSG" => {
                    PlayerEvent::Chat { text: packet.text("message") }
                }
                _ => return None,
            },
            Event::PasswordRequested { message, .. } => {
                self.close();
                PlayerEvent::Closed { reason: format!("the server asks for a password: {message}") }
            }
            Event::Missed { count } => PlayerEvent::Missed { count },
            Event::Closed(reason) => PlayerEvent::Closed { reason: reason.to_string() },
            _ => return None,
        }))
    }

    fn send(&mut self, packet: &PacketBuf) -> bool {
        let names = packet.field_names();
        let fields: Vec<_> = names.into_iter().filter_map(|name| Some((name, packet.value(name)?))).collect();
        // Skip a packet that the server's version does not have, or that equals the previous one.
        let sent = self.send_fields(packet.name(), &fields);
        !matches!(sent, Err(SendError::Full { .. }))
    }

    fn disconnect(&mut self, _: &str) {
        self.close();
    }
}
