use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::session::codec::{Definition, PacketBuf};
use gamewire_machine::{Instant, Role};
use thiserror::Error;

use crate::freeciv::{FreecivBridge, FreecivConfig};
use crate::replay::RecordedConversation;
use crate::replay::steps::Step;
use crate::{Action, Bridge, MessageHook};

/// Client packets that a [`Client`](gamewire_freeciv::session::client::Client) sends automatically.
const OWN: [&str; 4] =
    ["PACKET_SERVER_JOIN_REQ", "PACKET_AUTHENTICATION_REPLY", "PACKET_CONN_PONG", "PACKET_CLIENT_HEARTBEAT"];
/// The server's packet at the start of a turn.
pub(super) const BEGIN_TURN: &str = "PACKET_BEGIN_TURN";

/// The reason why a conversation cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordingError {
    /// The conversation does not begin with the login of a client.
    #[error("the recording does not contain the login of a client")]
    NoLogin,
    /// The server did not accept the client.
    #[error("the server did not accept the client")]
    NotAccepted,
}

/// The server has started the next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnStarted;

/// A recorded game of Freeciv: the packets that the client sent after its login.
#[derive(Clone, Debug)]
pub struct FreecivRecording {
    pub(super) name: String,
    pub(super) steps: Vec<Step<PacketBuf, TurnStarted>>,
}

impl FreecivRecording {
    /// Decodes a conversation with a definition. With `None`, the recorded capabilities select one of the built-in
    /// definitions.
    ///
    /// # Errors
    /// [`RecordingError`] if the login is missing, or if the server did not accept the client.
    pub fn new(
        conversation: &RecordedConversation,
        definition: Option<Definition>,
    ) -> Result<Self, RecordingError> {
        let read = Arc::new(Mutex::new(Read::default()));
        let config = FreecivConfig { definition, ..FreecivConfig::default() };
        let mut bridge = FreecivBridge::with_hook(config, Box::new(Hook(Arc::clone(&read))));
        let mut sent = Vec::new();
        for packet in &conversation.packets {
            let at = u64::try_from(packet.at.as_micros()).unwrap_or(u64::MAX);
            read.lock().unwrap_or_else(PoisonError::into_inner).now = packet.at;
            bridge.handle(Instant::from_micros(at), packet.sender, &packet.bytes);
            for side in Role::BOTH {
                // Discard the bridge's output.
                while bridge.poll_transmit(Instant::from_micros(at), side, &mut sent) {}
            }
        }
        let read = core::mem::take(&mut *read.lock().unwrap_or_else(PoisonError::into_inner));
        let name = read.name.ok_or(RecordingError::NoLogin)?;
        if !read.is_accepted {
            return Err(RecordingError::NotAccepted);
        }
        Ok(Self { name, steps: read.steps })
    }

    /// Returns the user name in the recording.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of packets to replay.
    #[must_use]
    pub fn packets(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Send(..))).count()
    }
}

/// The steps decoded so far.
#[derive(Debug, Default)]
struct Read {
    now: Duration,
    name: Option<String>,
    is_accepted: bool,
    steps: Vec<Step<PacketBuf, TurnStarted>>,
}

/// A hook that collects the packets of a bridge.
struct Hook(Arc<Mutex<Read>>);

impl MessageHook<PacketBuf> for Hook {
    fn on_message(&mut self, from: Role, packet: &mut PacketBuf) -> Action {
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = packet.name();
        if from == Role::Client && name == "PACKET_SERVER_JOIN_REQ" {
            read.name.get_or_insert_with(|| packet.text("username"));
        }
        if from == Role::Server && name == "PACKET_SERVER_JOIN_REPLY" {
            read.is_accepted |= packet.value("you_can_join") == Some(Value::Bool(true));
        }
        if from == Role::Server && name == BEGIN_TURN {
            read.steps.push(Step::Await(TurnStarted));
        }
        if from == Role::Client && !OWN.contains(&name) {
            let at = read.now;
            read.steps.push(Step::Send(at, packet.clone()));
        }
        Action::Forward
    }
}
