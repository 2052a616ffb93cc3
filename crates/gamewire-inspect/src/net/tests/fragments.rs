//! IP fragments, valid and hostile.

use super::frames::{
    DESTINATION_OPTIONS, UDP, datagram, decode, extension, frame, ipv4_fragment, ipv6_fragment, skipped, udp,
};
use crate::capture::{Frame, LinkType};
use crate::net::{Decoder, DefragLimits, PacketError, SkipReason};

type Write = fn(u16, u16, bool, &[u8]) -> Vec<u8>;

const FOUR: Write = |id, offset, more, payload| ipv4_fragment(UDP, id, offset, more, payload);
const SIX: Write = |id, offset, more, payload| ipv6_fragment(UDP, u32::from(id), offset, more, payload);

fn big_datagram() -> Vec<u8> {
    udp(&(0..2000_u32).flat_map(u32::to_be_bytes).collect::<Vec<_>>())
}

/// Returns the fragments of `payload`, `size` bytes each.
fn split(write: Write, id: u16, payload: &[u8], size: usize) -> Vec<Vec<u8>> {
    let count = payload.len().div_ceil(size);
    let write_one =
        |(n, piece): (usize, &[u8])| write(id, u16::try_from(n * size).unwrap(), n + 1 < count, piece);
    payload.chunks(size).enumerate().map(write_one).collect()
}

#[test]
fn fragments_in_any_order_and_duplicated_are_reassembled_once() {
    let whole = big_datagram();
    for write in [FOUR, SIX] {
        for rotation in 0..6 {
            let mut fragments = split(write, 1, &whole, 1480);
            assert_eq!(fragments.len(), 6);
            fragments.rotate_left(rotation);
            fragments.swap(1, 3);
            fragments.insert(2, fragments[0].clone());
            let mut decoder = Decoder::new();
            let last = fragments.pop().unwrap();
            for fragment in &fragments {
                assert_eq!(skipped(decode(&mut decoder, fragment)), SkipReason::FragmentPending);
            }
            assert_eq!(datagram(decode(&mut decoder, &last)).data, &whole[8..]);
        }
    }
}

#[test]
fn interleaved_datagrams_do_not_mix() {
    let (one, two) = (udp(&[1; 64]), udp(&[2; 64]));
    let mut decoder = Decoder::new();
    let ones = split(FOUR, 1, &one, 40);
    let twos = split(FOUR, 2, &two, 40);
    assert_eq!(skipped(decode(&mut decoder, &ones[0])), SkipReason::FragmentPending);
    assert_eq!(skipped(decode(&mut decoder, &twos[1])), SkipReason::FragmentPending);
    assert_eq!(datagram(decode(&mut decoder, &ones[1])).data, [1; 64]);
    assert_eq!(datagram(decode(&mut decoder, &twos[0])).data, [2; 64]);
}

#[test]
fn extension_headers_inside_a_fragmented_datagram_are_skipped_when_it_is_whole() {
    let inner = [&extension(UDP)[..], &udp(b"data")].concat();
    // The second fragment has another protocol, but only the protocol of the first one counts.
    let first = ipv6_fragment(DESTINATION_OPTIONS, 5, 0, true, &inner[..8]);
    let second = ipv6_fragment(6, 5, 8, false, &inner[8..]);
    for [earlier, later] in [[&first, &second], [&second, &first]] {
        let mut decoder = Decoder::new();
        assert_eq!(skipped(decode(&mut decoder, earlier)), SkipReason::FragmentPending);
        assert_eq!(datagram(decode(&mut decoder, later)).data, b"data");
    }
}

#[test]
fn a_reused_identification_is_a_new_datagram() {
    let (old, new) = (udp(&[1; 64]), udp(&[2; 64]));
    let mut decoder = Decoder::new();
    let stale = split(FOUR, 1, &old, 40);
    assert_eq!(skipped(decode(&mut decoder, &stale[0])), SkipReason::FragmentPending);
    let fresh = split(FOUR, 1, &new, 40);
    let at = |data| Frame { time: 31_000_000_000, ..frame(LinkType::RAW, data) };
    assert_eq!(skipped(decoder.decode(&at(&fresh[1]))), SkipReason::FragmentPending);
    assert_eq!(datagram(decoder.decode(&at(&fresh[0]))).data, [2; 64]);
}

