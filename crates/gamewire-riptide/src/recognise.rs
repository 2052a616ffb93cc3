use crate::shared::packet::Packet;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;
use gamewire_machine::Role;

/// What a first datagram says of its conversation. No packet names a version: it is told by what
/// the other format would have to make of the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The name of the format: [`Version::NAME`] of `V20` or `V21`.
    pub version: &'static str,
    /// Who sent it.
    pub sender: Role,
    /// How much it is worth.
    pub strength: Confidence,
}

/// How much an [`Guess`] is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A connect request: a header of 4 or 8 bits, then anything. Right if it is known that the
    /// conversation is Riptide's, as on the port of a server; else one datagram in 16 looks so.
    Weak,
    /// Length, padding and first ids are those of a packet that begins or upholds a connection.
    Strong,
}

/// Ids that reliable messages begin with: 1, and 2 in the Python port.
const FIRST_IDS: [u16; 2] = [1, 2];

/// Which format a first datagram speaks, and which side sent it; `None` when it does not look like
/// the first of either.
#[must_use]
pub fn detect(datagram: &[u8]) -> Option<Guess> {
    let strong = |version, sender| Guess { version, sender, strength: Confidence::Strong };
    let weak = |version| Guess { version, sender: Role::Client, strength: Confidence::Weak };
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
    // A server's notice that its answer is pending has these bytes too, but never comes first.
    match (datagram.first()?, decoded::<V21>(datagram, Role::Client)) {
        (0x03, _) => Some(weak(V20::NAME)),
        (_, Some(Packet::Connect(_))) => Some(weak(V21::NAME)),
        _ => None,
    }
}

fn decoded<V: Version>(datagram: &[u8], sender: Role) -> Option<Packet<'_>> {
    Packet::decode::<V, _>(datagram, sender, &mut ()).ok()
}

/// A Welcome of exactly its length, with one of the first ids and a client that can be.
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

/// A heartbeat of exactly its length, from a client that has not measured anything yet.
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

    fn told(datagram: &[u8]) -> Option<(&'static str, Role, Confidence)> {
        detect(datagram).map(|evidence| (evidence.version, evidence.sender, evidence.strength))
    }

    #[test]
    fn the_first_byte_of_a_connect_request_tells_the_formats_apart() {
        let v20 = Some((V20::NAME, Role::Client, Confidence::Weak));
        let v21 = Some((V21::NAME, Role::Client, Confidence::Weak));
        assert_eq!(told(&[0x03, 1, 2]), v20);
        assert_eq!(told(&[0x03]), v20);
        assert_eq!(told(&[0x02]), v21);
        assert_eq!(told(&[0x12, 0x30, 0x80, 0x56, 0x96, 0x07]), v21);
    }

    #[test]
    fn packets_of_a_length_of_their_own_are_strong_evidence() {
        let strong = |version, sender| Some((version, sender, Confidence::Strong));
        assert_eq!(told(&[0x18, 0, 0x10, 0, 0]), strong(V21::NAME, Role::Server));
        assert_eq!(told(&[0x28, 0, 0x10, 0, 0]), strong(V21::NAME, Role::Server));
        assert_eq!(told(&[0x08, 1, 0, 1, 0]), strong(V20::NAME, Role::Server));
        assert_eq!(told(&[0x04, 0xf0, 0xff, 0x0f]), strong(V21::NAME, Role::Client));
        assert_eq!(told(&[0x05, 1, 0xff, 0xff]), strong(V20::NAME, Role::Client));
    }

    #[test]
    fn what_never_comes_first_is_not_recognised() {
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[0x18, 0, 0x10, 0, 0x10]), None);
        assert_eq!(told(&[0x23, 0x00]), None);
        // The first datagrams of other protocols.
        assert_eq!(told(&[0x10, 0, 0, 1]), None);
        assert_eq!(told(&[0x04, 0, 0, 0xff, 0xff, 0xff, 0xff, 5]), None);
        assert_eq!(told(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie3"), None);
    }
}
