//! The packets of the handshake, which all versions share.

use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};

/// Number of SERVER_JOIN_REQ.
pub(super) const JOIN_REQUEST: u16 = 4;
/// Number of AUTHENTICATION_REPLY, the only other packet that a client sends before the join reply.
pub(super) const PASSWORD: u16 = 7;

/// Returns the packets that can be decoded before the version is known.
pub(super) fn protocol() -> Protocol {
    let text = |name: &str, size| Field::new(name, WireType::String { size });
    let number = |name: &str| Field::new(name, WireType::Uint32);
    let request = Packet::new("PACKET_SERVER_JOIN_REQ", JOIN_REQUEST, Directions::TO_SERVER)
        .no_delta()
        .field(text("username", 48))
        .field(text("capability", 512))
        .field(text("version_label", 48))
        .field(number("major_version"))
        .field(number("minor_version"))
        .field(number("patch_version"));
    let reply = Packet::new("PACKET_SERVER_JOIN_REPLY", crate::frame::JOIN_REPLY, Directions::TO_CLIENT)
        .no_delta()
        .field(Field::new("you_can_join", WireType::Bool8))
        .field(text("message", 1536))
        .field(text("capability", 512))
        .field(text("challenge_file", 4095))
        .field(Field::new("conn_id", WireType::Sint16));
    let started = Packet::new("PACKET_PROCESSING_STARTED", 0, Directions::TO_CLIENT);
    let finished = Packet::new("PACKET_PROCESSING_FINISHED", 1, Directions::TO_CLIENT);
    Protocol::new("", vec![started, finished, request, reply])
}

/// Returns the body of an accepting reply with these capabilities.
pub(super) fn reply(capabilities: &str) -> Vec<u8> {
    let mut body = vec![1, 0];
    body.extend_from_slice(capabilities.as_bytes());
    body.extend([0, 0, 0, 0]);
    body
}

/// Returns the body of a join request with these capabilities.
pub(super) fn request(capabilities: &str) -> Vec<u8> {
    let mut body = b"replay\0".to_vec();
    body.extend_from_slice(capabilities.as_bytes());
    body.extend([0; 14]);
    body
}
