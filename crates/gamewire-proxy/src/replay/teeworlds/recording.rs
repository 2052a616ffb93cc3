use core::time::Duration;

use gamewire_machine::Role;
use gamewire_teeworlds::model::message::MapChunking;
use gamewire_teeworlds::model::{ClientMessage, ServerMessage};
use gamewire_teeworlds::raw::link::PassiveReceiver;
use gamewire_teeworlds::raw::version::SnapshotMessage;
use gamewire_teeworlds::{Dialect, MessageBuf};
use thiserror::Error;

use crate::replay::RecordedConversation;
use crate::replay::steps::Step;

/// The control message that closes a connection. Its id is the same in all dialects.
const CLOSE: u8 = 4;

/// A recorded game: the messages that each side sent, and the messages that each side waited for.
#[derive(Clone, Debug)]
pub struct TeeworldsRecording {
    pub(super) dialect: Dialect,
    pub(super) steps: Vec<Step<MessageBuf, Awaited>>,
    pub(super) player: Vec<Step<PlayerMessage, Answer>>,
    pub(super) map: RecordedMap,
}

/// The map of a recording.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordedMap {
    pub(super) name: String,
    /// CRC-32 of the map file.
    pub(super) crc: u32,
    /// The bytes of the map file that the server sent.
    pub(super) bytes: Vec<u8>,
    /// Size of a chunk in bytes.
    pub(super) chunk: usize,
    /// Number of chunks per request (0.7).
    pub(super) per_request: usize,
    pub(super) is_complete: bool,
}

/// A message of the recorded player.
#[derive(Clone, Debug)]
pub struct PlayerMessage {
    /// The tick of the last snapshot before the message.
    pub(super) tick: i32,
    pub(super) message: MessageBuf,
}

/// The login messages that a server waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    Info,
    Ready,
    StartInfo,
    EnterGame,
}

impl Awaited {
    pub(super) const fn of(message: &ClientMessage<'_>) -> Option<Self> {
        Some(match message {
            ClientMessage::Info { .. } => Self::Info,
            ClientMessage::Ready => Self::Ready,
            ClientMessage::StartInfo(_) => Self::StartInfo,
            ClientMessage::EnterGame => Self::EnterGame,
            _ => return None,
        })
    }
}

/// The login messages that a client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `MAP_CHANGE`.
    MapChange,
    /// `CON_READY`.
    ConReady,
    /// `READY_TO_ENTER` of 0.7.
    ReadyToEnter,
}

impl Answer {
    pub(super) const fn of(message: &ServerMessage<'_>) -> Option<Self> {
        Some(match message {
            ServerMessage::MapChange { .. } => Self::MapChange,
            ServerMessage::ConReady => Self::ConReady,
            ServerMessage::ReadyToEnter => Self::ReadyToEnter,
            _ => return None,
        })
    }
}

/// The reason why a conversation cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordingError {
    /// The dialect is unknown.
    #[error("the dialect of the conversation is not known")]
    Dialect,
    /// The conversation does not begin with a login.
    #[error("the conversation does not begin with a player who joins; record it from the start")]
    Login,
}

impl TeeworldsRecording {
    /// Extracts the messages of the first connection of a conversation with a login.
    ///
    /// # Errors
    /// [`RecordingError`] if the dialect is unknown, or if the conversation does not contain a login.
    pub fn new(conversation: &RecordedConversation) -> Result<Self, RecordingError> {
        let dialects = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
        let named = |dialect: &Dialect| Some(dialect.name()) == conversation.dialect;
        let dialect = dialects.into_iter().find(named).ok_or(RecordingError::Dialect)?;
        let empty = || Self { dialect, steps: Vec::new(), player: Vec::new(), map: RecordedMap::default() };
        let mut recording = empty();
        let mut tick = 0;
        let (mut client, mut server) = (PassiveReceiver::new(dialect), PassiveReceiver::new(dialect));
        for packet in &conversation.packets {
            let receiver = if packet.sender == Role::Client { &mut client } else { &mut server };
            if receiver.control_id(&packet.bytes) == Some(CLOSE) {
                if recording.has_login() {
                    break;
                }
                // The login failed. The client may try again on the same socket.
                recording = empty();
            }
            // Skip damaged datagrams and datagrams outside of the connection.
            for message in receiver.receive(&packet.bytes).unwrap_or_default() {
                match packet.sender {
                    Role::Client => recording.on_client(packet.at, tick, message),
                    Role::Server => {
                        tick = tick_of(&message).unwrap_or(tick);
                        recording.on_server(packet.at, message);
                    }
                }
            }
        }
        if recording.has_login() { Ok(recording) } else { Err(RecordingError::Login) }
    }

