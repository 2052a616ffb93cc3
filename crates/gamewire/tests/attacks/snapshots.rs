//! T9: invalid deltas, parts and checksums.

use gamewire::machine::ConversationSide;
use gamewire::teeworlds::Follower;

use super::build::{delta, from_empty, in_parts, ints, message, snap_empty, snap_part, snap_single};
use super::watch::{connected_06, counter, show, survive};

/// A pickup of 0.6: type, number, four integers.
const PICKUP: i32 = 4;
/// The first type with an explicit size.
const SIZED: i32 = 0x4000;
/// A delta without any change.
const NOTHING: [i32; 3] = [0, 0, 0];

/// Returns the first snapshot of a conversation, with `delta` in it.
fn first(delta: &[u8]) -> Vec<u8> {
    message(&snap_single(10, from_empty(10), 0, delta))
}

/// Returns the only error of a delta.
fn refused(delta: &[u8]) -> String {
    let reported = survive(connected_06, &[first(delta)]);
    reported[0].error().to_owned()
}

/// Returns a follower of a conversation with one pickup of `0 1 2 3` in tick 10.
fn with_a_pickup() -> Follower {
    let mut follower = connected_06();
    let pickup = delta(&[], &[&[PICKUP, 0, 0, 1, 2, 3]]);
    let reported =
        show(&mut follower, ConversationSide::Second, &message(&snap_single(10, from_empty(10), 6, &pickup)));
    assert_eq!((reported.errors.len(), counter(&follower, "snapshots")), (0, 1));
    follower
}

#[test]
fn t9_negative_counts_are_rejected() {
    let expected = "snapshot_delta.num_deleted: expected 0 to 1024 items at byte 10, found -1";
    assert_eq!(refused(&ints(&[-1, 0, 0])), expected);
    let expected = "snapshot_delta.num_updated: expected 0 to 1024 items at byte 11, found -1";
    assert_eq!(refused(&ints(&[0, -1, 0])), expected);
}

#[test]
fn t9_more_than_1024_items_are_rejected_before_anything_is_reserved() {
    for count in [1025, 65_536, i32::MAX] {
        assert_eq!(
            refused(&ints(&[0, count, 0])),
            format!("snapshot_delta.num_updated: expected 0 to 1024 items at byte 11, found {count}")
        );
        assert_eq!(
            refused(&ints(&[count, 0, 0])),
            format!("snapshot_delta.num_deleted: expected 0 to 1024 items at byte 10, found {count}")
        );
    }
    // The number is valid, but the item is missing.
    assert!(refused(&ints(&[1024, 0, 0])).starts_with("snapshot_delta.deleted: expected a key"));
    assert!(refused(&ints(&[0, 1024, 0])).starts_with("snapshot_delta.type: expected a type"));
}

#[test]
fn t9_a_snapshot_that_grows_past_1024_items_by_deltas_is_rejected() {
    let half = |start: i32| {
        let items: Vec<[i32; 3]> = (0..600).map(|id| [SIZED, start + id, 0]).collect();
        delta(&[], &items.iter().map(<[i32; 3]>::as_slice).collect::<Vec<_>>())
    };
    let mut follower = connected_06();
    for part in in_parts(10, 0, &half(0)) {
        assert_eq!(show(&mut follower, ConversationSide::Second, &part).errors, [""; 0]);
    }
    assert_eq!(counter(&follower, "snapshots"), 1);
    // Tick 11 has 1200 items; its base is tick 10.
    let second = half(600);
    let mut reported = Vec::new();
    for (data, part) in second.chunks(900).zip(0..) {
        let count = second.chunks(900).len() as i32;
        let mut snap = snap_part(11, count, part, 0, data);
        // `delta` is after the id and the tick, one byte each.
        snap[2] = 1;
        reported = show(&mut follower, ConversationSide::Second, &message(&snap)).errors;
    }
    assert_eq!(reported.len(), 1);
    assert!(reported[0].contains("in a snapshot of 1024 items and 64 KiB"), "{reported:?}");
    assert_eq!(counter(&follower, "bad_snapshots"), 1);
}

