//! The packets of the handshake, which all versions share.

use gamewire_schema::ir::{Packet, Protocol};

use crate::frame::JOIN_REPLY;
use crate::v30;

/// Number of SERVER_JOIN_REQ.
pub(super) const JOIN_REQUEST: u16 = 4;
/// Number of AUTHENTICATION_REPLY, the only other packet that a client sends before the join reply.
pub(super) const PASSWORD: u16 = 7;

/// Returns the packets that can be decoded before the version is known: the join, PROCESSING_STARTED and
/// PROCESSING_FINISHED.
pub(super) fn protocol() -> Protocol {
    let is_shared = |packet: &Packet| matches!(packet.number, 0 | 1 | JOIN_REQUEST | JOIN_REPLY);
    Protocol::new("", v30::protocol().packets.into_iter().filter(is_shared).collect())
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
