//! Writing packets to a stream.

use gamewire_freeciv::frame::{CompressionLevel, FrameWriter, WriteError};
use gamewire_sim::random::Random;

use super::support::{join_reply, long, packets, short};

fn writer() -> FrameWriter {
    FrameWriter::new(CompressionLevel::DEFAULT)
}

/// Returns bytes that do not compress.
fn noise(count: usize) -> Vec<u8> {
    Random::new(1).bytes(count)
}

#[test]
fn plain_packets_leave_at_once_with_the_width_of_their_time() {
    let (mut writer, mut out) = (writer(), Vec::new());
    writer.write(29, b"3.0", &mut out).unwrap();
    writer.write(5, &[1, b'h', b'i', 0], &mut out).unwrap();
    writer.write(25, b"hello", &mut out).unwrap();
    assert_eq!(out, [short(29, b"3.0"), join_reply(), long(25, b"hello")].concat());
}

#[test]
fn frozen_packets_leave_together_at_the_last_thaw() {
    let (mut writer, mut out) = (writer(), Vec::new());
    writer.freeze();
    writer.freeze();
    writer.write(5, &[1, 0, 0, 0], &mut out).unwrap();
    (0..20).for_each(|_| writer.write(25, b"the same again", &mut out).unwrap());
    writer.thaw(&mut out);
    assert!(out.is_empty());
    assert_eq!(writer.waiting(), 7 + 20 * 18);
    writer.thaw(&mut out);
    assert!(out.len() < 60, "{}", out.len());
    assert!(u16::from_be_bytes([out[0], out[1]]) > 16385);
    let seen = packets(&out);
    assert_eq!(seen.len(), 21);
    assert!(seen[1..].iter().all(|packet| packet.number == 25 && packet.body == b"the same again"));
    writer.thaw(&mut out);
    writer.write(1, &[], &mut out).unwrap();
    assert_eq!(packets(&out).len(), 22, "a thaw too many does no harm");
}

#[test]
fn incompressible_data_is_sent_uncompressed() {
    let (mut writer, mut out) = (writer(), Vec::new());
    writer.freeze();
    writer.write(0, &[], &mut out).unwrap();
    writer.write(1, &noise(100), &mut out).unwrap();
    writer.thaw(&mut out);
    assert_eq!(out, [short(0, &[]), short(1, &noise(100))].concat());
}

#[test]
fn level_0_never_compresses() {
    let (mut writer, mut out) = (FrameWriter::new(CompressionLevel::new(0)), Vec::new());
    writer.freeze();
    (0..9).for_each(|_| writer.write(1, &[0; 50], &mut out).unwrap());
    writer.thaw(&mut out);
    assert_eq!(out, short(1, &[0; 50]).repeat(9));
}

#[test]
fn the_level_is_spelt_as_in_freeciv() {
    for (text, level) in [("0", 0), ("9", 9), ("1", 1), ("-1", 6), ("10", 6), ("fast", 6), (" 3\n", 3)] {
        assert_eq!(CompressionLevel::from_text(text).get(), level, "{text:?}");
    }
}

#[test]
fn large_chunks_have_a_32_bit_size() {
    let mut largest_small = 0;
    for bodies in 20..30 {
        let (mut writer, mut out) = (writer(), Vec::new());
        writer.freeze();
        for _ in 0..bodies {
            // Two thirds of the body do not compress, so that chunks of about 49,150 bytes result.
            let body = [noise(2000), vec![0; 1000]].concat();
            writer.write(1, &body, &mut out).unwrap();
        }
        (0..100).for_each(|n| writer.write(2, &noise(300 + n), &mut out).unwrap());
        writer.thaw(&mut out);
        assert_eq!(packets(&out).len(), bodies + 100);
        if out[..2] != [0xff, 0xff] {
            largest_small = largest_small.max(out.len());
        }
    }
    assert!(largest_small < 49_150);
}

#[test]
fn the_border_of_jumbo_chunks_is_49150_bytes() {
    let mut forms = [0, 0];
    for size in 0..24 {
        let (mut writer, mut out) = (writer(), Vec::new());
        writer.freeze();
        let all = noise(48_990 + size * 8);
        all.chunks(4000).for_each(|body| writer.write(1, body, &mut out).unwrap());
        writer.write(2, &[0; 3000], &mut out).unwrap();
        writer.thaw(&mut out);
        let is_jumbo = out[..2] == [0xff, 0xff];
        forms[usize::from(is_jumbo)] += 1;
        if is_jumbo {
            assert!(out.len() >= 49_150 + 4);
        } else {
            assert!(out.len() < 49_150);
        }
        assert_eq!(packets(&out).len(), all.chunks(4000).len() + 1);
    }
    assert!(forms.iter().all(|&count| count > 0), "both forms occur: {forms:?}");
}

#[test]
fn a_full_queue_leaves_as_a_chunk_of_its_own() {
    let (mut writer, mut out) = (writer(), Vec::new());
    writer.freeze();
    for _ in 0..100 {
        writer.write(1, &[7; 4000], &mut out).unwrap();
        assert!(writer.waiting() <= FrameWriter::MAX_QUEUE_BYTES);
    }
    let first = packets(&out).len();
    assert_eq!(first, 262_144 / 4003);
    writer.thaw(&mut out);
    assert_eq!(packets(&out).len(), 100);
}

#[test]
fn an_oversized_packet_is_rejected_without_effect() {
    let (mut writer, mut out) = (writer(), Vec::new());
    let error = writer.write(1, &[0; 4094], &mut out).unwrap_err();
    assert_eq!(error, WriteError::LongPacket { length: 4097, limit: 4096 });
    writer.write(1, &[0; 4093], &mut out).unwrap();
    let error = writer.write(256, &[], &mut out).unwrap_err();
    assert_eq!(error, WriteError::LongType { number: 256 });
    writer.use_wide_types();
    writer.write(256, &[], &mut out).unwrap();
    assert_eq!(out.len(), 4096 + 4);
}
