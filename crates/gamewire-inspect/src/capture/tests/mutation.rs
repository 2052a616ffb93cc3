//! Many small mutated captures. None of them causes a panic.

use gamewire_sim::random::{Random, mutate};

use super::build::{BOTH, MICROSECONDS, interface, packet, pcap_header, record, section};
use crate::capture::{LinkType, Reader};
use crate::net::tcp::{Reassembler, ReassemblyLimits};
use crate::net::tests::frames;
use crate::net::{Decoder, DefragLimits, Payload};

const MUTANTS: u64 = 200_000;

/// Returns captures with every kind of packet that the decoder supports.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for endian in BOTH {
        for (link, packets) in frames::samples() {
            let LinkType(link) = link;
            let mut pcap = pcap_header(endian, MICROSECONDS, u32::from(link));
            let mut pcapng = [section(endian), interface(endian, link, 0, &[(9, &[9])])].concat();
            for (data, n) in packets.iter().zip(0..) {
                pcap.extend(record(endian, 1000, n, data));
                pcapng.extend(packet(endian, 0, u64::from(n), data));
            }
            seeds.extend([pcap, pcapng]);
        }
    }
    seeds
}

#[test]
fn g1_no_mutant_of_a_capture_panics_or_makes_memory_grow() {
    let seeds = seeds();
    let limits = DefragLimits::default();
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut frames, mut errors) = (0_u64, 0_u64);
    // Decoder and reassembler are reused, as if all mutants were one capture.
    let mut decoder = Decoder::with_limits(limits);
    let mut reassembler =
        Reassembler::new(ReassemblyLimits { total: 100_000, ..ReassemblyLimits::default() });
    let mut file = Vec::new();
    for _ in 0..MUTANTS {
        file.clone_from(&seeds[random.below(seeds.len())]);
        mutate(&mut file, &mut random, usize::MAX);
        let Ok(mut reader) = Reader::new(file.as_slice()) else { continue };
        while let Some(step) = reader.next() {
            let Ok(frame) = step else {
                errors += 1;
                continue;
            };
            frames += 1;
            match decoder.decode(&frame) {
                Ok(Payload::Tcp(segment)) => reassembler.push(frame.time, &segment, |_| ()),
                Ok(Payload::Udp(datagram)) => {
                    assert_eq!(datagram.cut, datagram.data.len() < datagram.wire_len)
                }
                Ok(Payload::Skipped(_)) | Err(_) => {}
            }
        }
        assert!(reader.position() <= file.len() as u64);
        assert!(reader.buffered_bytes() < 1024 * 1024);
    }
    assert!(decoder.buffered_bytes() <= limits.worst_case_bytes());
    assert!(reassembler.buffered_bytes() <= 100_000);
    assert!(frames > MUTANTS && errors > MUTANTS / 20, "{frames} frames and {errors} errors are too few");
}
