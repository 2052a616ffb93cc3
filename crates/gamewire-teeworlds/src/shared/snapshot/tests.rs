//! A sender and a receiver with a lossy network between them.
#![allow(clippy::arithmetic_side_effects, clippy::cast_sign_loss, reason = "a test's own numbers")]

use super::*;
use crate::shared::data::SizedData;
use crate::shared::pack::FifthByte;
use crate::shared::system::{Snap, SnapEmpty, SnapSingle};
use crate::shared::version::{SnapshotMessage, Version};
use crate::v06::V06;
use crate::v07::V07;

const PLAIN: FifthByte = FifthByte::Teeworlds;

/// Returns a snapshot of `count` characters. One in ten moves at each tick, and one joins and leaves.
fn game(tick: i32, count: u16) -> Snapshot {
    let mut snapshot = Snapshot::new();
    for id in 0..count {
        let at = (tick + i32::from(id)) / 10 * 1000;
        let ints: Vec<i32> = (0..22).map(|field| at.wrapping_mul(field * 12_345)).collect();
        snapshot.insert(Key { kind: 9, id }, &ints).unwrap();
    }
    if tick % 7 < 3 {
        snapshot.insert(Key { kind: 4, id: 3 }, &[tick, 1, 2, 3]).unwrap();
    }
    snapshot
}

/// Returns the messages of `tick` with copies of their data.
fn send(sender: &mut Sender, tick: i32, snapshot: &Snapshot) -> Vec<(SnapshotMessage<'static>, Vec<u8>)> {
    let mut workbench = DeltaScratch::default();
    let messages = sender.send(tick, snapshot, V06::SIZES, &mut workbench).unwrap();
    messages
        .map(|message| match message {
            SnapshotMessage::Empty(snap) => (SnapshotMessage::Empty(snap), Vec::new()),
            SnapshotMessage::Single(snap) => {
                (SnapshotMessage::Single(SnapSingle { data: SizedData(&[]), ..snap }), snap.data.0.to_vec())
            }
            SnapshotMessage::Part(snap) => {
                (SnapshotMessage::Part(Snap { data: SizedData(&[]), ..snap }), snap.data.0.to_vec())
            }
        })
        .collect()
}

fn with_data<'a>(message: &SnapshotMessage<'_>, bytes: &'a [u8]) -> SnapshotMessage<'a> {
    let data = SizedData(bytes);
    match *message {
        SnapshotMessage::Empty(snap) => SnapshotMessage::Empty(snap),
        SnapshotMessage::Single(snap) => SnapshotMessage::Single(SnapSingle { data, ..snap }),
        SnapshotMessage::Part(snap) => SnapshotMessage::Part(Snap { data, ..snap }),
    }
}

