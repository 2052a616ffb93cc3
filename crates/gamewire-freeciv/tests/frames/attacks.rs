//! Hostile streams: attacks F1 to F5.

use gamewire_freeciv::frame::{FrameErrorKind, FrameLimits, FrameSplitter};

use super::support::{
    chunk, chunk_of, fault, join_reply, jumbo_of, long, packets, short, split, stored, zlib,
};

#[test]
fn f1_a_length_below_the_header_ends_the_stream() {
    for length in 0..3_u8 {
        let expected = FrameErrorKind::Short { length: length.into(), header: 3 };
        assert_eq!(fault(&[0, length, 1]), Some(expected));
        assert_eq!(fault(&[0, length]), Some(expected), "without waiting for more");
        assert_eq!(fault(&chunk(&[0, length, 1])), Some(expected));
    }
    assert_eq!(packets(&[0, 3, 7]).len(), 1);
    let after_reply = [join_reply(), vec![0, 3, 1, 1]].concat();
    assert_eq!(fault(&after_reply), Some(FrameErrorKind::Short { length: 3, header: 4 }));
}

#[test]
fn f1_the_error_is_repeated_with_its_offset() {
    let mut splitter = FrameSplitter::default();
    let stream = [short(1, b"ok"), vec![0, 0, 0]].concat();
    let mut data = stream.as_slice();
    assert!(splitter.next(&mut data).unwrap().is_some());
    let error = splitter.next(&mut data).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid frame at byte 5: the length 0 is shorter than the header of 3 bytes"
    );
    let good = short(1, b"ok");
    assert_eq!(splitter.next(&mut good.as_slice()), Err(error));
}

#[test]
fn f2_chunk_sizes_below_their_header_end_the_stream() {
    for size in 0..2_u16 {
        let length = (16385 + size).to_be_bytes();
        assert_eq!(fault(&length), Some(FrameErrorKind::Short { length: size.into(), header: 2 }));
    }
    assert_eq!(fault(&chunk_of(&[])), Some(FrameErrorKind::Truncated));
    for size in 0..6_u8 {
        let expected = FrameErrorKind::Short { length: size.into(), header: 6 };
        assert_eq!(fault(&[0xff, 0xff, 0, 0, 0, size]), Some(expected));
    }
    assert_eq!(fault(&jumbo_of(&[])), Some(FrameErrorKind::Truncated));
}

#[test]
fn f2_a_huge_chunk_is_rejected_before_it_arrives() {
    for size in [0x8000_0000_u32, 0xffff_ffff, 0x7fff_ffff, (1 << 20) + 1] {
        let header = [&[0xff, 0xff], &size.to_be_bytes()[..]].concat();
        let length = usize::try_from(size).unwrap();
        assert_eq!(fault(&header), Some(FrameErrorKind::LongChunk { length, limit: 1 << 20 }));
        let (_, error) = split(FrameLimits::DEFAULT, header.chunks(1));
        assert!(error.is_some(), "byte by byte");
    }
}

#[test]
fn f3_a_zlib_bomb_ends_at_the_cap() {
    let bomb = zlib(&vec![0; 64 << 20]);
    assert!(bomb.len() < 1 << 17);
    let compressed = bomb.len();
    let expected = FrameLimits::DEFAULT.inflated.min(400 * compressed);
    assert_eq!(fault(&jumbo_of(&bomb)), Some(FrameErrorKind::Inflated { limit: expected }));
    let info = allocation_counter::measure(|| _ = fault(&jumbo_of(&bomb)));
    assert!(info.bytes_max < 14 << 20, "{} bytes", info.bytes_max);
}

#[test]
fn f3_a_small_bomb_ends_at_the_ratio() {
    let bomb = zlib(&vec![0; 1_000_000]);
    let limit = 400 * bomb.len();
    assert!(limit < 1_000_000 && limit > 262_144);
    assert_eq!(fault(&chunk_of(&bomb)), Some(FrameErrorKind::Inflated { limit }));
}

#[test]
fn f3_exactly_the_cap_is_fine() {
    let inside = [short(1, &[7; 1000]), short(1, &[8; 20])].concat();
    let limits = FrameLimits { inflated: inside.len(), ..FrameLimits::DEFAULT };
    assert_eq!(split(limits, [chunk(&inside).as_slice()]).0.len(), 2);
    let limits = FrameLimits { inflated: inside.len() - 1, ..FrameLimits::DEFAULT };
    let limit = inside.len() - 1;
    let error = split(limits, [chunk(&inside).as_slice()]).1.unwrap();
    assert_eq!(error.kind, FrameErrorKind::Inflated { limit });
}

