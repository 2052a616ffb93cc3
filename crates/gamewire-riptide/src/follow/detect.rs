use gamewire_machine::Role;

use crate::Format;
use crate::shared::header::Header;
use crate::shared::packet::{Heartbeat, Packet, Welcome};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::{V21, by_format};

/// A guess about a conversation from its first datagram. No packet contains a version, so the guess depends
/// on how the other format would decode the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// Name of the format: [`Version::NAME`](crate::raw::Version::NAME).
    pub version: &'static str,
    /// Sender of the datagram.
    pub sender: Role,
    /// Confidence of the guess.
    pub confidence: Confidence,
}

/// Confidence of a [`Guess`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A connect request: a header of 4 or 8 bits, then any data. One of 16 random datagrams matches, so the guess is
    /// reliable only if the conversation is known to be Riptide, for example by the server's port.
    Weak,
    /// Length, padding and ids match a packet that opens or maintains a connection.
    Strong,
}

/// Ids of the first reliable message: 1, and 2 in the Python port.
const FIRST_IDS: [u16; 2] = [1, 2];

/// Guesses format and sender of the first datagram of a conversation. Returns `None` if it does not match
/// the first datagram of either format.
pub fn detect(datagram: &[u8]) -> Option<Guess> {
    let guess = |format: Format, sender, confidence| {
        Some(Guess { version: by_format!(format, V => V::NAME), sender, confidence })
    };
    let formats = [Format::V21, Format::V20];
    if let Some(format) = formats.into_iter().find(|format| is_welcome(*format, datagram)) {
        return guess(format, Role::Server, Confidence::Strong);
    }
    if let Some(format) = formats.into_iter().find(|format| is_first_heartbeat(*format, datagram)) {
        return guess(format, Role::Client, Confidence::Strong);
    }
    if datagram.len() > V21::MAX_SIZE {
        return None;
    }
    // A server's Pending has these bytes too, but is never the first datagram.
    match (datagram.first()?, decode(Format::V21, datagram, Role::Client)) {
        (0x03, _) => guess(Format::V20, Role::Client, Confidence::Weak),
        (_, Some(Packet::Connect(_))) => guess(Format::V21, Role::Client, Confidence::Weak),
        _ => None,
    }
}

/// Decodes a packet without a trace.
pub(super) fn decode(format: Format, datagram: &[u8], sender: Role) -> Option<Packet<'_>> {
    by_format!(format, V => Packet::decode::<V, _>(datagram, sender, &mut ())).ok()
}

/// Returns whether this is a Welcome of the exact length, with one of the first ids and a valid client id.
fn is_welcome(format: Format, datagram: &[u8]) -> bool {
    matches!(
        decode(format, datagram, Role::Server),
        Some(Packet::Welcome(Welcome { seq_id, client_id: 1.., trailing }))
            if FIRST_IDS.contains(&seq_id) && is_padding(&trailing)
    )
}

/// Returns whether this is a heartbeat of the exact length, from a client without a round-trip time.
fn is_first_heartbeat(format: Format, datagram: &[u8]) -> bool {
    matches!(
        decode(format, datagram, Role::Client),
        Some(Packet::Heartbeat(Heartbeat { rtt: -1, trailing, .. })) if is_padding(&trailing)
    )
}

/// Returns whether there are only padding bits.
pub(super) fn is_padding(trailing: &Payload<'_>) -> bool {
    trailing.bit_len() < 8 && trailing.is_zero()
}

/// Evidence of a packet about its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoleHint {
    /// Only this role sends such packets.
    Certain(Role),
    /// Both roles send such packets, but this role sends the first one.
    Possible(Role),
    /// Both roles send such packets.
    None,
}

/// Returns the evidence of `packet` about its sender.
pub(super) fn role_hint(format: Format, packet: &[u8]) -> RoleHint {
    match (by_format!(format, V => V::packet_header(packet)), packet.len()) {
        (Some(Header::Connect), 1) => RoleHint::Possible(Role::Client),
        (Some(Header::Connect), _) | (Some(Header::Heartbeat), 4..) | (Some(Header::Disconnect), 1) => {
            RoleHint::Certain(Role::Client)
        }
        (
            Some(
                Header::Heartbeat
                | Header::Disconnect
                | Header::Reject
                | Header::ClientConnected
                | Header::ClientDisconnected,
            ),
            _,
        ) => RoleHint::Certain(Role::Server),
        (Some(Header::Welcome), _) => RoleHint::Possible(Role::Server),
        _ => RoleHint::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::V20;

    fn guess(datagram: &[u8]) -> Option<(&'static str, Role, Confidence)> {
        detect(datagram).map(|guess| (guess.version, guess.sender, guess.confidence))
    }

    #[test]
    fn the_first_byte_of_a_connect_request_distinguishes_the_formats() {
        let v20 = Some((V20::NAME, Role::Client, Confidence::Weak));
        let v21 = Some((V21::NAME, Role::Client, Confidence::Weak));
        assert_eq!(guess(&[0x03, 1, 2]), v20);
        assert_eq!(guess(&[0x03]), v20);
        assert_eq!(guess(&[0x02]), v21);
        assert_eq!(guess(&[0x12, 0x30, 0x80, 0x56, 0x96, 0x07]), v21);
    }

    #[test]
    fn packets_of_a_unique_length_are_strong_evidence() {
        let strong = |version, sender| Some((version, sender, Confidence::Strong));
        assert_eq!(guess(&[0x18, 0, 0x10, 0, 0]), strong(V21::NAME, Role::Server));
        assert_eq!(guess(&[0x28, 0, 0x10, 0, 0]), strong(V21::NAME, Role::Server));
        assert_eq!(guess(&[0x08, 1, 0, 1, 0]), strong(V20::NAME, Role::Server));
        assert_eq!(guess(&[0x04, 0xf0, 0xff, 0x0f]), strong(V21::NAME, Role::Client));
        assert_eq!(guess(&[0x05, 1, 0xff, 0xff]), strong(V20::NAME, Role::Client));
    }

    #[test]
    fn later_packets_and_other_protocols_are_not_detected() {
        assert_eq!(guess(&[]), None);
        assert_eq!(guess(&[0x18, 0, 0x10, 0, 0x10]), None);
        assert_eq!(guess(&[0x23, 0x00]), None);
        // The first datagrams of other protocols.
        assert_eq!(guess(&[0x10, 0, 0, 1]), None);
        assert_eq!(guess(&[0x04, 0, 0, 0xff, 0xff, 0xff, 0xff, 5]), None);
        assert_eq!(guess(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie3"), None);
    }
}
