//! Valid pcap files.

use super::build::{BOTH, Endian, MICROSECONDS, NANOSECONDS, pcap_header, record, record_header};
use super::walk::walk;
use crate::capture::{Damage, FileFormat, LinkType, Reader};

#[test]
fn records_in_either_byte_order_have_their_time_in_nanoseconds() {
    for endian in BOTH {
        for (magic, time) in [(MICROSECONDS, 5_000_007_000), (NANOSECONDS, 5_000_000_007)] {
            let file = [pcap_header(endian, magic, 1), record(endian, 5, 7, b"data")].concat();
            assert_eq!(walk(file.as_slice()).frames, [(time, b"data".to_vec())], "{endian:?} {magic:x}");
        }
    }
}

#[test]
fn a_frame_has_its_number_link_type_and_length_on_the_wire() {
    let endian = Endian::Big;
    let mut file = [pcap_header(endian, MICROSECONDS, 0xf400_0071), record(endian, 1, 0, b"a")].concat();
    file.extend(record_header(endian, 1, 1, 2, 1500));
    file.extend(b"bb");
    let mut reader = Reader::new(file.as_slice()).unwrap();
    assert_eq!(reader.format(), FileFormat::Pcap);
    let first = reader.next().unwrap().unwrap();
    assert_eq!((first.number, first.link, first.is_cut()), (1, LinkType::LINUX_SLL, false));
    let second = reader.next().unwrap().unwrap();
    assert_eq!((second.number, second.original_len, second.is_cut()), (2, 1500, true));
    assert_eq!(reader.position(), file.len() as u64);
}

#[test]
fn the_records_of_kuznetzovs_variant_have_eight_more_bytes() {
    let endian = Endian::Little;
    let mut file = pcap_header(endian, 0xa1b2_cd34, 1);
    for data in [b"one", b"two"] {
        file.extend(record_header(endian, 1, 0, 3, 3));
        file.extend([0xee; 8]);
        file.extend(data);
    }
    assert_eq!(walk(file.as_slice()).data(), [b"one", b"two"]);
}

#[test]
fn an_input_that_is_not_a_capture_is_an_error_with_its_first_bytes() {
    let text = Reader::new(&b"GET / HTTP/1.1"[..]).err().unwrap();
    assert_eq!(text.to_string(), "at byte 0: expected the magic number of pcap or pcapng, found 47:45:54:20");
    let gzip = Reader::new(&[0x1f, 0x8b, 8, 0, 0][..]).err().unwrap();
    assert!(gzip.to_string().ends_with("(gzip: unpack the file first)"));
    let empty = Reader::new(&b""[..]).err().unwrap();
    assert_eq!(
        empty.to_string(),
        "at byte 0: the file is truncated: expected 4 bytes of a file header, found 0"
    );
    let mut future = pcap_header(Endian::Little, MICROSECONDS, 1);
    future[4] = 3;
    let rejected = Reader::new(future.as_slice()).err().unwrap();
    assert!(matches!(rejected.damage, Damage::Version { major: 3, minor: 4, .. }));
}

#[test]
fn a_record_longer_than_the_snap_length_is_read() {
    let mut file = pcap_header(Endian::Little, MICROSECONDS, 1);
    file[16..20].copy_from_slice(&64_u32.to_le_bytes());
    file.extend(record(Endian::Little, 1, 0, &[7; 1000]));
    assert_eq!(walk(file.as_slice()).data(), [[7; 1000]]);
}