fn receive<'r>(receiver: &'r mut Receiver, sent: &(SnapshotMessage<'_>, Vec<u8>)) -> SnapshotOutcome<'r> {
    receiver.receive(&with_data(&sent.0, &sent.1), PLAIN, V06::SIZES)
}

#[test]
fn snapshots_arrive_despite_any_loss_of_snapshots_and_acknowledgements() {
    for seed in 1..20 {
        let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
        let mut random = gamewire_sim::random::Random::new(2 * seed);
        let mut lost = move |one_in| random.below(one_in) == 0;
        let (mut complete, mut due) = (0, 0);
        for tick in 1..2000 {
            // Four seconds without any delivery: the acknowledged snapshot expires.
            let silent = (500..700).contains(&tick);
            if !sender.rate().is_due(tick) {
                continue;
            }
            due += 1;
            let shown = game(tick, 5 + u16::try_from(tick / 100).unwrap());
            for message in send(&mut sender, tick, &shown) {
                if silent || lost(4) {
                    continue;
                }
                match receive(&mut receiver, &message) {
                    SnapshotOutcome::Complete { tick: of, snapshot } => {
                        assert_eq!((of, snapshot), (tick, &shown));
                        complete += 1;
                    }
                    SnapshotOutcome::Incomplete | SnapshotOutcome::WithoutBase => {}
                    other => panic!("{other:?} at {tick}"),
                }
            }
            if !silent && !lost(3) {
                sender.acknowledge(receiver.ack());
            }
        }
        assert!(complete > 800 && due > complete, "{complete} of {due} with seed {seed}");
        assert_eq!((receiver.counts().bad, receiver.counts().missing_base), (0, 0));
        assert_eq!(sender.rate(), SnapRate::Full);
    }
}

#[test]
fn a_large_snapshot_is_sent_in_parts_which_arrive_in_any_order() {
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    let shown = game(1_000_000, 64);
    let mut messages = send(&mut sender, 10, &shown);
    assert!(messages.len() > 4);
    assert!(messages.iter().rev().skip(1).all(|(_, data)| data.len() == PART_BYTES));
    messages.rotate_left(2);
    let last = messages.pop().unwrap();
    for message in &messages {
        assert_eq!(receive(&mut receiver, message), SnapshotOutcome::Incomplete);
    }
    assert_eq!(receive(&mut receiver, &last), SnapshotOutcome::Complete { tick: 10, snapshot: &shown });
    assert_eq!(receiver.ack(), 10);
}

#[test]
fn a_snapshot_without_changes_takes_two_numbers() {
    let mut sender = Sender::default();
    let shown = game(7, 20);
    send(&mut sender, 10, &shown);
    sender.acknowledge(10);
    for tick in 11..100 {
        assert_eq!(
            send(&mut sender, tick, &shown),
            [(SnapshotMessage::Empty(SnapEmpty { tick, delta: tick - 10 }), vec![])]
        );
    }
}

#[test]
fn the_snapshot_rate_matches_the_games() {
    let mut sender = Sender::default();
    let due = |sender: &Sender| (0..100).filter(|tick| sender.rate().is_due(*tick)).count();
    assert_eq!((sender.rate(), due(&sender)), (SnapRate::Init, 10));
    send(&mut sender, 10, &game(10, 2));
    sender.acknowledge(10);
    assert_eq!((sender.rate(), due(&sender)), (SnapRate::Full, 100));
    // After three seconds tick 10 is no longer stored.
    send(&mut sender, 160, &game(160, 2));
    assert_eq!(sender.rate(), SnapRate::Full);
    let whole = send(&mut sender, 161, &game(161, 2));
    assert!(matches!(whole[0].0, SnapshotMessage::Single(SnapSingle { delta: 162, .. })), "without a base");
    assert_eq!((sender.rate(), due(&sender)), (SnapRate::Recover, 2));
}

#[test]
fn an_item_that_changes_its_size_is_sent_in_full() {
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    for (tick, ints) in [(10, [1, 2].as_slice()), (11, &[1, 2, 3])] {
        let mut shown = Snapshot::new();
        shown.insert(Key { kind: 0x7fff, id: 0 }, ints).unwrap();
        let message = send(&mut sender, tick, &shown).remove(0);
        assert_eq!(receive(&mut receiver, &message), SnapshotOutcome::Complete { tick, snapshot: &shown });
        sender.acknowledge(receiver.ack());
    }
}

#[test]
fn a_missing_base_requests_a_full_snapshot() {
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    receive(&mut receiver, &send(&mut sender, 10, &game(10, 3)).remove(0));
    sender.acknowledge(receiver.ack());
    let on_ten = send(&mut sender, 40, &game(40, 3)).remove(0);
    receiver.reset();
    assert_eq!(receive(&mut receiver, &on_ten), SnapshotOutcome::WithoutBase);
    assert_eq!(receiver.ack(), -1);
    sender.acknowledge(receiver.ack());
    let whole = send(&mut sender, 50, &game(50, 3)).remove(0);
    assert_eq!(
        receive(&mut receiver, &whole),
        SnapshotOutcome::Complete { tick: 50, snapshot: &game(50, 3) }
    );
    assert_eq!(receiver.ack(), 50);
}

#[test]
fn t9_more_than_ten_wrong_checksums_request_a_full_snapshot() {
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    receive(&mut receiver, &send(&mut sender, 10, &game(10, 3)).remove(0));
    for count in 1..=11 {
        let (message, data) = send(&mut Sender::default(), 20, &game(20, 3)).remove(0);
        let SnapshotMessage::Single(snap) = message else { panic!("expected a single message") };
        let wrong = SnapshotMessage::Single(SnapSingle {
            crc: snap.crc.wrapping_add(1),
            data: SizedData(&data),
            ..snap
        });
        assert!(matches!(receiver.receive(&wrong, PLAIN, V06::SIZES), SnapshotOutcome::Bad(_)));
        assert_eq!(receiver.ack(), if count > 10 { -1 } else { 10 });
    }
    assert_eq!((receiver.counts().good, receiver.counts().bad), (1, 11));
}

#[test]
fn a_late_or_duplicate_snapshot_does_not_change_the_acknowledgement() {
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    let first = send(&mut sender, 10, &game(10, 3)).remove(0);
    let second = send(&mut sender, 12, &game(12, 3)).remove(0);
    assert!(matches!(receive(&mut receiver, &second), SnapshotOutcome::Complete { tick: 12, .. }));
    assert_eq!(receive(&mut receiver, &first), SnapshotOutcome::Late);
    assert_eq!(receive(&mut receiver, &second), SnapshotOutcome::Late);
    assert_eq!(receiver.ack(), 12);
}

#[test]
fn a_late_acknowledgement_is_not_used_as_base() {
    let mut sender = Sender::default();
    for tick in [10, 12] {
        send(&mut sender, tick, &game(tick, 3));
    }
    sender.acknowledge(12);
    sender.acknowledge(10);
    let next = send(&mut sender, 14, &game(14, 3)).remove(0);
    assert!(matches!(next.0, SnapshotMessage::Single(SnapSingle { delta: 2, .. })));
}

#[test]
fn t9_acknowledgements_of_unsent_snapshots_do_not_raise_the_rate() {
    let mut sender = Sender::default();
    let mut sent = 0;
    for tick in 1..=500 {
        sender.acknowledge([i32::MAX, i32::MIN, -2, 7][tick as usize % 4]);
        if sender.rate().is_due(tick) {
            send(&mut sender, tick, &game(tick, 3));
            sent += 1;
        }
    }
    assert_eq!((sent, sender.rate()), (50, SnapRate::Init));
    sender.acknowledge(500);
    assert_eq!(sender.rate(), SnapRate::Full, "a valid acknowledgement still counts");
}

#[test]
fn t9_neither_role_exceeds_its_memory_limit() {
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    for tick in 1..600_i32 {
        // The snapshots are large and always different.
        let shown = game(tick.wrapping_mul(1000), 500);
        for message in send(&mut sender, tick, &shown) {
            receive(&mut receiver, &message);
        }
        sender.acknowledge(receiver.ack());
        assert!(sender.held_bytes() <= 5 * 1024 * 1024, "{}", sender.held_bytes());
        assert!(receiver.held_bytes() <= 6 * 1024 * 1024, "{}", receiver.held_bytes());
    }
    assert!(receiver.counts().good > 500);
}

#[test]
fn t9_a_delta_that_exceeds_all_parts_is_not_sent() {
    let mut shown = Snapshot::new();
    for id in 0..15 {
        // Five bytes for each integer: 80 KB in total.
        shown.insert(Key { kind: 0x7000, id }, &[i32::MIN; 1080]).unwrap();
    }
    let mut sender = Sender::default();
    let mut workbench = DeltaScratch::default();
    assert!(sender.send(10, &shown, V07::SIZES, &mut workbench).is_err());
    assert_eq!(sender.held_bytes(), 0);
}

#[test]
fn a_snapshot_of_128_players_with_all_objects_of_ddnet_arrives_in_parts() {
    // Character, player info and client info, then DDNet's character, player and two more. The last four types are
    // declared.
    const SIZES: [(u16, i32); 7] =
        [(9, 22), (10, 5), (11, 17), (0x7fff, 11), (0x7ffe, 4), (0x7ffd, 5), (0x7ffc, 1)];
    let mut whole = Snapshot::new();
    for id in 0..128 {
        for (kind, size) in SIZES {
            let ints: Vec<i32> = (0..size).map(|field| i32::from(id) * 1000 + field).collect();
            whole.insert(Key { kind, id }, &ints).unwrap();
        }
    }
    let (mut sender, mut receiver) = (Sender::default(), Receiver::default());
    let sent = send(&mut sender, 1, &whole);
    assert!(sent.len() > 1 && sent.iter().all(|(_, data)| data.len() <= PART_BYTES), "{}", sent.len());
    let (last, before) = sent.split_last().unwrap();
    for part in before {
        assert!(matches!(receive(&mut receiver, part), SnapshotOutcome::Incomplete), "a part");
    }
    let SnapshotOutcome::Complete { snapshot, .. } = receive(&mut receiver, last) else {
        panic!("incomplete")
    };
    assert_eq!(snapshot, &whole);
}
