//! The interpreter, for any definition.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaLimits, Direction, EncodeOptions, RoleTracker, Value, Variants,
};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_schema::ir::Protocol;

/// A definition with all its capabilities.
pub(crate) fn variants(protocol: &Protocol) -> Arc<Variants> {
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    Arc::new(Variants::new(Arc::new(protocol.clone()), &active).unwrap())
}

pub(crate) fn decoder(variants: &Arc<Variants>) -> DeltaDecoder {
    DeltaDecoder::new(Arc::clone(variants), Direction::ToClient, DeltaLimits::DEFAULT)
}

pub(crate) fn encoder(variants: &Arc<Variants>) -> DeltaEncoder {
    DeltaEncoder::new(Arc::clone(variants), Direction::ToClient, DeltaLimits::DEFAULT)
}

/// A client's receive path: splitter and decoder.
pub(crate) struct Client {
    splitter: FrameSplitter,
    pub(crate) decoder: DeltaDecoder,
    watch: RoleTracker,
}

impl Client {
    pub(crate) fn new(variants: &Arc<Variants>) -> Self {
        let watch = RoleTracker::new(variants.protocol(), RoleTracker::NO_PLAYER);
        Self { splitter: FrameSplitter::new(FrameLimits::DEFAULT), decoder: decoder(variants), watch }
    }

    /// Reads a stream in pieces of `size` bytes and returns the number of packets.
    pub(crate) fn read(&mut self, stream: &[u8], size: usize) -> usize {
        let mut packets = 0;
        for mut data in stream.chunks(size) {
            while let Some(packet) = self.splitter.next(&mut data).unwrap() {
                let decoded = self.decoder.decode(packet.number, packet.body).unwrap();
                packets += 1;
                if self.watch.observe(&decoded) {
                    self.decoder.forget_game_info();
                }
            }
        }
        packets
    }
}

/// Decodes bodies and returns their number.
pub(crate) fn decode(decoder: &mut DeltaDecoder, bodies: &[(u16, Vec<u8>)]) -> usize {
    bodies.iter().filter(|(number, body)| decoder.decode(*number, body).is_ok()).count()
}

/// A decoded packet, and its bits.
pub(crate) struct DecodedPacket {
    number: u16,
    values: Vec<Value>,
    bits: Vec<u8>,
}

/// Decodes bodies and stores the packets.
pub(crate) fn decode_all(variants: &Arc<Variants>, bodies: &[(u16, Vec<u8>)]) -> Vec<DecodedPacket> {
    let mut decoder = decoder(variants);
    let mut keep = |(number, body): &(u16, Vec<u8>)| {
        let decoded = decoder.decode(*number, body).unwrap();
        DecodedPacket { number: *number, values: decoded.values().to_vec(), bits: decoded.bits().to_vec() }
    };
    bodies.iter().map(&mut keep).collect()
}

/// Encodes packets and returns the number of bytes.
pub(crate) fn encode(encoder: &mut DeltaEncoder, packets: &[DecodedPacket], out: &mut Vec<u8>) -> usize {
    let mut bytes = 0;
    for DecodedPacket { number, values, bits } in packets {
        out.clear();
        encoder.encode(*number, values, EncodeOptions { force: false, bits }, out).unwrap();
        bytes += out.len();
    }
    bytes
}
