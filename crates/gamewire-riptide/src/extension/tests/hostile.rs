use super::support::{BOUNDS, agreed, hear, part, ready, whole};
use crate::Format;
use crate::extension::{ExtensionInbound, ExtensionState};

/// Checks that each packet is a violation, with a new peer for each.
fn all_break(frames: impl IntoIterator<Item = Vec<u8>>) {
    for frame in frames {
        for format in Format::ALL {
            let mut session = agreed(format);
            assert_eq!(hear(&mut session, &frame), ExtensionInbound::Violation, "{frame:?}");
            assert!(session.poll().is_none());
        }
    }
}

/// Checks that the last packet is a violation, and that no other packet is.
fn last_breaks(frames: &[Vec<u8>]) {
    let mut session = agreed(Format::V21);
    let (last, before) = frames.split_last().unwrap();
    for frame in before {
        assert_eq!(hear(&mut session, frame), ExtensionInbound::Frame);
    }
    assert_eq!(hear(&mut session, last), ExtensionInbound::Violation);
}

#[test]
fn r6_truncated_and_unknown_frames_close_the_connection() {
    let part = part(4, 0, 200, 100, 0, &[0; 100]);
    let cut = |frame: Vec<u8>| (0..frame.len()).map(move |end| frame[..end].to_vec());
    all_break(cut(whole(0)).chain(cut(part)));
    all_break((5..=255).map(|kind| [&[kind][..], &[0; 40]].concat()));
}

#[test]
fn r6_bytes_after_a_frame_are_ignored() {
    let mut session = agreed(Format::V21);
    assert_eq!(hear(&mut session, &[whole(0), vec![9; 30]].concat()), ExtensionInbound::Frame);
    assert_eq!(ready(&mut session, Format::V21), [[0, 0]]);
}

#[test]
fn r6_invalid_sizes_and_offsets_close_the_connection() {
    all_break([
        part(3, 0, 200, 0, 0, &[0; 100]),
        part(3, 0, 0, 100, 0, &[0; 100]),
        part(3, 0, 100, 100, 0, &[0; 100]),
        part(3, 0, 200, 100, 2, &[0; 100]),
        part(3, 0, 200, 100, 65_535, &[0; 100]),
        part(3, 0, 200, 100, 1, &[0; 99]),
        part(3, 0, 1_001, 1_000, 0, &[0; 1_000]),
        part(3, 0, u32::MAX / 8, 65_535, 0, &[0; 100]),
        part(4, 0, u32::MAX / 8, 1, 0, &[0; 100]),
        [&[2, 0, 0, 5, 0][..], &u32::MAX.to_le_bytes(), &[0; 100]].concat(),
    ]);
}

#[test]
fn r6_order_numbers_far_ahead_or_past_end_the_connection() {
    all_break([16, 17, 1_000, 32_767, 32_768, 65_535].map(whole));
    all_break([part(4, 16, 200, 100, 0, &[0; 100]), part(4, 65_535, 200, 100, 0, &[0; 100])]);
    last_breaks(&[whole(0), whole(1), whole(0)]);
    last_breaks(&[whole(15), whole(16)]);
}

#[test]
fn r6_duplicate_and_conflicting_parts_close_the_connection() {
    let first = part(4, 0, 200, 100, 0, &[0; 100]);
    last_breaks(&[whole(3), whole(3)]);
    last_breaks(&[first.clone(), first.clone()]);
    last_breaks(&[first.clone(), whole(0)]);
    last_breaks(&[whole(1), part(4, 1, 200, 100, 0, &[0; 100])]);
    // Another length, another size of parts (which would overlap), another id.
    last_breaks(&[first.clone(), part(4, 0, 201, 100, 1, &[0; 100])]);
    last_breaks(&[first.clone(), part(4, 0, 200, 60, 1, &[0; 60])]);
    let mut other_id = part(4, 0, 200, 100, 1, &[0; 100]);
    other_id[3] = 6;
    last_breaks(&[first, other_id]);
}

#[test]
fn r6_values_of_odd_bits_do_not_exist_in_2_0() {
    let odd = vec![2, 0, 0, 5, 0, 13, 0, 0, 0, 1, 2];
    assert_eq!(hear(&mut agreed(Format::V20), &odd), ExtensionInbound::Violation);
    assert_eq!(hear(&mut agreed(Format::V21), &odd), ExtensionInbound::Frame);
}

/// Returns the number of packets before a violation, and the maximum of held bytes.
fn flood(frames: impl IntoIterator<Item = Vec<u8>>) -> (usize, usize) {
    let mut session = agreed(Format::V21);
    let (mut taken, mut most) = (0, 0);
    for frame in frames {
        if hear(&mut session, &frame) == ExtensionInbound::Violation {
            return (taken, most);
        }
        (taken, most) = (taken + 1, most.max(session.held_bytes()));
        assert!(session.poll().is_none());
    }
    panic!("it never ended")
}

#[test]
fn r6_a_peer_that_never_finishes_gets_no_more_than_its_room() {
    // Many messages, few long ones, many parts of one byte, and messages that wait forever for an earlier one.
    let many = flood((0..).map(|number| part(3, number, 20, 10, 0, &[0; 10])));
    let long = flood((0..).map(|number| part(3, number, 1_000, 900, 0, &[0; 900])));
    let tiny = flood((0..999).map(|index| part(3, 0, 1_000, 1, index, &[0])));
    let waiting = flood((1..).map(whole));
    assert_eq!([many.0, long.0, tiny.0, waiting.0], [16, 4, 61, 15]);
    for (_, held) in [many, long, tiny, waiting] {
        assert!(held <= BOUNDS.reassembly_buffer + size_of::<ExtensionState>() + 2_000, "{held}");
    }
}

#[test]
fn r6_claimed_lengths_reserve_no_memory() {
    let mut session = agreed(Format::V21);
    let frames: Vec<_> = (0..8).map(|number| part(3, number, 1_000, 1, 999, &[0])).collect();
    hear(&mut session, &part(3, 9, 1_000, 999, 1, &[0]));
    let taken = allocation_counter::measure(|| {
        for frame in &frames {
            assert_eq!(hear(&mut session, frame), ExtensionInbound::Frame);
        }
    });
    assert!(taken.bytes_max < 8 * 400, "{} bytes", taken.bytes_max);
}
