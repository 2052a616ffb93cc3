use std::sync::Arc;

use thiserror::Error;

use super::{ClientId, SendError, Server};
use crate::delta::{DeltaError, DeltaLimits, Direction, EncodeOptions, Value};
use crate::frame::{FrameError, FrameLimits, FrameSplitter};
use crate::session::codec::{Decoder, Definition, PacketRef, SessionPacket};
use crate::session::{Capabilities, CapabilityError, PlayerRole};

const BEGIN_TURN: &str = "PACKET_BEGIN_TURN";
/// The last packet at the start of a turn.
const THAW_CLIENT: &str = "PACKET_THAW_CLIENT";
/// Ping times of connections that the live server does not have.
const PING_INFO: &str = "PACKET_CONN_PING_INFO";

/// A replay of a recorded server to a client of the live server. Each packet is decoded, and encoded again with the
/// client's connection number in place of the recorded one.
///
/// Packets about the connection itself are omitted, because the live server sends its own: joining, pings, and
/// PROCESSING_STARTED and PROCESSING_FINISHED. The client must have the capabilities of the recorded client.
#[derive(Debug)]
pub struct Replay {
    definition: Definition,
    recording: Arc<[u8]>,
    /// Number of replayed bytes of the recording.
    offset: usize,
    splitter: FrameSplitter,
    decoder: Decoder,
    /// Capabilities of the recorded client.
    capabilities: Capabilities,
    /// Connection number of the recorded client.
    connection: Option<i64>,
    role: PlayerRole,
}

/// Progress of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayProgress {
    /// A turn has started, and more packets follow.
    Turn,
    /// All packets were sent.
    Finished,
}

/// The error for a replay that failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The recording cannot be split into packets.
    #[error("invalid recording: {0}")]
    Frame(#[from] FrameError),
    /// A packet of the recording cannot be decoded.
    #[error("invalid recording: {0}")]
    Packet(#[from] Box<DeltaError>),
    /// The recorded server's capability string is too long.
    #[error("invalid recording: {0}")]
    Capabilities(#[from] CapabilityError),
    /// A packet cannot be sent to the client.
    #[error(transparent)]
    Send(#[from] SendError),
}

impl Replay {
    /// Creates a replay of `recording`, which contains all bytes that a server sent from the start of the connection.
    /// `capabilities` are the capabilities of the client that it sent them to.
    pub fn new(definition: &Definition, recording: impl Into<Arc<[u8]>>, capabilities: Capabilities) -> Self {
        Self {
            definition: definition.clone(),
            recording: recording.into(),
            offset: 0,
            splitter: FrameSplitter::new(FrameLimits::DEFAULT),
            decoder: Decoder::new(definition, Direction::ToClient, DeltaLimits::DEFAULT),
            capabilities,
            connection: None,
            role: PlayerRole::DETACHED,
        }
    }

    /// Sends all packets up to the next turn, or to the end.
    ///
    /// # Errors
    /// [`ReplayError`] if the recording is invalid or the client is disconnected. All earlier packets were sent.
    pub fn next_turn(
        &mut self,
        server: &mut Server,
        client: ClientId,
    ) -> Result<ReplayProgress, ReplayError> {
        server.freeze(client)?;
        let played = self.play(server, client);
        server.thaw(client)?;
        played
    }

    /// Sends all packets.
    ///
    /// # Errors
    /// [`ReplayError`] in the cases of [`next_turn`](Self::next_turn).
    pub fn all(&mut self, server: &mut Server, client: ClientId) -> Result<(), ReplayError> {
        while self.next_turn(server, client)? == ReplayProgress::Turn {}
        Ok(())
    }

    fn play(&mut self, server: &mut Server, client: ClientId) -> Result<ReplayProgress, ReplayError> {
        let mut has_begun = false;
        let recording = Arc::clone(&self.recording);
        let mut data = recording.get(self.offset..).unwrap_or_default();
        while let Some(frame) = self.splitter.next(&mut data)? {
            self.offset = recording.len().saturating_sub(data.len());
            let packet = self.decoder.decode(frame.number, frame.body)?;
            has_begun |= packet.name() == BEGIN_TURN;
            let is_end = has_begun && packet.name() == THAW_CLIENT;
            match self.definition.kind(frame.number) {
                None if packet.name() == PING_INFO => {}
                None => drop(server.forward(client, &packet)?),
                Some(SessionPacket::JoinReply) => {
                    self.connection = Some(packet.int("conn_id"));
                    let theirs = Capabilities::parse(&packet.text("capability"))?;
                    let active = self.capabilities.active(&theirs, &self.definition.protocol().capabilities);
                    self.decoder.set_capabilities(&active);
                }
                Some(SessionPacket::ConnectionInfo) if Some(packet.int("id")) == self.connection => {
                    let role = PlayerRole::from_conn_info(&packet, self.definition.no_player());
                    let before = core::mem::replace(&mut self.role, role);
                    if before.forgets_game_for(role) {
                        self.decoder.forget_game_info();
                    }
                    server.set_role(client, role)?;
                }
                Some(SessionPacket::ConnectionInfo) if packet.int("id") != i64::from(client.0) => {
                    server.forward(client, &packet)?;
                }
                Some(SessionPacket::Chat) => {
                    let is_own = Some(packet.int("conn_id")) == self.connection;
                    send_chat(server, client, &packet, is_own)?;
                }
                Some(_) => {}
            }
            if is_end {
                return Ok(ReplayProgress::Turn);
            }
        }
        self.offset = recording.len();
        Ok(ReplayProgress::Finished)
    }
}

/// Sends a chat line. A line from the recorded client becomes a line from the live client.
fn send_chat(
    server: &mut Server,
    client: ClientId,
    chat: &PacketRef<'_>,
    is_own: bool,
) -> Result<(), SendError> {
    let mut values = chat.values();
    let definition = server.config().definition.protocol().packet(chat.number());
    let index = definition.and_then(|packet| packet.field_index("conn_id"));
    if let Some(value) = index.and_then(|index| values.get_mut(index)).filter(|_| is_own) {
        *value = Value::Int(client.0.into());
    }
    let options = EncodeOptions { force: false, bits: chat.bits() };
    server.send_values(client, chat.number(), &values, options).map(drop)
}
