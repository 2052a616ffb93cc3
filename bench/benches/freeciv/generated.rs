//! The codec generated from the definition of Freeciv 3.0.

use gamewire_freeciv::codec::Fields;
use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, RoleTracker, Value};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::packets::{Decoder, Encoder, OwnedPacket, Packet};
use gamewire_schema::ir::Protocol;

/// Creates a decoder with all capabilities.
pub(crate) fn decoder(protocol: &Protocol) -> Decoder {
    let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    decoder.set_capabilities(&active(protocol));
    decoder
}

/// Creates an encoder with all capabilities.
pub(crate) fn encoder(protocol: &Protocol) -> Encoder {
    let mut encoder = Encoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    encoder.set_capabilities(&active(protocol));
    encoder
}

fn active(protocol: &Protocol) -> Vec<&str> {
    protocol.capabilities.iter().map(String::as_str).collect()
}

/// A client's receive path: splitter and decoder.
pub(crate) struct Client {
    splitter: FrameSplitter,
    pub(crate) decoder: Decoder,
    watch: RoleTracker,
}

impl Client {
    pub(crate) fn new(protocol: &Protocol) -> Self {
        let watch = RoleTracker::new(protocol, RoleTracker::NO_PLAYER);
        Self { splitter: FrameSplitter::new(FrameLimits::DEFAULT), decoder: decoder(protocol), watch }
    }

    /// Reads a stream in pieces of `size` bytes and returns the number of packets.
    pub(crate) fn read(&mut self, stream: &[u8], size: usize) -> usize {
        let mut packets = 0;
        for mut data in stream.chunks(size) {
            while let Some(packet) = self.splitter.next(&mut data).unwrap() {
                packets += 1;
                match self.decoder.decode(packet.number, packet.body).unwrap() {
                    Packet::ServerJoinReply(reply) => {
                        assert!(!self.watch.observe_values(packet.number, &values(reply)))
                    }
                    Packet::ConnInfo(info) if self.watch.observe_values(packet.number, &values(info)) => {
                        self.decoder.forget_game_info();
                    }
                    _ => {}
                }
            }
        }
        packets
    }
}

fn values(packet: &dyn Fields) -> Vec<Value> {
    (0..packet.names().len()).map(|index| packet.value(index)).collect()
}

/// Decodes bodies and returns their number.
pub(crate) fn decode(decoder: &mut Decoder, bodies: &[(u16, Vec<u8>)]) -> usize {
    bodies.iter().filter(|(number, body)| decoder.decode(*number, body).is_ok()).count()
}

/// Decoded packets and their bits, stored contiguously.
pub(crate) struct DecodedPackets {
    packets: Vec<OwnedPacket>,
    bits: Vec<u8>,
    /// End of each packet's bits.
    ends: Vec<usize>,
}

/// Decodes bodies and stores the packets.
pub(crate) fn decode_all(protocol: &Protocol, bodies: &[(u16, Vec<u8>)]) -> DecodedPackets {
    let mut decoder = decoder(protocol);
    let mut packets = DecodedPackets { packets: Vec::new(), bits: Vec::new(), ends: Vec::new() };
    for (number, body) in bodies {
        let decoded = decoder.decode_with_bits(*number, body).unwrap();
        packets.packets.push(decoded.packet.into());
        packets.bits.extend_from_slice(decoded.bits);
        packets.ends.push(packets.bits.len());
    }
    // Cloning places the packets next to each other in memory, like the bodies.
    packets.packets = packets.packets.clone();
    packets
}

/// Encodes packets and returns the number of bytes.
pub(crate) fn encode(encoder: &mut Encoder, packets: &DecodedPackets, out: &mut Vec<u8>) -> usize {
    let (mut bytes, mut start) = (0, 0);
    for (packet, end) in packets.packets.iter().zip(&packets.ends) {
        out.clear();
        let bits = &packets.bits[start..*end];
        encoder.encode(packet, EncodeOptions { force: false, bits }, out).unwrap();
        bytes += out.len();
        start = *end;
    }
    bytes
}
