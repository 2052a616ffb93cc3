//! Damaged files: every valid frame is returned, and each damage is reported once.

use super::build::{
    BOTH, Endian, MICROSECONDS, block, interface, packet, packet_claiming, pcap_header, record,
    record_header, section,
};
use super::walk::walk;
use crate::capture::Damage;

const NG: Endian = Endian::Little;

/// A realistic time. Its bytes are plausible only in the field of the seconds.
const NOW: u32 = 1_700_000_000;

fn pcapng(blocks: &[Vec<u8>]) -> Vec<u8> {
    [section(NG), interface(NG, 1, 0, &[]), blocks.concat()].concat()
}

fn pcap(endian: Endian, records: &[Vec<u8>]) -> Vec<u8> {
    [pcap_header(endian, MICROSECONDS, 1), records.concat()].concat()
}

#[test]
fn a_file_truncated_anywhere_has_all_whole_frames_and_one_error() {
    let whole = packet(NG, 0, 1, b"good");
    let head = pcapng(&[whole.clone(), whole.clone()]).len();
    let file = pcapng(&[whole.clone(), whole.clone(), whole]);
    for cut in head + 1..file.len() {
        let walked = walk(&file[..cut]);
        assert_eq!(walked.data(), [b"good"; 2], "cut at {cut}");
        assert!(matches!(walked.damage(), Damage::Truncated { .. }), "cut at {cut}");
        assert_eq!(walked.errors[0].offset, head as u64);
    }
    for endian in BOTH {
        let whole = record(endian, 1, 0, b"good");
        let head = pcap(endian, std::slice::from_ref(&whole)).len();
        let file = pcap(endian, &[whole.clone(), whole]);
        for cut in head + 1..file.len() {
            let walked = walk(&file[..cut]);
            assert_eq!(walked.data(), [b"good"], "cut at {cut}");
            assert!(matches!(walked.damage(), Damage::Truncated { .. }), "cut at {cut}");
            assert_eq!(walked.errors[0].offset, head as u64);
        }
    }
}

#[test]
fn a_pcap_record_with_a_broken_length_costs_only_itself() {
    let good = |n: u32| record(Endian::Big, NOW + n, n, &n.to_be_bytes());
    for (captured, original) in [(0, 0), (u32::MAX, 60), (262_145, 262_145), (70, 60), (4 + 65_536, 4)] {
        let mut bad = record_header(Endian::Big, NOW + 3, 3, captured, original);
        bad.extend([0xab; 60]);
        let file = pcap(Endian::Big, &[good(1), good(2), bad, good(4), good(5), good(6), good(7)]);
        let walked = walk(file.as_slice());
        let numbers: Vec<u32> =
            walked.frames.iter().map(|(_, data)| u32::from_be_bytes(data[..4].try_into().unwrap())).collect();
        assert_eq!(numbers, [1, 2, 4, 5, 6, 7], "{captured} of {original}");
        assert_eq!(walked.errors.len(), 1, "{captured} of {original}");
        assert_eq!(walked.errors[0].offset, 24 + 2 * 20);
    }
}

#[test]
fn a_long_record_that_contains_others_is_damage() {
    let good = |n: u32| record(Endian::Little, NOW + n, n, b"good");
    let containing = |seconds, captured| record_header(Endian::Little, seconds, 1, captured, captured);
    for bad in [containing(NOW, 70_007), containing(NOW / 2, 507)] {
        let many: Vec<_> = (1..5000).map(good).collect();
        let walked = walk(pcap(Endian::Little, &[good(0), bad, many.concat()]).as_slice());
        assert_eq!(walked.frames.len(), 5000);
        assert!(matches!(walked.damage(), Damage::RecordAlone { .. }));
    }
}

#[test]
fn a_long_record_before_damage_or_the_end_is_valid() {
    let long = record(Endian::Little, NOW, 0, &[7; 9000]);
    let bad = record_header(Endian::Little, 0, 0, 0, 0);
    let next = record(Endian::Little, NOW, 1, b"good");
    for tail in [bad.clone(), bad[..9].to_vec(), [bad, next].concat()] {
        let walked = walk(pcap(Endian::Little, &[long.clone(), tail]).as_slice());
        assert_eq!(walked.frames[0].1.len(), 9000);
        assert_eq!(walked.errors[0].offset, 24 + 9016);
    }
}

#[test]
fn a_wrong_time_does_not_mislead_the_search() {
    let good = |n: u32| record(Endian::Little, NOW + n, n, b"good");
    let strange = record(Endian::Little, 7, 0, b"strange");
    let bad = record_header(Endian::Little, 0, 0, 0, 0);
    let file = pcap(Endian::Little, &[good(0), strange, bad, good(1), good(2), good(3)]);
    assert_eq!(walk(file.as_slice()).data(), [&b"good"[..], b"strange", b"good", b"good", b"good"]);
}

