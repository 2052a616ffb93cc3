use std::path::Path;
use std::sync::Arc;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::{DeltaLimits, Direction};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::packets::{Decoder, Packet, ServerJoinReply};
use gamewire_freeciv::session::codec::Definition;
use gamewire_machine::Role;
use gamewire_proxy::replay::RecordedConversation;

use crate::exit_status::Failure;
use crate::inspect::is_capture;
use crate::replay::read;

/// The bytes that the recorded server sent.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) definition: Definition,
    pub(super) bytes: Arc<[u8]>,
    pub(super) packets: u64,
    pub(super) turns: u64,
}

impl Recording {
    /// Reads a recording and splits it into packets, so that an invalid file is reported before clients connect.
    /// Without a definition, uses the version that the recorded server names. From a capture, reads the conversation
    /// with this number; without a number, the first conversation of Freeciv in which a client joined.
    pub(super) fn load(
        path: &Path,
        conversation: Option<u64>,
        definition: Option<Definition>,
    ) -> Result<Self, Failure> {
        let (name, bytes) = read(path)?;
        let recording = if is_capture(&bytes) {
            RecordedConversation::load(&bytes, "freeciv", conversation, |conversation| {
                let bytes = conversation.bytes_of(Role::Server);
                if accepts_a_client(&bytes) {
                    Self::of(&name, bytes, definition.clone())
                } else {
                    Err("the server did not accept a client".to_owned())
                }
            })
            .map_err(|error| error.to_string())
        } else {
            Self::of(&name, bytes, definition)
        };
        recording.map_err(|error| Failure::Failed(format!("cannot use {name}: {error}")))
    }

    fn of(name: &str, bytes: Vec<u8>, definition: Option<Definition>) -> Result<Self, String> {
        let version = || join_reply(&bytes).and_then(|reply| version_of(&reply)).unwrap_or_default();
        let definition = definition.unwrap_or_else(|| Definition::of(version()));
        let begin_turn = definition.number("PACKET_BEGIN_TURN");
        let (mut packets, mut turns) = (0_u64, 0_u64);
        let (mut splitter, mut data) = (FrameSplitter::new(FrameLimits::DEFAULT), bytes.as_slice());
        loop {
            match splitter.next(&mut data) {
                Ok(Some(packet)) => {
                    packets = packets.saturating_add(1);
                    turns = turns.saturating_add(u64::from(Some(packet.number) == begin_turn));
                }
                Ok(None) if packets > 0 => break,
                Ok(None) => return Err("it contains no Freeciv packet".to_owned()),
                Err(error) => return Err(format!("it is not a recording of a Freeciv server: {error}")),
            }
        }
        Ok(Self { name: name.to_owned(), definition, bytes: bytes.into(), packets, turns })
    }
}

fn accepts_a_client(bytes: &[u8]) -> bool {
    join_reply(bytes).is_some_and(|reply| reply.you_can_join)
}

/// Returns the version that the server names in its reply to the join.
fn version_of(reply: &ServerJoinReply) -> Option<ProtocolVersion> {
    ProtocolVersion::of_capabilities(&reply.capability.to_str_lossy())
}

/// Returns the server's reply to the join, which is one of the first packets. It has the same number and fields in all
/// versions.
fn join_reply(mut data: &[u8]) -> Option<ServerJoinReply> {
    let reply = Definition::default().number("PACKET_SERVER_JOIN_REPLY");
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    while let Ok(Some(framed)) = splitter.next(&mut data) {
        if Some(framed.number) == reply
            && let Ok(Packet::ServerJoinReply(reply)) = decoder.decode(framed.number, framed.body)
        {
            return Some(reply.clone());
        }
    }
    None
}
