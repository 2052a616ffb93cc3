//! The packets do not depend on how a stream is split.

use gamewire_freeciv::frame::FrameLimits;
use proptest::prelude::*;

use super::support::{Seen, chunk, join_reply, jumbo_of, long, packets, short, split, zlib};

fn stream() -> Vec<u8> {
    let text: Vec<u8> = (0..900_u32).flat_map(u32::to_be_bytes).collect();
    let first = [short(0, &[]), join_reply(), long(25, &text), long(1, &[])].concat();
    let second = [long(25, b"x"), long(300, &text)].concat();
    [chunk(&first), long(88, &[]), jumbo_of(&zlib(&second)), long(25, b"end")].concat()
}

fn cut(stream: &[u8], size: usize) -> Vec<Seen> {
    let (seen, error) = split(FrameLimits::DEFAULT, stream.chunks(size));
    assert_eq!(error, None, "reads of {size}");
    seen
}

#[test]
fn reads_of_any_size_give_the_same_packets() {
    let stream = stream();
    let whole = packets(&stream);
    assert_eq!(whole.len(), 8);
    for size in 1..=64 {
        assert_eq!(cut(&stream, size), whole);
    }
}

#[test]
fn one_cut_anywhere_gives_the_same_packets() {
    let stream = stream();
    let whole = packets(&stream);
    for at in 0..=stream.len() {
        let (one, other) = stream.split_at(at);
        assert_eq!(split(FrameLimits::DEFAULT, [one, other]), (whole.clone(), None), "cut at {at}");
    }
}

proptest! {
    #[test]
    fn errors_do_not_depend_on_the_cut(
        damage in 0..4000_usize, byte: u8, size in 1..200_usize
    ) {
        let mut stream = stream();
        let at = damage % stream.len();
        stream[at] = byte;
        let whole = split(FrameLimits::DEFAULT, [stream.as_slice()]);
        let (seen, error) = split(FrameLimits::DEFAULT, stream.chunks(size));
        prop_assert_eq!(&seen, &whole.0);
        // The kind of error may differ, because zlib may find the damage or the end first. The offset must not differ.
        prop_assert_eq!(error.map(|error| error.offset), whole.1.map(|error| error.offset));
    }
}
