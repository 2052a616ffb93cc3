//! An input that returns one byte at a time, as a slow pipe does, and is interrupted sometimes.

use std::io::{self, ErrorKind, Read};

use super::build::{BOTH, MICROSECONDS, interface, packet, pcap_header, record, section};
use super::walk::walk;

struct Trickle<'a> {
    rest: &'a [u8],
    calls: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(7) {
            return Err(ErrorKind::Interrupted.into());
        }
        let one = buf.len().min(1);
        self.rest.read(&mut buf[..one])
    }
}

#[test]
fn a_pipe_with_single_bytes_has_the_same_frames() {
    for endian in BOTH {
        let pcap = [
            pcap_header(endian, MICROSECONDS, 1),
            record(endian, 1, 2, b"one"),
            record(endian, 1, 3, b"two"),
        ];
        let pcapng = [
            section(endian),
            interface(endian, 1, 0, &[]),
            packet(endian, 0, 1, b"one"),
            packet(endian, 0, 2, b"two"),
        ];
        for file in [pcap.concat(), pcapng.concat()] {
            let walked = walk(Trickle { rest: &file, calls: 0 });
            assert_eq!(walked.data(), [b"one", b"two"]);
            assert!(walked.errors.is_empty());
        }
    }
}

#[test]
fn a_failing_input_is_one_error_at_the_end() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk failed"))
        }
    }
    let good = pcap_header(super::build::Endian::Little, MICROSECONDS, 1);
    let walked = walk(good.as_slice().chain(Broken));
    assert!(walked.frames.is_empty());
    assert_eq!(walked.errors[0].to_string(), "at byte 24: cannot read the input: the disk failed");
    assert_eq!(walked.errors.len(), 1);
}
