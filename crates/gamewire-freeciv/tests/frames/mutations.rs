//! Arbitrary bytes as a stream: no panic, and memory use within the limits.

use gamewire_freeciv::frame::FrameLimits;
use proptest::prelude::*;

use super::support::{chunk, join_reply, long, short, split};
use gamewire_sim::random::{Random, rounds};

#[test]
fn damaged_streams_do_no_harm() {
    let inside = [short(0, &[]), join_reply(), long(25, b"hello hello hello"), long(1, &[])].concat();
    let stream = [chunk(&inside), long(25, b"x"), chunk(&long(300, &[1; 40])), long(1, &[])].concat();
    let limits = FrameLimits { depth: 2, ..FrameLimits::DEFAULT };
    let mut noise = Random::new(0x9e37_79b9);
    let (streams, mut failed) = (rounds(20_000, 200_000), 0);
    for _ in 0..streams {
        let mut damaged = stream.clone();
        for _ in 0..=noise.below(3) {
            let at = noise.below(damaged.len());
            damaged[at] = noise.byte();
        }
        damaged.truncate(1 + noise.below(2 * stream.len()));
        let size = 1 + noise.below(damaged.len());
        failed += usize::from(split(limits, damaged.chunks(size)).1.is_some());
    }
    assert!(failed > streams / 4, "{failed}");
}

proptest! {
    #[test]
    fn random_bytes_do_no_harm(stream: Vec<u8>, size in 1..50_usize) {
        split(FrameLimits { depth: 3, ..FrameLimits::DEFAULT }, stream.chunks(size));
    }
}
