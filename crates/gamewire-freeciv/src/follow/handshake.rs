//! The packets with which every version begins.

use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};

/// The number of the packet with which a client asks to be let in.
pub(super) const JOIN_REQUEST: u16 = 4;
/// The number of a client's password, the only other packet that it sends before the reply.
pub(super) const PASSWORD: u16 = 7;

/// What can be read before the version is known: the same in all of them.
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

/// The body of a reply that lets a client in, with these capabilities.
pub(super) fn reply(capabilities: &str) -> Vec<u8> {
    let mut body = vec![1, 0];
    body.extend_from_slice(capabilities.as_bytes());
    body.extend([0, 0, 0, 0]);
    body
}

/// The body of a client's request, with these capabilities.
pub(super) fn request(capabilities: &str) -> Vec<u8> {
    let mut body = b"replay\0".to_vec();
    body.extend_from_slice(capabilities.as_bytes());
    body.extend([0; 14]);
    body
}