#[test]
fn frames_weeks_apart_and_of_jumbo_size_are_valid() {
    let sparse: Vec<_> = (0..4).map(|n| record(Endian::Big, NOW + n * 1_000_000, n, &[7; 200_000])).collect();
    let walked = walk(pcap(Endian::Big, &sparse).as_slice());
    assert_eq!(walked.frames.len(), 4);
    assert!(walked.errors.is_empty());
}

#[test]
fn the_last_records_are_found_after_damage_without_a_chain_of_three() {
    let good = |n: u32| record(Endian::Little, NOW + n, n, b"good");
    let bad = record_header(Endian::Little, 1, 1, u32::MAX, 0);
    assert_eq!(walk(pcap(Endian::Little, &[good(1), bad.clone(), good(2)]).as_slice()).frames.len(), 2);
    assert_eq!(walk(pcap(Endian::Little, &[good(1), bad, good(2), good(3)]).as_slice()).frames.len(), 3);
}

#[test]
fn a_record_longer_than_on_the_wire_is_read_if_the_next_one_follows() {
    let mut odd = record_header(Endian::Little, 100, 0, 4, 3);
    odd.extend(b"four");
    let file = pcap(Endian::Little, &[odd, record(Endian::Little, 100, 1, b"next")]);
    let walked = walk(file.as_slice());
    assert_eq!(walked.data(), [b"four", b"next"]);
    assert!(walked.errors.is_empty());
}

#[test]
fn a_pcapng_block_with_a_damaged_body_is_reported_and_skipped() {
    let good = packet(NG, 0, 1, b"good");
    let unknown = packet(NG, 7, 1, b"whose");
    let longer = packet_claiming(NG, 0, 1, 4000, b"short");
    let short = block(NG, 6, &[0; 16]);
    let walked = walk(pcapng(&[unknown, good.clone(), longer, good.clone(), short, good]).as_slice());
    assert_eq!(walked.data(), [b"good"; 3]);
    let messages: Vec<String> = walked.errors.iter().map(|error| error.damage.to_string()).collect();
    assert_eq!(
        messages,
        [
            "expected one of the 1 interfaces described so far, found interface 7",
            "expected at most 8 captured bytes in the block, found a length of 4000",
            "expected at least 20 bytes in an enhanced packet block, found 16",
        ]
    );
}

#[test]
fn a_pcapng_block_that_contradicts_its_length_costs_only_itself() {
    let good = packet(NG, 0, 1, b"good");
    for at in [4, good.len() - 4] {
        for length in [0_u32, 3, 8, 37, 40, 48, 0x0100_0004, u32::MAX] {
            let mut bad = packet(NG, 0, 2, b"bad!");
            bad[at..at + 4].copy_from_slice(&length.to_le_bytes());
            let walked = walk(pcapng(&[good.clone(), bad, good.clone(), good.clone()]).as_slice());
            assert_eq!(walked.data(), [b"good"; 3], "length {length} at {at}");
            assert_eq!(walked.errors.len(), 1, "length {length} at {at}");
        }
    }
}

#[test]
fn a_damaged_interface_keeps_its_index() {
    let file = [
        section(NG),
        block(NG, 1, &[0; 4]),
        interface(NG, 101, 0, &[]),
        packet(NG, 0, 1, b"whose"),
        packet(NG, 1, 1, b"good"),
    ];
    let walked = walk(file.concat().as_slice());
    assert_eq!(walked.data(), [b"good"]);
    assert!(matches!(walked.errors[0].damage, Damage::BlockTooShort { needed: 8, found: 4, .. }));
    assert!(matches!(walked.errors[1].damage, Damage::UnknownInterface { interface: 0, known: 2 }));
}

#[test]
fn a_broken_section_header_at_the_start_does_not_hide_the_frames() {
    let mut file = pcapng(&[packet(NG, 0, 1, b"good")]);
    file[8] ^= 0xff;
    let walked = walk(file.as_slice());
    assert_eq!(walked.data(), [b"good"]);
    assert!(matches!(walked.damage(), Damage::ByteOrderMagic { .. }));
}

#[test]
fn a_block_after_lost_bytes_is_found_at_an_odd_offset() {
    let good = packet(NG, 0, 1, b"good");
    let lost = packet(NG, 0, 1, b"lost bytes in here")[..31].to_vec();
    let walked = walk(pcapng(&[good.clone(), lost, good.clone()]).as_slice());
    assert_eq!(walked.data(), [b"good"; 2]);
    assert_eq!(walked.errors.len(), 1);
}
