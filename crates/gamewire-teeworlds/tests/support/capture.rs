//! The datagrams of the captures in `vectors/`.

use std::fs;
use std::path::PathBuf;

use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::raw::packet::{MAX_PAYLOAD, Packet, inflate};
use gamewire_teeworlds::raw::v06::V06;
use gamewire_teeworlds::raw::v07::V07;
use gamewire_teeworlds::raw::version::Version;
use gamewire_wire::Reader;

/// The captures.
pub const CAPTURES: [&str; 3] = ["tw-0.6-ddnet-tken", "tw-0.6.5-tokens", "tw-0.7-two-clients"];

/// Returns every datagram of a capture, and whether the server sent it. The first datagram was sent to the server.
pub fn datagrams(name: &str) -> Vec<(bool, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds/captures");
    let file = fs::read(folder.join(format!("{name}.pcap"))).unwrap();
    let mut rest = &file[24..];
    let mut server = None;
    let mut found = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<16>() {
        let length = u32::from_le_bytes(head[8..12].try_into().unwrap()) as usize;
        let (frame, after) = after.split_at(length);
        rest = after;
        // Ethernet, IPv4, UDP.
        let ip = &frame[14..];
        let udp = &ip[usize::from(ip[0] & 0x0f) * 4..];
        let source = u16::from_be_bytes([udp[0], udp[1]]);
        let length = usize::from(u16::from_be_bytes([udp[4], udp[5]]));
        let server = *server.get_or_insert_with(|| u16::from_be_bytes([udp[2], udp[3]]));
        found.push((source == server, udp[8..length].to_vec()));
    }
    found
}

/// Returns some datagrams of all captures. They are from servers if `of_servers` is set, otherwise from clients.
pub fn some(of_servers: bool, each: usize) -> Vec<Vec<u8>> {
    let mut some = Vec::new();
    for name in CAPTURES {
        let all: Vec<_> = datagrams(name)
            .into_iter()
            .filter(|(server, _)| *server == of_servers)
            .map(|(_, data)| data)
            .collect();
        // The first datagrams are the login. The others are spread over the whole capture.
        let step = (all.len() / each).max(1);
        some.extend(all.iter().take(each / 2).cloned());
        some.extend(all.into_iter().step_by(step).skip(1).take(each - each / 2));
    }
    some
}

/// A message of a capture: whether it is vital, and its content.
pub type Message = (bool, Vec<u8>);

/// Returns the dialect of a capture.
pub fn dialect_of(name: &str) -> Dialect {
    match name {
        "tw-0.6-ddnet-tken" => Dialect::Tken,
        "tw-0.6.5-tokens" => Dialect::V065,
        _ => Dialect::V07,
    }
}

/// Returns the first `count` messages of a capture. They are from servers if `of_servers` is set, otherwise from
/// clients.
pub fn messages(name: &str, of_servers: bool, count: usize) -> Vec<Message> {
    let mut found = Vec::new();
    for (of_server, datagram) in datagrams(name) {
        if of_server == of_servers {
            match dialect_of(name) {
                Dialect::V07 => split::<V07>(&datagram, 0, &mut found),
                Dialect::Tken => split::<V06>(&datagram, 4, &mut found),
                Dialect::V06 | Dialect::V065 => split::<V06>(&datagram, 0, &mut found),
            }
        }
    }
    found.truncate(count);
    found
}

fn split<V: Version>(datagram: &[u8], at_the_end: usize, found: &mut Vec<Message>) {
    let Packet::Connected { header, payload } = V::parse(datagram, &mut ()).unwrap() else { return };
    if header.control {
        return;
    }
    let mut inflated = [0; MAX_PAYLOAD];
    let content = payload.remaining();
    let content = if header.compressed { inflate(content, &mut inflated).unwrap() } else { content };
    let mut from = Reader::new(&content[..content.len() - at_the_end]);
    for _ in 0..header.chunks {
        let chunk = V::read_chunk(&mut from, &mut ()).unwrap();
        found.push((chunk.header.sequence.is_some(), chunk.content.remaining().to_vec()));
    }
}
