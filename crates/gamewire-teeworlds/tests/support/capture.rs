//! The datagrams of the captures in `vectors/`.

use std::fs;
use std::path::PathBuf;

/// The captures.
pub const CAPTURES: [&str; 3] = ["tw-0.6-ddnet-tken", "tw-0.6.5-tokens", "tw-0.7-two-clients"];

/// Every datagram of a capture, and whether a server sent it: servers have the ports of the games.
pub fn datagrams(name: &str) -> Vec<(bool, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds/captures");
    let file = fs::read(folder.join(format!("{name}.pcap"))).unwrap();
    let mut rest = &file[24..];
    let mut found = Vec::new();
    while let Some((head, behind)) = rest.split_first_chunk::<16>() {
        let length = u32::from_le_bytes(head[8..12].try_into().unwrap()) as usize;
        let (frame, behind) = behind.split_at(length);
        rest = behind;
        // Ethernet, IPv4, UDP.
        let ip = &frame[14..];
        let udp = &ip[usize::from(ip[0] & 0x0f) * 4..];
        let source = u16::from_be_bytes([udp[0], udp[1]]);
        let length = usize::from(u16::from_be_bytes([udp[4], udp[5]]));
        found.push(((8300..8320).contains(&source), udp[8..length].to_vec()));
    }
    found
}

/// Some datagrams of every kind out of all captures: those of servers, or those of clients.
pub fn some(of_servers: bool, each: usize) -> Vec<Vec<u8>> {
    let mut some = Vec::new();
    for name in CAPTURES {
        let all: Vec<_> = datagrams(name)
            .into_iter()
            .filter(|(server, _)| *server == of_servers)
            .map(|(_, data)| data)
            .collect();
        // The first ones are the login; the others are spread over the whole capture.
        let step = (all.len() / each).max(1);
        some.extend(all.iter().take(each / 2).cloned());
        some.extend(all.into_iter().step_by(step).skip(1).take(each - each / 2));
    }
    some
}
