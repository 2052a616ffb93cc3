//! Valid pcapng files.

use super::build::{BOTH, Endian, block, interface, packet, section};
use super::walk::walk;
use crate::capture::{FileFormat, LinkType, Reader};

const TSRESOL: u16 = 9;
const TSOFFSET: u16 = 14;

type Options<'a> = &'a [(u16, &'a [u8])];

#[test]
fn sections_of_both_byte_orders_have_their_own_interfaces() {
    let mut file = Vec::new();
    for (endian, link) in BOTH.into_iter().zip([1, 276]) {
        file.extend(section(endian));
        file.extend(interface(endian, 101, 0, &[]));
        file.extend(interface(endian, link, 0, &[]));
        file.extend(packet(endian, 1, 3, b"data"));
    }
    let mut reader = Reader::new(file.as_slice()).unwrap();
    assert_eq!(reader.format(), FileFormat::PcapNg);
    for (number, link) in [(1, LinkType::ETHERNET), (2, LinkType::LINUX_SLL2)] {
        let frame = reader.next().unwrap().unwrap();
        assert_eq!((frame.number, frame.time, frame.link, frame.interface), (number, 3000, link, 1));
        assert_eq!(frame.data, b"data");
    }
    assert!(reader.next().is_none());
}

#[test]
fn the_interface_determines_unit_and_origin_of_the_times() {
    let endian = Endian::Big;
    let before_epoch = (-10_i64).to_be_bytes();
    let cases: [(Options<'_>, u64, i64); 9] = [
        (&[], 7, 7000),
        (&[(TSRESOL, &[0])], 7, 7_000_000_000),
        (&[(TSRESOL, &[9])], 7, 7),
        (&[(TSRESOL, &[12])], 7_999, 7),
        (&[(TSRESOL, &[28])], u64::MAX, 1),
        (&[(TSRESOL, &[127])], u64::MAX, 0),
        (&[(TSRESOL, &[0x80 | 10])], 1024 + 512, 1_500_000_000),
        (&[(TSRESOL, &[0xff])], u64::MAX, 0),
        (&[(2, b"lo"), (TSRESOL, &[9]), (TSOFFSET, &before_epoch)], 1, -9_999_999_999),
    ];
    for (options, units, time) in cases {
        let file = [section(endian), interface(endian, 1, 0, options), packet(endian, 0, units, b"")];
        assert_eq!(walk(file.concat().as_slice()).frames[0].0, time, "{options:x?}");
    }
}

#[test]
fn times_beyond_the_type_saturate() {
    let endian = Endian::Little;
    for (offset, time) in [(i64::MIN, i64::MIN), (i64::MAX, i64::MAX)] {
        let options: [(u16, &[u8]); 1] = [(TSOFFSET, &offset.to_le_bytes())];
        let file = [section(endian), interface(endian, 1, 0, &options), packet(endian, 0, 0, b"")];
        assert_eq!(walk(file.concat().as_slice()).frames[0].0, time);
    }
}

#[test]
fn simple_and_obsolete_packet_blocks_are_frames_and_unknown_blocks_are_not() {
    for endian in BOTH {
        let simple = [&endian.u32(9)[..], b"cut."].concat();
        let mut obsolete = [endian.u16(0), endian.u16(77)].concat();
        for field in [0, 2, 3, 60] {
            obsolete.extend(endian.u32(field));
        }
        obsolete.extend(b"old");
        let file = [
            section(endian),
            interface(endian, 1, 4, &[]),
            block(endian, 0x8000_0001, b"private"),
            packet(endian, 0, 1, b"new"),
            block(endian, 5, &[0; 12]),
            block(endian, 3, &simple),
            block(endian, 2, &obsolete),
        ];
        let walked = walk(file.concat().as_slice());
        assert!(walked.errors.is_empty(), "{:?}", walked.errors);
        let expected = [(1000, b"new".to_vec()), (1000, b"cut.".to_vec()), (2000, b"old".to_vec())];
        assert_eq!(walked.frames, expected);
    }
}

#[test]
fn options_after_the_packet_are_not_part_of_it() {
    let endian = Endian::Little;
    let mut body: Vec<u8> = [0, 0, 1, 3, 3].iter().flat_map(|field: &u32| field.to_le_bytes()).collect();
    body.extend(b"abc\0");
    body.extend([2, 0, 4, 0, 1, 1, 1, 1, 0, 0, 0, 0]);
    let file = [section(endian), interface(endian, 1, 0, &[]), block(endian, 6, &body)];
    assert_eq!(walk(file.concat().as_slice()).data(), [b"abc"]);
}
