use crate::capture::{Frame, LinkType};
use crate::net::{Decoder, Payload};

/// Headers that a dump of a frame can begin with.
const LINKS: [LinkType; 4] = [LinkType::ETHERNET, LinkType::RAW, LinkType::LINUX_SLL, LinkType::NULL];
/// Minimum length of an Ethernet frame, without its checksum. A shorter one is padded.
const MIN_ETHERNET: usize = 60;

/// Returns the payload of UDP or TCP if the bytes are a frame or an IP packet with all headers.
pub fn payload_of_frame(bytes: &[u8]) -> Option<Vec<u8>> {
    LINKS.into_iter().find_map(|link| {
        let original_len = u32::try_from(bytes.len()).ok()?;
        let mut decoder = Decoder::new();
        let decoded = decoder.decode(&Frame {
            number: 1,
            time: 0,
            link,
            interface: 0,
            is_state: false,
            data: bytes,
            original_len,
        });
        let data = match decoded.ok()? {
            Payload::Udp(udp) => udp.data,
            Payload::Tcp(segment) => segment.data,
            Payload::Skipped(_) => return None,
        };
        let is_padded = link == LinkType::ETHERNET && bytes.len() == MIN_ETHERNET;
        (!data.is_empty() && (is_padded || bytes.ends_with(data))).then(|| data.to_vec())
    })
}
