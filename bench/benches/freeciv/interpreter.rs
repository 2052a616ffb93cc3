//! The codec for any definition.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaLimits, Direction, RoleWatch, Sending, Value, Variants,
};
use gamewire_freeciv::frame::{FrameSplitter, Limits};
use gamewire_schema::{Constants, Sources};

/// Freeciv 3.0 with all its capabilities.
pub(crate) fn variants() -> Arc<Variants> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../definitions/freeciv-3.0");
    let constants = fs::read_to_string(folder.join("constants.toml")).unwrap();
    let protocol = Sources::read(&folder).unwrap().compile(&Constants::from_toml(&constants).unwrap());
    let protocol = Arc::new(protocol.unwrap());
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    Arc::new(Variants::new(Arc::clone(&protocol), &active).unwrap())
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

/// A packet to be sent, with the bits of its floating-point fields.
pub(crate) struct Row {
    number: u16,
    values: Vec<Value>,
    bits: Vec<u8>,
}

/// What bodies say.
pub(crate) fn rows(variants: &Arc<Variants>, bodies: &[(u16, Vec<u8>)]) -> Vec<Row> {
    let mut decoder = decoder(variants);
    let rows = bodies.iter().map(|(number, body)| {
        let decoded = decoder.decode(*number, body).unwrap();
        Row { number: *number, values: decoded.values().to_vec(), bits: decoded.bits().to_vec() }
    });
    rows.collect()
}

/// Encodes packets; how many bytes of bodies that makes.
pub(crate) fn encode(variants: &Arc<Variants>, rows: &[Row], out: &mut Vec<u8>) -> usize {
    let mut encoder = DeltaEncoder::new(Arc::clone(variants), Direction::ToClient, DeltaLimits::DEFAULT);
    let mut bytes = 0;
    for row in rows {
        out.clear();
        let sending = Sending { force: false, bits: &row.bits };
        encoder.encode(row.number, &row.values, sending, out).unwrap();
        bytes += out.len();
    }
    bytes
}