    /// Replaces the map with the bytes of a map file. This is needed if the recorded player did not download the map.
    #[must_use]
    pub fn with_map(mut self, bytes: Vec<u8>) -> Self {
        (self.map.bytes, self.map.is_complete) = (bytes, true);
        self
    }

    /// Returns the recorded dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the name of the first map.
    #[must_use]
    pub fn map_name(&self) -> &str {
        &self.map.name
    }

    /// Returns the number of messages from the server.
    #[must_use]
    pub fn messages(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Send(..))).count()
    }

    /// Returns the time of the server's last message.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let last = self.steps.iter().rev().find_map(|step| match step {
            Step::Send(at, _) => Some(*at),
            Step::Await(_) => None,
        });
        last.unwrap_or_default()
    }

    fn has_login(&self) -> bool {
        let login = [Awaited::Info, Awaited::Ready, Awaited::StartInfo, Awaited::EnterGame];
        login.into_iter().all(|awaited| self.awaits(awaited))
    }

    fn awaits(&self, awaited: Awaited) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Await(known) if *known == awaited))
    }

    fn on_client(&mut self, at: Duration, tick: i32, message: MessageBuf) {
        let Ok(decoded) = self.dialect.decode_client_message(&message.content) else { return };
        if let Some(awaited) = Awaited::of(&decoded) {
            self.steps.push(Step::Await(awaited));
        }
        // Skip answers to messages of the recorded server, because the new server sends different ones.
        let is_own = !matches!(
            decoded,
            ClientMessage::RequestMapData { .. } | ClientMessage::PingReply | ClientMessage::PongEx(_)
        );
        if is_own {
            self.player.push(Step::Send(at, PlayerMessage { tick, message }));
        }
    }

    fn on_server(&mut self, at: Duration, message: MessageBuf) {
        let decoded = self.dialect.decode_server_message(&message.content);
        let answer = decoded.as_ref().ok().and_then(Answer::of);
        let is_placeholder = |map: &RecordedMap| answer == Some(Answer::MapChange) && !map.name.is_empty();
        if is_placeholder(&self.map) && !self.awaits(Awaited::StartInfo) {
            // The previous map was part of the handshake with a client without tokens. Keep only the client's INFO,
            // which may follow this map.
            self.steps = vec![Step::Await(Awaited::Info)];
            self.player.retain(|step| matches!(step, Step::Send(..)));
            self.player.truncate(1);
        }
        self.player.extend(answer.map(Step::Await));
        match decoded {
            // Skip answers to messages of the recorded player, because the new client sends different ones.
            Ok(ServerMessage::InputTiming { .. } | ServerMessage::PingReply | ServerMessage::PongEx(_)) => {
                return;
            }
            Ok(ServerMessage::MapData { .. }) if self.awaits(Awaited::StartInfo) => return,
            Ok(ServerMessage::MapData { info, data }) => {
                let is_next =
                    info.is_none_or(|info| usize::try_from(info.piece).ok() == Some(self.map.next_piece()));
                if is_next {
                    self.map.add(data, info.is_some_and(|info| info.is_last));
                }
                return;
            }
            Ok(ServerMessage::MapChange { map, chunking }) if !self.awaits(Awaited::StartInfo) => {
                self.map = RecordedMap::new(map.name.to_string(), map.crc, chunking);
            }
            _ => {}
        }
        self.steps.push(Step::Send(at, message));
    }
}

/// Returns the tick of a snapshot message.
fn tick_of(message: &MessageBuf) -> Option<i32> {
    let decoded = message.dialect.decode_server_message(&message.content).ok()?;
    let ServerMessage::Snapshot(snapshot) = decoded else { return None };
    Some(match snapshot {
        SnapshotMessage::Empty(message) => message.tick,
        SnapshotMessage::Single(message) => message.tick,
        SnapshotMessage::Part(message) => message.tick,
    })
}

impl RecordedMap {
    fn new(name: String, crc: u32, chunking: Option<MapChunking>) -> Self {
        let number = |number: i32| usize::try_from(number).unwrap_or(0).clamp(1, 1_400);
        let chunk = chunking.map_or(0, |chunking| number(chunking.size));
        let per_request = chunking.map_or(1, |chunking| number(chunking.per_request).min(64));
        Self { name, crc, chunk, per_request, ..Self::default() }
    }

    /// Returns the number of received chunks.
    const fn next_piece(&self) -> usize {
        match self.bytes.len().checked_div(self.chunk) {
            Some(pieces) => pieces,
            None => 0,
        }
    }

    fn add(&mut self, data: &[u8], is_last: bool) {
        if self.chunk == 0 {
            self.chunk = data.len();
        }
        self.bytes.extend_from_slice(data);
        self.is_complete |= is_last || data.len() < self.chunk;
    }
}