/// Returns a packet inside `depth` nested chunks.
fn nested(depth: usize) -> Vec<u8> {
    let mut stream = short(1, b"core");
    for _ in 0..depth {
        stream = match stored(&stream) {
            small if small.len() < 40_000 => chunk_of(&small),
            large => jumbo_of(&large),
        };
    }
    stream
}

#[test]
fn f4_a_chunk_in_a_chunk_is_rejected() {
    assert_eq!(fault(&nested(1)), None);
    for depth in [2, 3, 10, 10_000] {
        assert_eq!(fault(&nested(depth)), Some(FrameErrorKind::Nested { depth: 1 }), "{depth}");
    }
    let quine = chunk(&jumbo_of(&zlib(&short(1, b"x"))));
    assert_eq!(fault(&quine), Some(FrameErrorKind::Nested { depth: 1 }));
}

#[test]
fn f4_nesting_can_be_allowed_to_a_depth() {
    let limits = FrameLimits { depth: 4, ..FrameLimits::DEFAULT };
    for depth in 1..=4 {
        let stream = [nested(depth), short(2, b"after")].concat();
        let (seen, error) = split(limits, [stream.as_slice()]);
        assert_eq!((seen.len(), error), (2, None), "{depth}");
    }
    let error = split(limits, [nested(5).as_slice()]).1.unwrap();
    assert_eq!(error.kind, FrameErrorKind::Nested { depth: 4 });
}

#[test]
fn f4_without_a_depth_the_cap_ends_it() {
    let limits = FrameLimits { depth: usize::MAX, ..FrameLimits::DEFAULT };
    let stream = nested(10_000);
    let info = allocation_counter::measure(|| {
        let error = split(limits, [stream.as_slice()]).1.unwrap();
        assert!(matches!(error.kind, FrameErrorKind::Inflated { .. }), "{error}");
    });
    // The memory may exceed the limit four times, because capacity is reserved for more bytes than a stored chunk
    // inflates to.
    assert!(info.bytes_max < 17 << 20, "{} bytes", info.bytes_max);
}

#[test]
fn f4_the_cap_counts_all_levels() {
    let inner = chunk(&short(1, &[5; 3000]));
    let outer = chunk(&inner);
    let limits = FrameLimits { depth: 2, inflated: 3003 + inner.len(), ..FrameLimits::DEFAULT };
    assert_eq!(split(limits, [outer.as_slice()]).1, None);
    let limits = FrameLimits { inflated: limits.inflated - 1, ..limits };
    let error = split(limits, [outer.as_slice()]).1.unwrap();
    assert_eq!(error.kind, FrameErrorKind::Inflated { limit: 3002 });
}

#[test]
fn f5_a_broken_zlib_stream_gives_no_packet() {
    let inside = [short(1, b"one"), short(2, b"two")].concat();
    let good = zlib(&inside);
    for cut in 0..good.len() {
        assert_eq!(fault(&chunk_of(&good[..cut])), Some(FrameErrorKind::Truncated), "cut to {cut}");
    }
    for at in good.len() - 4..good.len() {
        let mut wrong_sum = good.clone();
        wrong_sum[at] ^= 1;
        let (seen, error) = split(FrameLimits::DEFAULT, [chunk_of(&wrong_sum).as_slice()]);
        assert_eq!((seen.len(), error.unwrap().kind), (0, FrameErrorKind::Corrupt));
    }
    assert_eq!(fault(&chunk_of(&[0xff; 20])), Some(FrameErrorKind::Corrupt));
}

#[test]
fn f5_bytes_after_the_zlib_stream_are_rejected() {
    let trailing = [zlib(&short(1, b"one")), vec![0; 3]].concat();
    assert_eq!(fault(&chunk_of(&trailing)), Some(FrameErrorKind::Trailing { bytes: 3 }));
    let (_, error) = split(FrameLimits::DEFAULT, chunk_of(&trailing).chunks(1));
    assert_eq!(error.unwrap().kind, FrameErrorKind::Trailing { bytes: 3 });
}

#[test]
fn a_packet_ends_within_its_chunk() {
    let packet = long(1, b"body");
    for cut in 1..packet.len() {
        let inside = [join_reply(), packet[..cut].to_vec()].concat();
        let stream = [chunk(&inside), packet[cut..].to_vec()].concat();
        let fault = fault(&stream);
        assert!(matches!(fault, Some(FrameErrorKind::Straddling { .. })), "{cut}: {fault:?}");
    }
}
