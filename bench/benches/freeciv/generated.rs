//! The codec generated from the definition of Freeciv 3.0.

use gamewire_freeciv::codec::Fields;
use gamewire_freeciv::delta::{DeltaLimits, Direction, RoleWatch, Sending, Value};
use gamewire_freeciv::frame::{FrameSplitter, Limits};
use gamewire_freeciv::v30::{Decoder, Encoder, OwnedPacket, Packet};
use gamewire_schema::ir::Protocol;

/// A decoder with all capabilities.
pub(crate) fn decoder(protocol: &Protocol) -> Decoder {
    let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    decoder.set_capabilities(&active(protocol));
    decoder
}

fn active(protocol: &Protocol) -> Vec<&str> {
    protocol.capabilities.iter().map(String::as_str).collect()
}

/// A client that reads a stream in pieces of a size; how many packets there were, and the decoder
/// with all that it remembers.
pub(crate) fn read(protocol: &Protocol, stream: &[u8], size: usize) -> (usize, Decoder) {
    let mut splitter = FrameSplitter::new(Limits::DEFAULT);
    let mut decoder = decoder(protocol);
    let mut watch = RoleWatch::new(protocol, RoleWatch::NO_PLAYER);
    let mut packets = 0;
    for mut data in stream.chunks(size) {
        while let Some(packet) = splitter.next(&mut data).unwrap() {
            packets += 1;
            match decoder.decode(packet.number, packet.body).unwrap() {
                Packet::ServerJoinReply(reply) => {
                    assert!(!watch.notice_values(packet.number, &values(reply)))
                }
                Packet::ConnInfo(info) if watch.notice_values(packet.number, &values(info)) => {
                    decoder.forget_game_info();
                }
                _ => {}
            }
        }
    }
    (packets, decoder)
}

fn values(packet: &dyn Fields) -> Vec<Value> {
    (0..packet.names().len()).map(|index| packet.value(index)).collect()
}

/// Decodes bodies; how many.
pub(crate) fn decode(protocol: &Protocol, bodies: &[(u16, Vec<u8>)]) -> usize {
    let mut decoder = decoder(protocol);
    bodies.iter().filter(|(number, body)| decoder.decode(*number, body).is_ok()).count()
}

/// A decoded packet, and the bits that it came with.
pub(crate) struct Said {
    packet: OwnedPacket,
    bits: Vec<u8>,
}

/// Decodes bodies and keeps the packets.
pub(crate) fn said(protocol: &Protocol, bodies: &[(u16, Vec<u8>)]) -> Vec<Said> {
    let mut decoder = decoder(protocol);
    let mut keep = |(number, body): &(u16, Vec<u8>)| {
        let decoded = decoder.decode_with_bits(*number, body).unwrap();
        Said { packet: decoded.packet.into(), bits: decoded.bits.to_vec() }
    };
    bodies.iter().map(&mut keep).collect()
}

/// Encodes packets; how many bytes that makes.
pub(crate) fn encode(protocol: &Protocol, packets: &[Said], out: &mut Vec<u8>) -> usize {
    let mut encoder = Encoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    encoder.set_capabilities(&active(protocol));
    let mut bytes = 0;
    for Said { packet, bits } in packets {
        out.clear();
        encoder.encode(packet, Sending { force: false, bits }, out).unwrap();
        bytes += out.len();
    }
    bytes
}