#[test]
fn t9_an_item_that_changes_its_size_is_rejected() {
    let mut follower = connected_06();
    let one = delta(&[], &[&[SIZED, 7, 1, 42]]);
    show(&mut follower, ConversationSide::Second, &message(&snap_single(10, from_empty(10), 42, &one)));
    assert_eq!(counter(&follower, "snapshots"), 1);
    for changed in [
        delta(&[], &[&[SIZED, 7, 2, 1, 1]]),
        delta(&[], &[&[SIZED, 7, 0]]),
        // Deleting the item first does not help, because the games compare with the base.
        delta(&[SIZED << 16 | 7], &[&[SIZED, 7, 2, 1, 1]]),
    ] {
        let reported =
            show(&mut follower, ConversationSide::Second, &message(&snap_single(11, 1, 0, &changed)));
        assert!(reported.error().contains("expected an item of the same size"), "{reported:?}");
    }
    assert_eq!(counter(&follower, "bad_snapshots"), 3);
}

#[test]
fn t9_sizes_past_the_end_are_rejected_before_anything_is_reserved() {
    for size in [1, 1000, i32::MAX] {
        let expected =
            format!("snapshot_delta.size: expected no more integers than follow at byte 17, found {size}");
        assert_eq!(refused(&ints(&[0, 1, 0, SIZED, 0, size])), expected);
    }
    let expected = "snapshot_delta.size: expected a size of 0 or more at byte 17, found -1";
    assert_eq!(refused(&ints(&[0, 1, 0, SIZED, 0, -1])), expected);
    // A type of fixed size with too few integers.
    assert_eq!(
        refused(&ints(&[0, 1, 0, PICKUP, 0, 1, 2, 3])),
        "snapshot_delta.data: expected an integer of the item at byte 18, found the end of the data"
    );
}

#[test]
fn t9_a_type_or_key_with_the_sign_bit_is_rejected() {
    assert_eq!(
        refused(&ints(&[0, 1, 0, -1, 0])),
        "snapshot_delta.type: expected a type of 0 to 32767 at byte 13, found -1"
    );
    assert_eq!(
        refused(&ints(&[0, 1, 0, 0x8000, 0])),
        "snapshot_delta.type: expected a type of 0 to 32767 at byte 13, found 32768"
    );
    assert_eq!(
        refused(&ints(&[0, 1, 0, PICKUP, -1])),
        "snapshot_delta.id: expected a number of 0 to 65535 at byte 14, found -1"
    );
    assert_eq!(
        refused(&ints(&[0, 1, 0, PICKUP, 0x1_0000])),
        "snapshot_delta.id: expected a number of 0 to 65535 at byte 14, found 65536"
    );
    assert_eq!(
        refused(&ints(&[1, 0, 0, i32::MIN])),
        "snapshot_delta.deleted: expected a key of 0 or more at byte 13, found -2147483648"
    );
}

#[test]
fn t9_a_missing_base_is_a_warning_and_the_delta_is_reported() {
    let unknown = message(&snap_single(10, 3, 0, &ints(&NOTHING)));
    for odd in [unknown, message(&snap_empty(10, 3)), message(&snap_empty(i32::MIN, i32::MAX))] {
        let reported = survive(connected_06, &[odd]);
        assert_eq!(
            (reported[0].warnings.as_slice(), reported[0].errors.len()),
            (["missing_base".to_owned()].as_slice(), 0)
        );
    }
}

#[test]
fn t9_a_wrong_checksum_is_an_error() {
    let reported = survive(with_a_pickup, &[message(&snap_single(12, 2, 7, &ints(&NOTHING)))]);
    assert_eq!(
        reported[0].error(),
        "snapshot.crc: expected items that match the checksum at byte 10, found 6"
    );
}

#[test]
fn t9_a_snapshot_with_a_wrong_checksum_is_not_stored_as_a_base() {
    let mut follower = with_a_pickup();
    // A forged snapshot for a later tick, and one for the tick of the valid snapshot.
    show(&mut follower, ConversationSide::Second, &message(&snap_single(12, 13, 7, &ints(&NOTHING))));
    show(&mut follower, ConversationSide::Second, &message(&snap_single(10, 11, 7, &ints(&NOTHING))));
    assert_eq!(counter(&follower, "bad_snapshots"), 2);
    let reported =
        show(&mut follower, ConversationSide::Second, &message(&snap_single(13, 1, 0, &ints(&NOTHING))));
    assert_eq!(reported.warnings, ["missing_base"], "tick 12 was never a snapshot");
    let reported =
        show(&mut follower, ConversationSide::Second, &message(&snap_single(14, 4, 6, &ints(&NOTHING))));
    assert_eq!(
        (reported.warnings.len(), reported.errors.len()),
        (0, 0),
        "tick 10 is what it was: {reported:?}"
    );
}

#[test]
fn t9_the_checksum_wraps() {
    let item = delta(&[], &[&[PICKUP, 0, i32::MAX, 1, i32::MIN, i32::MIN]]);
    let reported = survive(connected_06, &[message(&snap_single(10, 11, i32::MIN, &item))]);
    assert_eq!(reported[0].errors, [""; 0]);
}

