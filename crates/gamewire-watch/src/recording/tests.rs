//! Tests that read recordings back, also after a disk became full.

use std::cell::RefCell;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::rc::Rc;

use gamewire_inspect::capture::{Damage, FileFormat, LinkType, Reader};
use gamewire_inspect::net::{Decoder, Payload};

use super::{RecordError, Recorder};

const TIME: i64 = 1_700_000_000_123_456_789;

/// A disk of limited size that a test can read while it is written.
#[derive(Clone, Default)]
struct Disk {
    bytes: Rc<RefCell<Vec<u8>>>,
    room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut held = self.bytes.borrow_mut();
        let fits = bytes.len().min(self.room - held.len());
        if fits == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        held.extend(&bytes[..fits]);
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

/// A recorded datagram: time, source, destination, payload.
type Seen = (i64, SocketAddr, SocketAddr, Vec<u8>);

/// Returns the datagrams of a capture, and its damages.
fn read(bytes: &[u8]) -> (Vec<Seen>, Vec<Damage>) {
    let mut reader = Reader::new(bytes).unwrap();
    assert_eq!(reader.format(), FileFormat::PcapNg);
    let mut decoder = Decoder::new();
    let (mut seen, mut damages) = (Vec::new(), Vec::new());
    while let Some(frame) = reader.next() {
        match frame {
            Ok(frame) => {
                assert_eq!((frame.link, frame.is_cut()), (LinkType::RAW, false));
                match decoder.decode(&frame).unwrap() {
                    Payload::Udp(udp) => {
                        seen.push((frame.time, udp.source, udp.destination, udp.data.to_vec()));
                    }
                    other => panic!("{other:?}"),
                }
            }
            Err(error) => damages.push(error.damage),
        }
    }
    (seen, damages)
}

/// Returns the ones' complement sum of 16-bit words; it is ffff if a checksum is correct.
fn sum(parts: &[&[u8]]) -> u32 {
    let bytes = parts.concat();
    let words = bytes.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0)));
    let sum: u32 = words.sum();
    (sum & 0xffff) + (sum >> 16)
}

#[test]
fn a_recording_reads_back_the_same() {
    let disk = Disk { room: usize::MAX, ..Disk::default() };
    let sent = vec![
        (TIME, address("10.0.0.1:40000"), address("10.0.0.2:8303"), vec![0x10, 0, 0, 1]),
        (TIME + 1, address("10.0.0.2:8303"), address("10.0.0.1:40000"), vec![]),
        (TIME - 5, address("[fd00::1]:40000"), address("[fd00::2]:8303"), vec![7; 1400]),
        (0, address("[::1]:1"), address("[::1]:65535"), vec![1, 2, 3]),
    ];
    let mut recorder = Recorder::new(disk.clone()).unwrap();
    for (time, source, destination, payload) in &sent {
        recorder.datagram(*time, *source, *destination, payload).unwrap();
    }
    drop(recorder);
    let (seen, damages) = read(&disk.bytes.borrow());
    assert_eq!(seen, sent);
    assert!(damages.is_empty(), "{damages:?}");
}

#[test]
fn a_mapped_address_is_written_as_ipv4() {
    let disk = Disk { room: usize::MAX, ..Disk::default() };
    let mut recorder = Recorder::new(disk.clone()).unwrap();
    recorder.datagram(TIME, address("[::ffff:10.0.0.1]:1"), address("10.0.0.2:2"), &[1]).unwrap();
    recorder.datagram(-1, address("[::ffff:10.0.0.1]:1"), address("[fd00::2]:2"), &[2]).unwrap();
    drop(recorder);
    let (seen, _) = read(&disk.bytes.borrow());
    assert_eq!(seen[0], (TIME, address("10.0.0.1:1"), address("10.0.0.2:2"), vec![1]));
    assert_eq!(seen[1], (0, address("[::ffff:10.0.0.1]:1"), address("[fd00::2]:2"), vec![2]));
}

