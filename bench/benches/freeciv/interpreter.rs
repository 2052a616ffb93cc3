//! The codec for any definition.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaLimits, Direction, RoleWatch, Sending, Variants,
};
use gamewire_freeciv::frame::{FrameSplitter, Limits};
use gamewire_schema::ir::Protocol;

/// A definition with all its capabilities.
pub(crate) fn variants(protocol: &Protocol) -> Arc<Variants> {
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    Arc::new(Variants::new(Arc::new(protocol.clone()), &active).unwrap())
}

pub(crate) fn decoder(variants: &Arc<Variants>) -> DeltaDecoder {
    DeltaDecoder::new(Arc::clone(variants), Direction::ToClient, DeltaLimits::DEFAULT)
}

/// A client that reads a stream in pieces of a size; how many packets there were, and the decoder
/// with all that it remembers.
pub(crate) fn read(variants: &Arc<Variants>, stream: &[u8], size: usize) -> (usize, DeltaDecoder) {
    let mut splitter = FrameSplitter::new(Limits::DEFAULT);
    let mut decoder = decoder(variants);
    let mut watch = RoleWatch::new(variants.protocol(), RoleWatch::NO_PLAYER);
    let mut packets = 0;
    for mut data in stream.chunks(size) {
        while let Some(packet) = splitter.next(&mut data).unwrap() {
            let decoded = decoder.decode(packet.number, packet.body).unwrap();
            packets += 1;
            if watch.notice(&decoded) {
                decoder.forget_game_info();
            }
        }
    }
    (packets, decoder)
}

/// Decodes bodies; how many.
pub(crate) fn decode(variants: &Arc<Variants>, bodies: &[(u16, Vec<u8>)]) -> usize {
    let mut decoder = decoder(variants);
    bodies.iter().filter(|(number, body)| decoder.decode(*number, body).is_ok()).count()
}

/// Decodes bodies and encodes the packets again; how many bytes that makes.
pub(crate) fn echo(variants: &Arc<Variants>, bodies: &[(u16, Vec<u8>)], out: &mut Vec<u8>) -> usize {
    let mut decoder = decoder(variants);
    let mut encoder = DeltaEncoder::new(Arc::clone(variants), Direction::ToClient, DeltaLimits::DEFAULT);
    let mut bytes = 0;
    for (number, body) in bodies {
        out.clear();
        let decoded = decoder.decode(*number, body).unwrap();
        let sending = Sending { force: false, bits: decoded.bits() };
        encoder.encode(*number, decoded.values(), sending, out).unwrap();
        bytes += out.len();
    }
    bytes
}