#[test]
fn t9_parts_that_cannot_be_are_rejected() {
    for (num_parts, part, length, expected) in [
        (0, 0, 900, "snap.num_parts: expected 1 to 64 parts at byte 0, found 0"),
        (-1, 0, 900, "snap.num_parts: expected 1 to 64 parts at byte 0, found -1"),
        (65, 0, 900, "snap.num_parts: expected 1 to 64 parts at byte 0, found 65"),
        (2, 2, 900, "snap.part: expected a part below the number of parts at byte 0, found 2"),
        (
            2,
            i32::MAX,
            900,
            "snap.part: expected a part below the number of parts at byte 0, found 2147483647",
        ),
        (2, -1, 900, "snap.part: expected a part below the number of parts at byte 0, found -1"),
        (2, 0, 899, "snap.data: expected 900 bytes, fewer only in the last part at byte 0, found 899 bytes"),
        (2, 1, 901, "snap.data: expected 900 bytes, fewer only in the last part at byte 0, found 901 bytes"),
    ] {
        let attack = message(&snap_part(10, num_parts, part, 0, &[0; 901][..length]));
        assert_eq!(survive(connected_06, &[attack])[0].error(), expected);
    }
}

#[test]
fn t9_sixty_four_parts_of_sixty_four_ticks_make_no_snapshot() {
    let attack: Vec<Vec<u8>> = (0..64).map(|n| message(&snap_part(n, 64, n, 0, &[0; 900]))).collect();
    let reported = survive(connected_06, &attack);
    assert!(reported.iter().all(|reported| reported.errors.is_empty() && reported.warnings.is_empty()));
}

#[test]
fn t9_parts_that_change_their_number_in_between_are_rejected() {
    let attack = [snap_part(10, 3, 0, 0, &[0; 900]), snap_part(10, 2, 1, 0, &[0; 9])];
    let reported = survive(connected_06, &attack.map(|part| message(&part)));
    assert_eq!(reported[1].error(), "snap.num_parts: expected as many parts as before at byte 0, found 2");
}

#[test]
fn t9_more_than_64_kib_in_all_are_rejected() {
    // 64 parts contain 57,600 integers of one byte: four times the limit of a snapshot.
    let counts = ints(&[0, 1, 0, SIZED, 0]);
    let size = 64 * 900 - counts.len() - 3;
    let huge = [counts, ints(&[size as i32]), vec![1; size]].concat();
    assert_eq!(huge.len(), 64 * 900);
    let reported = survive(connected_06, &in_parts(10, 0, &huge));
    let expected = format!(
        "snapshot_delta: expected an item of the same size, in a snapshot of 1024 items and 64 KiB at byte 3, found {} bytes",
        4 * size
    );
    assert_eq!(reported[63].error(), expected);
}

#[test]
fn t9_an_item_that_comes_twice_counts_once_against_the_base() {
    let twice = delta(&[], &[&[PICKUP, 0, 1, 0, 0, 0], &[PICKUP, 0, 0, 0, 0, 5]]);
    // As in the games, the second update starts from the base again: 0 1 2 3 becomes 0 1 2 8.
    let reported = survive(with_a_pickup, &[message(&snap_single(12, 2, 11, &twice))]);
    assert_eq!(reported[0].errors, [""; 0]);
}

#[test]
fn t9_an_item_deleted_and_changed_at_once_is_changed() {
    let key = PICKUP << 16;
    let both = delta(&[key, key, key], &[&[PICKUP, 0, 0, 0, 0, 1]]);
    let reported = survive(with_a_pickup, &[message(&snap_single(12, 2, 7, &both))]);
    assert_eq!(reported[0].errors, [""; 0]);
    // Deleting a missing item changes nothing.
    let absent = delta(&[key + 1], &[]);
    let reported = survive(with_a_pickup, &[message(&snap_single(12, 2, 6, &absent))]);
    assert_eq!(reported[0].errors, [""; 0]);
}

#[test]
fn t9_sizes_that_no_object_has_are_kept_as_integers() {
    let odd = delta(&[], &[&[SIZED, 0, 3, 1, 2, 3], &[0, 9, 1, 1], &[0x7fff, 65_535, 0]]);
    let reported = survive(connected_06, &[first(&odd)]);
    assert_eq!(reported[0].warnings, ["undeclared_item", "undeclared_item"]);
    assert_eq!(
        reported[0].error(),
        "snapshot.crc: expected items that match the checksum at byte 10, found 7"
    );
}
