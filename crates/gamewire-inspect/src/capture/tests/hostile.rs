//! Hostile files: no panic, and bounded memory.

use std::io::Read;

use super::build::{
    BOTH, Endian, MICROSECONDS, block, interface, packet, pcap_header, record_header, section,
};
use super::walk::{MAX_MEMORY, walk};
use crate::capture::{Damage, LinkType, MAX_RECORD, Reader};

const LE: Endian = Endian::Little;

#[test]
fn g1_impossible_block_lengths_are_errors() {
    for endian in BOTH {
        for length in [0, 1, 4, 11, 13, 37, MAX_RECORD + 4, 0x7fff_ffff, u32::MAX] {
            let bad = [endian.u32(6), endian.u32(length), [0; 4]].concat();
            let walked = walk([section(endian), bad].concat().as_slice());
            assert!(matches!(walked.damage(), Damage::BlockLength { length: found, .. } if *found == length));
        }
    }
}

#[test]
fn g1_memory_grows_with_received_bytes_and_not_with_claimed_lengths() {
    let claim = [LE.u32(6), LE.u32(MAX_RECORD), [0; 4]].concat();
    let walked = walk([section(LE), claim].concat().as_slice());
    assert!(matches!(walked.damage(), Damage::Truncated { needed: 16_777_216, available: 12, .. }));
    assert!(walked.peak < 300_000, "held {} bytes", walked.peak);

    let mut claim = pcap_header(LE, MICROSECONDS, 1);
    claim[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    claim.extend(record_header(LE, 1, 0, MAX_RECORD, MAX_RECORD));
    let walked = walk(claim.as_slice());
    assert!(matches!(walked.damage(), Damage::Truncated { .. }));
    assert!(walked.peak < 300_000, "held {} bytes", walked.peak);
}

#[test]
fn g1_endless_garbage_is_read_in_bounded_memory_and_linear_time() {
    // Each word is the length of a long block or record, so that a search reads ahead at every position.
    let words = [6_u32, 262_144, 262_144, 262_144];
    let garbage: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let garbage = garbage.repeat(512 * 1024);
    for head in [section(LE), pcap_header(LE, MICROSECONDS, 1)] {
        let walked = walk(head.as_slice().chain(garbage.as_slice()));
        assert!(!walked.errors.is_empty() || !walked.frames.is_empty());
        assert!(walked.peak <= MAX_MEMORY / 8, "held {} bytes", walked.peak);
    }
}

#[test]
fn g1_a_search_reads_ahead_within_a_limit() {
    let lost = block(LE, 6, &[])[..4].to_vec();
    let claims = [6_u32, MAX_RECORD].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let claims = claims.repeat(4 * 1024 * 1024);
    let head = [section(LE), lost, LE.u32(3).to_vec()].concat();
    let walked = walk(head.as_slice().chain(claims.as_slice()));
    assert!(matches!(walked.damage(), Damage::BlockLength { length: 3, .. }));
    assert!(walked.peak < 300_000, "held {} bytes", walked.peak);
}

#[test]
fn g1_the_longest_blocks_are_read_in_bounded_memory() {
    let longest = block(LE, 0x8000_0000, &vec![0xaa; MAX_RECORD as usize - 12]);
    let input = section(LE);
    let input =
        input.as_slice().chain(longest.as_slice()).chain(longest.as_slice()).chain(longest.as_slice());
    let walked = walk(input);
    assert!(walked.errors.is_empty());
    assert!(walked.peak <= MAX_MEMORY);
}

#[test]
fn g1_packets_without_their_interface_are_errors_and_the_next_section_is_read() {
    let good = [section(LE), interface(LE, 1, 0, &[]), packet(LE, 0, 1, b"good")].concat();
    let orphan = [section(LE), packet(LE, 0, 1, b"orphan"), packet(LE, u32::MAX, 1, b"orphan")].concat();
    let walked = walk([good.clone(), orphan, good].concat().as_slice());
    assert_eq!(walked.data(), [b"good"; 2]);
    assert_eq!(walked.errors.len(), 2);
    assert!(
        walked.errors.iter().all(|error| matches!(error.damage, Damage::UnknownInterface { known: 0, .. }))
    );
}

#[test]
fn g1_a_huge_option_is_an_error_and_its_interface_is_still_used() {
    let mut body = [&LE.u16(1)[..], &[0, 0], &LE.u32(0)].concat();
    body.extend([LE.u16(9), LE.u16(0xffff)].concat());
    body.extend([6, 0, 0, 0]);
    let file = [section(LE), block(LE, 1, &body), packet(LE, 0, 5, b"good")].concat();
    let walked = walk(file.as_slice());
    assert_eq!(walked.frames, [(5000, b"good".to_vec())]);
    assert!(matches!(walked.damage(), Damage::OptionLength { code: 9, length: 65535, available: 4 }));
}

#[test]
fn g1_hostile_time_resolutions_and_offsets_saturate() {
    for resolution in 0..=255_u8 {
        for offset in [i64::MIN, -1, 0, i64::MAX] {
            let options: [(u16, &[u8]); 2] = [(9, &[resolution]), (14, &offset.to_le_bytes())];
            let interface = interface(LE, 1, 0, &options);
            let file = [section(LE), interface, packet(LE, 0, u64::MAX, b""), packet(LE, 0, 0, b"")].concat();
            let walked = walk(file.as_slice());
            assert_eq!(walked.frames.len(), 2);
            assert!(walked.frames[0].0 >= walked.frames[1].0);
        }
    }
}

#[test]
fn g1_a_wrong_snap_length_does_not_extend_a_simple_packet() {
    let simple = [&LE.u32(4_000_000_000)[..], b"four"].concat();
    let file = [section(LE), interface(LE, 1, u32::MAX, &[]), block(LE, 3, &simple)].concat();
    let walked = walk(file.as_slice());
    assert!(matches!(walked.damage(), Damage::PacketLength { captured: 4_000_000_000, available: 4 }));
}

#[test]
fn g1_a_flood_of_interfaces_is_bounded() {
    let mut file = section(LE);
    let described = 10_000_u16;
    for link in 0..described {
        file.extend(interface(LE, link, 0, &[]));
    }
    file.extend(packet(LE, 4095, 1, b"good"));
    let mut reader = Reader::new(file.as_slice()).unwrap();
    let mut refused = 0;
    let link = loop {
        match reader.next().unwrap() {
            Ok(frame) => break frame.link,
            Err(error) => assert!(matches!(error.damage, Damage::TooManyInterfaces { limit: 4096 })),
        }
        refused += 1;
    };
    assert_eq!((refused, link), (10_000 - 4096, LinkType(4095)));
    assert!(reader.buffered_bytes() < 1024 * 1024);
}
