use gamewire_machine::Role;

use crate::shared::packet::Packet;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// A guess about a conversation from its first datagram. No packet contains a version, so the guess depends
/// on how the other format would decode the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// Name of the format: [`Version::NAME`] of [`V20`] or [`V21`].
    pub version: &'static str,
    /// Sender of the datagram.
    pub sender: Role,
    /// Confidence of the guess.
    pub confidence: Confidence,
}

/// Confidence of a [`Guess`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A connect request: a header of 4 or 8 bits, then any data. Reliable only if the conversation is known
    /// to be Riptide, as on the port of a server: one of 16 random datagrams matches.
    Weak,
    /// Length, padding and ids match a packet that opens or maintains a connection.
    Strong,
}

/// Ids of the first reliable message: 1, and 2 in the Python port.
const FIRST_IDS: [u16; 2] = [1, 2];

/// Guesses format and sender of the first datagram of a conversation. Returns `None` if it does not match
/// the first datagram of either format.
#[must_use]
pub fn detect(datagram: &[u8]) -> Option<Guess> {
    let strong = |version, sender| Guess { version, sender, confidence: Confidence::Strong };
    let weak = |version| Guess { version, sender: Role::Client, confidence: Confidence::Weak };
    if is_welcome::<V21>(datagram) {
        return Some(strong(V21::NAME, Role::Server));
    }
    if is_welcome::<V20>(datagram) {
        return Some(strong(V20::NAME, Role::Server));
    }
    if is_first_heartbeat::<V21>(datagram) {
        return Some(strong(V21::NAME, Role::Client));
    }
    if is_first_heartbeat::<V20>(datagram) {
        return Some(strong(V20::NAME, Role::Client));
    }
    if datagram.len() > V21::MAX_SIZE {
        return None;
    }
    // A server's Pending has these bytes too, but is never the first datagram.
    match (datagram.first()?, decoded::<V21>(datagram, Role::Client)) {
        (0x03, _) => Some(weak(V20::NAME)),
        (_, Some(Packet::Connect(_))) => Some(weak(V21::NAME)),
        _ => None,
    }
}

fn decoded<V: Version>(datagram: &[u8], sender: Role) -> Option<Packet<'_>> {
    Packet::decode::<V, _>(datagram, sender, &mut ()).ok()
}

/// Returns whether this is a Welcome of the exact length, with one of the first ids and a valid client id.
fn is_welcome<V: Version>(datagram: &[u8]) -> bool {
    match decoded::<V>(datagram, Role::Server) {
        Some(Packet::Welcome(welcome)) => {
            FIRST_IDS.contains(&welcome.seq_id)
                && welcome.client_id != 0
                && welcome.trailing.bit_len() < 8
                && welcome.trailing.is_zero()
        }
        _ => false,
    }
}

/// Returns whether this is a heartbeat of the exact length, from a client without a round-trip time.
fn is_first_heartbeat<V: Version>(datagram: &[u8]) -> bool {
    match decoded::<V>(datagram, Role::Client) {
        Some(Packet::Heartbeat(heartbeat)) => {
            heartbeat.rtt == -1 && heartbeat.trailing.bit_len() < 8 && heartbeat.trailing.is_zero()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