#[test]
fn checksums_are_right() {
    let mut packet = Vec::new();
    for payload in [&b""[..], b"odd", b"even", &[0xff; 1400]] {
        super::headers::udp(address("10.0.0.1:40000"), address("10.0.0.2:8303"), payload, &mut packet)
            .unwrap();
        packet.extend_from_slice(payload);
        let (ip, udp) = packet.split_at(20);
        let length = (udp.len() as u32).to_be_bytes();
        assert_eq!(sum(&[ip]), 0xffff);
        assert_eq!(sum(&[&ip[12..], &[0, 0, 0, 17], &length, udp]), 0xffff, "{} bytes", payload.len());

        super::headers::udp(address("[fd00::1]:40000"), address("[fd00::2]:8303"), payload, &mut packet)
            .unwrap();
        packet.extend_from_slice(payload);
        let (ip, udp) = packet.split_at(40);
        assert_eq!(sum(&[&ip[8..], &[0, 0, 0, 17], &length, udp]), 0xffff, "{} bytes", payload.len());
    }
}

#[test]
fn a_datagram_that_udp_cannot_carry_does_not_end_the_recording() {
    let disk = Disk { room: usize::MAX, ..Disk::default() };
    let mut recorder = Recorder::new(disk.clone()).unwrap();
    let (source, destination) = (address("10.0.0.1:1"), address("10.0.0.2:2"));
    let error = recorder.datagram(TIME, source, destination, &[0; 65_508]).unwrap_err();
    assert!(matches!(error, RecordError::TooLong { length: 65_508 }), "{error}");
    recorder.datagram(TIME, source, destination, &[1]).unwrap();
    recorder.flush().unwrap();
    assert_eq!(read(&disk.bytes.borrow()).0.len(), 1);
}

#[test]
fn g8_a_full_disk_ends_the_recording_with_one_error_and_keeps_every_whole_packet() {
    let (source, destination) = (address("10.0.0.1:1"), address("10.0.0.2:2"));
    let all = Disk { room: usize::MAX, ..Disk::default() };
    let mut recorder = Recorder::new(all.clone()).unwrap();
    let header = all.bytes.borrow().len();
    recorder.datagram(TIME, source, destination, &[1; 30]).unwrap();
    recorder.flush().unwrap();
    let block = all.bytes.borrow().len() - header;
    for room in header..header + 4 * block {
        let disk = Disk { room, ..Disk::default() };
        let mut recorder = Recorder::new(disk.clone()).unwrap();
        let mut errors = Vec::new();
        for _ in 0..6 {
            let recorded = recorder.datagram(TIME, source, destination, &[1; 30]);
            let flushed = recorder.flush();
            errors.extend(recorded.err().map(|error| error.to_string()));
            errors.extend(flushed.err().map(|error| error.to_string()));
        }
        let whole = (room - header) / block;
        assert_eq!(
            errors,
            [format!("cannot write the capture, which ends after {whole} frames: no storage space")]
        );
        assert_eq!(recorder.dropped_packets(), 6 - whole as u64);
        drop(recorder);
        let (seen, damages) = read(&disk.bytes.borrow());
        assert_eq!(seen.len(), whole);
        let is_cut = !(room - header).is_multiple_of(block);
        assert_eq!(damages.len(), usize::from(is_cut), "{damages:?}");
    }
}

#[test]
fn g8_a_disk_that_fills_up_within_many_packets_keeps_those_that_fit() {
    let (source, destination) = (address("10.0.0.1:1"), address("10.0.0.2:2"));
    let disk = Disk { room: 100_000, ..Disk::default() };
    let mut recorder = Recorder::new(disk.clone()).unwrap();
    let errors =
        (0..400).filter(|_| recorder.datagram(TIME, source, destination, &[1; 1000]).is_err()).count();
    let (seen, _) = read(&disk.bytes.borrow());
    assert_eq!((errors, seen.len() as u64 + recorder.dropped_packets()), (1, 400));
    assert!(seen.len() > 90, "{}", seen.len());
}
