//! One-byte and two-byte types.

use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};

use super::support::{chunk, join_reply, long, packets, short, split};

fn numbers(stream: &[u8]) -> Vec<u16> {
    packets(stream).iter().map(|packet| packet.number).collect()
}

#[test]
fn types_widen_after_the_accepting_join_reply_within_a_chunk() {
    let inside =
        [short(0, &[]), short(29, b"3.0"), join_reply(), long(25, b"hello"), long(256, &[])].concat();
    let stream = [chunk(&inside), long(1, &[])].concat();
    assert_eq!(numbers(&stream), [0, 29, 5, 25, 256, 1]);
    let seen = packets(&stream);
    assert_eq!(seen[3].body, b"hello");
    assert_eq!((seen[3].stream, seen[3].inflated), (0, Some(3 + 6 + 7)));
    assert_eq!(seen[5].inflated, None);
}

#[test]
fn a_rejecting_reply_leaves_them_short() {
    assert_eq!(numbers(&[short(5, &[0, 0, 0]), short(7, &[9])].concat()), [5, 7]);
}

#[test]
fn f9_packets_after_the_reply_in_one_read_have_wide_types() {
    let stream = [join_reply(), long(0x0105, &[1]), long(5, &[1])].concat();
    assert_eq!(numbers(&stream), [5, 0x0105, 5]);
}

#[test]
fn wide_types_can_be_enabled_for_the_other_direction() {
    let mut splitter = FrameSplitter::default();
    let stream = [short(4, b"join"), long(26, b"/start")].concat();
    let mut data = stream.as_slice();
    assert_eq!(splitter.next(&mut data).unwrap().unwrap().number, 4);
    splitter.use_wide_types();
    assert_eq!(splitter.next(&mut data).unwrap().unwrap().number, 26);
    assert_eq!(splitter.next(&mut data), Ok(None));
    assert_eq!(splitter.pending_bytes(), 0);
}

#[test]
fn each_chunk_is_a_zlib_stream_of_its_own() {
    let one = chunk(&[short(1, b"aaaaaaaa"), short(1, b"aaaaaaaa")].concat());
    let stream = [one.clone(), short(2, b"b"), one.clone(), one].concat();
    assert_eq!(numbers(&stream), [1, 1, 2, 1, 1, 1, 1]);
}

#[test]
fn an_unfinished_frame_is_detected() {
    let mut splitter = FrameSplitter::default();
    let stream = [short(1, b"body"), short(2, b"bo")].concat();
    assert!(splitter.next(&mut &stream[..7]).unwrap().is_some());
    assert_eq!(splitter.pending_bytes(), 0, "directly after a packet");
    for end in 1..short(1, b"body").len() {
        let mut splitter = FrameSplitter::default();
        let stream = short(1, b"body");
        assert_eq!(splitter.next(&mut &stream[..end]), Ok(None));
        assert_eq!(splitter.pending_bytes(), end as u64);
    }
    let mut splitter = FrameSplitter::default();
    let stream = chunk(&short(1, b"body"));
    assert_eq!(splitter.next(&mut &stream[..9]), Ok(None));
    assert_eq!(splitter.pending_bytes(), 9);
    assert_eq!(split(FrameLimits::DEFAULT, [&stream[..9], &stream[9..]]).0.len(), 1);
}
