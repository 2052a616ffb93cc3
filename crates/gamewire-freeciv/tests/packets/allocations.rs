//! After a warm-up, both codecs decode and encode packets without texts and arrays without allocating memory.

use std::sync::Arc;

use gamewire_freeciv::delta::{DeltaDecoder, DeltaEncoder, DeltaLimits, Direction, EncodeOptions, Variants};
use gamewire_freeciv::packets;
use gamewire_schema::ir::{Packet, WireType};

use super::definition::protocol;
use super::stream::{Framed, Recorded};

/// Returns whether all fields of a packet have a fixed size.
fn is_flat(packet: &Packet) -> bool {
    let is_elastic = |wire| {
        matches!(
            wire,
            WireType::String { .. } | WireType::Estring { .. } | WireType::Memory | WireType::Worklist
        )
    };
    packet.fields.iter().all(|field| field.dims.is_empty() && !is_elastic(field.wire))
}

/// Returns the packets of a game that have no texts or arrays, and cancel no packet. A cancelled packet would be a new
/// one the next time.
fn flat() -> Vec<Framed> {
    let protocol = protocol();
    let packets = Recorded::named("game").packets().0.into_iter();
    let is_flat = |packet: &Framed| {
        let packet = protocol.packet(packet.number).unwrap();
        is_flat(packet) && packet.cancels.is_empty()
    };
    packets.filter(is_flat).collect()
}

/// Runs `run` twice as a warm-up, and counts the allocations of the next ten runs. After the second run, all fields of
/// all packets are remembered.
fn once_warm(mut run: impl FnMut()) -> u64 {
    run();
    run();
    allocation_counter::measure(|| (0..10).for_each(|_| run())).count_total
}

#[test]
fn once_warm_the_interpreter_allocates_nothing() {
    let packets = flat();
    let protocol = protocol();
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    let variants = Arc::new(Variants::new(Arc::clone(&protocol), &active).unwrap());
    let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
    let mut decoder = DeltaDecoder::new(Arc::clone(&variants), direction, limits);
    let mut encoder = DeltaEncoder::new(variants, direction, limits);
    let mut body = Vec::with_capacity(4096);
    let allocations = once_warm(|| {
        for packet in &packets {
            let decoded = decoder.decode(packet.number, &packet.body).unwrap();
            body.clear();
            encoder.encode(packet.number, decoded.values(), EncodeOptions::default(), &mut body).unwrap();
        }
    });
    assert_eq!(allocations, 0, "{} packets", packets.len());
}

#[test]
fn once_warm_the_generated_codec_allocates_nothing() {
    let packets = flat();
    let types: std::collections::BTreeSet<u16> = packets.iter().map(|packet| packet.number).collect();
    println!("{} packets of {} types", packets.len(), types.len());
    assert!(packets.len() > 800 && types.len() == 20, "{} packets of {} types", packets.len(), types.len());
    let protocol = protocol();
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
    let mut decoder = packets::Decoder::new(direction, limits);
    let mut encoder = packets::Encoder::new(direction, limits);
    decoder.set_capabilities(&active);
    encoder.set_capabilities(&active);
    let mut body = Vec::with_capacity(4096);
    let allocations = once_warm(|| {
        for packet in &packets {
            let decoded = decoder.decode_with_bits(packet.number, &packet.body).unwrap();
            let sending = EncodeOptions { force: false, bits: decoded.bits };
            body.clear();
            encoder.encode(decoded.packet, sending, &mut body).unwrap();
        }
    });
    assert_eq!(allocations, 0, "{} packets", packets.len());
}

/// The counted bytes after a join must be close to the bytes that the allocator returned.
#[test]
fn what_is_remembered_is_counted_about_right() {
    let protocol = protocol();
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    let packets = Recorded::named("join").packets().0;
    let mut decoder = None;
    let info = allocation_counter::measure(|| {
        let mut fresh = packets::Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
        fresh.set_capabilities(&active);
        for packet in &packets {
            fresh.decode(packet.number, &packet.body).unwrap();
        }
        decoder = Some(fresh);
    });
    let counted = decoder.unwrap().memory_usage().bytes;
    let held = usize::try_from(info.bytes_current).unwrap();
    println!("counted {counted} bytes, held {held} bytes");
    assert!(held < 2 * counted && counted < 2 * held, "counted {counted}, held {held}");
}
