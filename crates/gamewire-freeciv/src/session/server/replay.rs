use std::sync::Arc;

use thiserror::Error;

use super::{ClientId, SendError, Server};
use crate::delta::{DeltaError, DeltaLimits, Direction, EncodeOptions, Value};
use crate::frame::{FrameError, FrameLimits, FrameSplitter};
use crate::session::codec::{Decoder, Definition, PacketRef, SessionPacket};
use crate::session::{Capabilities, CapabilityError, PlayerRole};

const BEGIN_TURN: &str = "PACKET_BEGIN_TURN";
/// What ends the news of a new turn.
const THAW_CLIENT: &str = "PACKET_THAW_CLIENT";
/// Ping times of connections that are not here.
const PING_INFO: &str = "PACKET_CONN_PING_INFO";

/// Says to a client what another server once said to another: each packet of a recording is decoded,
/// and encoded again for the client, with its own connection in place of the recorded one.
///
/// What concerns the connection itself is left to the server: joining, pings, and the brackets around
/// requests. The client has to have the capabilities that the recorded one had.
#[derive(Debug)]
pub struct Replay {
    definition: Definition,
    recording: Arc<[u8]>,
    at: usize,
    splitter: FrameSplitter,
    decoder: Decoder,
    /// What the recorded client could do.
    capabilities: Capabilities,
    /// Its connection and role, by the recording.
    connection: Option<i64>,
    role: PlayerRole,
}

/// How far a replay has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayProgress {
    /// A turn has begun; more comes.
    Turn,
    /// Everything was said.
    Over,
}

/// Why a replay cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The recording cannot be taken apart.
    #[error("the recording: {0}")]
    Frame(#[from] FrameError),
    /// A packet of the recording cannot be read.
    #[error("the recording: {0}")]
    Packet(#[from] Box<DeltaError>),
    /// The recorded server's capabilities cannot be read.
    #[error("the recording: {0}")]
    Capabilities(#[from] CapabilityError),
    /// The client cannot be sent to.
    #[error(transparent)]
    Send(#[from] SendError),
}

impl Replay {
    /// A replay of what a server sent, from the first byte on, to a client with these capabilities.
    #[must_use]
    pub fn new(definition: &Definition, recording: impl Into<Arc<[u8]>>, capabilities: Capabilities) -> Self {
        Self {
            definition: definition.clone(),
            recording: recording.into(),
            at: 0,
            splitter: FrameSplitter::new(FrameLimits::DEFAULT),
            decoder: Decoder::new(definition, Direction::ToClient, DeltaLimits::DEFAULT),
            capabilities,
            connection: None,
            role: PlayerRole::DETACHED,
        }
    }

    /// Says everything up to the next turn, or to the end.
    ///
    /// # Errors
    /// The recording is broken, or the client gone.
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

    /// Says everything.
    ///
    /// # Errors
    /// The recording is broken, or the client gone.
    pub fn all(&mut self, server: &mut Server, client: ClientId) -> Result<(), ReplayError> {
        while self.next_turn(server, client)? == ReplayProgress::Turn {}
        Ok(())
    }

    fn play(&mut self, server: &mut Server, client: ClientId) -> Result<ReplayProgress, ReplayError> {
        let mut has_begun = false;
        let recording = Arc::clone(&self.recording);
        let mut data = recording.get(self.at..).unwrap_or_default();
        while let Some(packet) = self.splitter.next(&mut data)? {
            self.at = recording.len().saturating_sub(data.len());
            let received = self.decoder.decode(packet.number, packet.body)?;
            has_begun |= received.name() == BEGIN_TURN;
            let is_end = has_begun && received.name() == THAW_CLIENT;
            match self.definition.kind(packet.number) {
                None if received.name() == PING_INFO => {}
                None => drop(server.forward(client, &received)?),
                Some(SessionPacket::JoinReply) => {
                    self.connection = Some(received.int("conn_id"));
                    let theirs = Capabilities::parse(&received.text("capability"))?;
                    let active = self.capabilities.active(&theirs, &self.definition.protocol().capabilities);
                    self.decoder.set_capabilities(&active);
                }
                Some(SessionPacket::ConnectionInfo) if Some(received.int("id")) == self.connection => {
                    let role = PlayerRole::of(&received, &self.definition);
                    let before = core::mem::replace(&mut self.role, role);
                    if before.forgets_game_for(role) {
                        self.decoder.forget_game_info();
                    }
                    server.set_role(client, role)?;
                }
                Some(SessionPacket::ConnectionInfo) if received.int("id") != i64::from(client.0) => {
                    server.forward(client, &received)?;
                }
                Some(SessionPacket::Chat) => {
                    let is_own = Some(received.int("conn_id")) == self.connection;
                    say(server, client, &received, is_own)?;
                }
                Some(_) => {}
            }
            if is_end {
                return Ok(ReplayProgress::Turn);
            }
        }
        self.at = recording.len();
        Ok(ReplayProgress::Over)
    }
}

/// A line of chat; what the recorded client said, the live one says.
fn say(server: &mut Server, client: ClientId, chat: &PacketRef<'_>, is_own: bool) -> Result<(), SendError> {
    let mut values = chat.values();
    let definition = server.config().definition.protocol().packet(chat.number());
    let place = definition.and_then(|packet| packet.field_index("conn_id"));
    if let Some(place) = place.and_then(|place| values.get_mut(place)).filter(|_| is_own) {
        *place = Value::Int(client.0.into());
    }
    let sending = EncodeOptions { force: false, bits: chat.bits() };
    server.send_values(client, chat.number(), &values, sending).map(drop)
}