#[test]
fn g3_an_overlap_with_different_bytes_drops_the_datagram_and_its_later_fragments() {
    let whole = udp(&[7; 64]);
    for write in [FOUR, SIX] {
        for (offset, len) in [(0, 16), (8, 24), (32, 8), (16, 56)] {
            let mut decoder = Decoder::new();
            assert_eq!(
                skipped(decode(&mut decoder, &write(1, 0, true, &whole[..40]))),
                SkipReason::FragmentPending
            );
            let evil = write(1, offset, true, &vec![0xee; len]);
            let conflict = Err(PacketError::FragmentConflict { offset: usize::from(offset) });
            assert_eq!(decode(&mut decoder, &evil), conflict);
            assert!(decode(&mut decoder, &write(1, 40, false, &whole[40..])).is_err());
            assert!(decode(&mut decoder, &write(1, 0, true, &whole[..40])).is_err());
            assert_eq!(decoder.buffered_bytes(), 0);
        }
    }
}

#[test]
fn g3_different_ends_drop_the_datagram() {
    // Each pair: offset and length of a fragment, and whether more follow.
    let pairs = [
        ((16, 8, false), (24, 8, true)),
        ((16, 8, false), (24, 8, false)),
        ((16, 8, false), (8, 8, false)),
        ((16, 8, true), (8, 8, false)),
    ];
    for (first, second) in pairs {
        let mut decoder = Decoder::new();
        let write = |(offset, len, more)| FOUR(1, offset, more, &vec![0; len]);
        assert_eq!(skipped(decode(&mut decoder, &write(first))), SkipReason::FragmentPending);
        let result = decode(&mut decoder, &write(second)).unwrap_err();
        assert!(matches!(result, PacketError::FragmentConflict { .. }), "{first:?} {second:?}");
    }
}

#[test]
fn g3_fragments_with_impossible_bounds_are_errors() {
    let mut decoder = Decoder::new();
    for (offset, len, more) in
        [(0, 0, true), (8, 0, false), (0, 7, true), (65_528, 16, false), (64_000, 1536, false)]
    {
        let packet = FOUR(1, offset, more, &vec![0; len]);
        let misplaced = PacketError::FragmentBounds { offset: usize::from(offset), len };
        assert_eq!(decode(&mut decoder, &packet), Err(misplaced));
        decoder = Decoder::new();
    }
}

#[test]
fn g3_a_flood_of_first_fragments_stays_within_the_limits() {
    let limits = DefragLimits { datagrams: 8, ..DefragLimits::default() };
    let mut decoder = Decoder::with_limits(limits);
    for id in 0..50_000_u32 {
        // The offset makes each datagram use the maximum memory.
        let packet = ipv6_fragment(UDP, id, 65_520, true, &[0; 8]);
        assert_eq!(skipped(decode(&mut decoder, &packet)), SkipReason::FragmentPending);
        assert!(decoder.buffered_bytes() <= limits.worst_case_bytes());
    }
    let whole = udp(&[7; 64]);
    let fragments = split(FOUR, 1, &whole, 40);
    assert_eq!(skipped(decode(&mut decoder, &fragments[0])), SkipReason::FragmentPending);
    assert_eq!(datagram(decode(&mut decoder, &fragments[1])).data, [7; 64]);
}

#[test]
fn g3_tiny_fragments_with_gaps_stay_within_the_limits() {
    let limits = DefragLimits { datagrams: 2, ..DefragLimits::default() };
    let mut decoder = Decoder::with_limits(limits);
    for id in 0..4 {
        for n in 0..4095 {
            assert_eq!(
                skipped(decode(&mut decoder, &FOUR(id, n * 16, true, &[0; 8]))),
                SkipReason::FragmentPending
            );
        }
        assert!(decoder.buffered_bytes() <= limits.worst_case_bytes());
    }
    assert!(limits.worst_case_bytes() < 512 * 1024);
}

#[test]
fn g3_tiny_fragments_are_reassembled() {
    let whole = big_datagram();
    let mut decoder = Decoder::new();
    let fragments = split(FOUR, 3, &whole, 8);
    let (last, rest) = fragments.split_first().unwrap();
    for fragment in rest.iter().rev() {
        assert_eq!(skipped(decode(&mut decoder, fragment)), SkipReason::FragmentPending);
    }
    assert_eq!(datagram(decode(&mut decoder, last)).data, &whole[8..]);
}
