use std::net::SocketAddr;

use rustix::io::Errno;

use super::datagram_peer::DatagramPeer;
use super::scripted_socket::{
    LOCAL, PEER, ScriptedSocket, drive_until_sent, engine, engine_with, port, send_numbers,
};
use crate::Errors;
use crate::limits::{MAX_QUEUED_BYTES, RETRY_AFTER};

#[test]
fn many_equal_datagrams_for_one_peer_go_in_one_call() {
    let mut engine = engine(ScriptedSocket { segments: 20, ..ScriptedSocket::default() });
    send_numbers(&mut engine, 0..36);
    engine.drive();
    assert_eq!(port(&engine).numbers(), [(0..20).collect::<Vec<_>>(), (20..36).collect()]);
    assert_eq!(port(&engine).gso(), [true, true]);
    let sent = engine.observer.stats.sent;
    assert_eq!((sent.datagrams, sent.bytes, sent.batches), (36, 360, 2));
}

#[test]
fn a_few_equal_datagrams_share_a_call_but_not_a_frame_so_that_captures_show_each() {
    let mut engine = engine(ScriptedSocket { segments: 64, ..ScriptedSocket::default() });
    send_numbers(&mut engine, 0..15);
    engine.drive();
    assert_eq!(port(&engine).numbers(), [(0..15).collect::<Vec<_>>()]);
    assert_eq!(port(&engine).gso(), [false]);
    let sent = engine.observer.stats.sent;
    assert_eq!((sent.datagrams, sent.bytes, sent.batches), (15, 150, 1));
}

#[test]
fn unequal_datagrams_and_several_peers_share_calls() {
    let mut engine = engine(ScriptedSocket { segments: 64, ..ScriptedSocket::default() });
    let peers = [PEER, "127.0.0.1:3".parse().unwrap()];
    for number in 0..100 {
        engine.machine_mut().send(peers[usize::from(number % 2)], number, 10 + usize::from(number));
    }
    engine.drive();
    let calls = port(&engine).sent.borrow();
    assert_eq!(calls.iter().map(|call| call.datagrams.len()).collect::<Vec<_>>(), [64, 36]);
    for (peer, first) in peers.into_iter().zip(0..) {
        let sent = calls.iter().flat_map(|call| &call.datagrams).filter(|(to, _)| *to == peer);
        let lengths: Vec<usize> = sent.map(|(_, datagram)| datagram.len()).collect();
        assert!(lengths.into_iter().eq((10 + first..110).step_by(2)), "{peer}");
    }
}

#[test]
fn a_run_of_equal_datagrams_among_others_is_a_gso_batch() {
    let mut engine = engine(ScriptedSocket { segments: 64, ..ScriptedSocket::default() });
    let lengths = [vec![30, 20], vec![10; 20], vec![5, 40, 2]].concat();
    for (number, length) in (0..).zip(lengths) {
        engine.machine_mut().send(PEER, number, length);
    }
    engine.drive();
    // A shorter datagram ends a batch.
    assert_eq!(port(&engine).numbers(), [vec![0, 1], (2..23).collect(), vec![23, 24]]);
    assert_eq!(port(&engine).gso(), [false, true, false]);
}

#[test]
fn g8_a_full_send_buffer_keeps_datagrams_for_later_and_in_order() {
    for errno in [Errno::AGAIN, Errno::NOBUFS, Errno::NOMEM] {
        let script = ScriptedSocket::default();
        script.sends.borrow_mut().extend([None, Some(errno), Some(errno)]);
        let mut engine = engine(script);
        send_numbers(&mut engine, 0..3);
        let wake = engine.drive().expect("a time to retry");
        assert_eq!(port(&engine).numbers(), [[0]], "{errno:?}");
        let now = engine.observer.clock.now();
        assert!(wake <= now + RETRY_AFTER, "{wake:?} {now:?}");

        send_numbers(&mut engine, 3..5);
        let stats = drive_until_sent(&mut engine, 5);
        assert_eq!(port(&engine).numbers(), [vec![0], vec![1, 2, 3, 4]], "{errno:?}");
        assert_eq!(stats.errors, Errors { full: 2, ..Errors::default() });
        assert_eq!(stats.dropped, 0);
        assert_eq!(engine.drive(), None);
    }
}

#[test]
fn g8_a_socket_that_stays_full_costs_bounded_memory_and_few_attempts() {
    let script = ScriptedSocket::default();
    script.always.set(Some(Errno::NOBUFS));
    let mut engine = engine(script);
    let datagrams = u64::try_from(MAX_QUEUED_BYTES / 1_000).unwrap() + 50;
    for _ in 0..datagrams {
        engine.machine_mut().send(PEER, 0, 1_000);
    }
    engine.drive();
    assert_eq!(engine.observer.stats.dropped, 50);
    let before = engine.observer.clock.now();
    for _ in 0..1_000 {
        engine.drive();
    }
    let spans = engine.observer.clock.now().since(before).as_micros() / RETRY_AFTER.as_micros();
    let attempts = u128::try_from(port(&engine).attempts.get()).unwrap();
    assert!(attempts <= spans + 3, "{attempts} attempts in {spans} spans");

    port(&engine).always.set(None);
    drive_until_sent(&mut engine, datagrams - 50);
}

#[test]
fn g8_a_datagram_that_fails_is_dropped_and_the_others_are_sent() {
    let errors = [
        (Errno::MSGSIZE, Errors { too_long: 1, ..Errors::default() }),
        (Errno::NETUNREACH, Errors { unreachable: 1, ..Errors::default() }),
        (Errno::PERM, Errors { forbidden: 1, ..Errors::default() }),
        (Errno::INVAL, Errors { other: 1, ..Errors::default() }),
    ];
    for (errno, expected) in errors {
        let script = ScriptedSocket::default();
        script.sends.borrow_mut().extend([None, Some(errno)]);
        let mut engine = engine(script);
        send_numbers(&mut engine, 0..4);
        assert_eq!(engine.drive(), None);
        assert_eq!(port(&engine).numbers(), [vec![0], vec![2, 3]], "{errno:?}");
        assert_eq!((engine.observer.stats.errors, engine.observer.stats.dropped), (expected, 1));
    }
}

#[test]
fn g8_a_refusal_of_an_earlier_datagram_loses_nothing() {
    for (errno, expected) in [
        (Errno::CONNREFUSED, Errors { refused: 1, ..Errors::default() }),
        (Errno::INTR, Errors { interrupted: 1, ..Errors::default() }),
    ] {
        let script = ScriptedSocket { segments: 64, ..ScriptedSocket::default() };
        script.sends.borrow_mut().push_back(Some(errno));
        let mut engine = engine(script);
        send_numbers(&mut engine, 0..16);
        engine.drive();
        assert_eq!(port(&engine).numbers(), [(0..16).collect::<Vec<_>>()]);
        assert_eq!((engine.observer.stats.errors, engine.observer.stats.dropped), (expected, 0));
    }
}

#[test]
fn g8_a_peer_that_always_refuses_does_not_block_the_queue() {
    let script = ScriptedSocket::default();
    script.always.set(Some(Errno::CONNREFUSED));
    let mut engine = engine(script);
    send_numbers(&mut engine, 0..3);
    assert_eq!(engine.drive(), None);
    assert_eq!(engine.observer.stats.dropped, 3);
    assert_eq!(port(&engine).attempts.get(), 6);
}

#[test]
fn g8_a_refusal_within_a_call_loses_nothing() {
    let script = ScriptedSocket::default();
    script.sends.borrow_mut().extend([None, None, Some(Errno::CONNREFUSED)]);
    let mut engine = engine(script);
    send_numbers(&mut engine, 0..5);
    engine.drive();
    assert_eq!(port(&engine).numbers(), [vec![0, 1], vec![2, 3, 4]]);
    let stats = engine.observer.stats;
    assert_eq!((stats.errors, stats.dropped), (Errors { refused: 1, ..Errors::default() }, 0));
}

#[test]
fn a_batch_that_the_system_rejects_is_sent_in_single_datagrams() {
    let script = ScriptedSocket { segments: 64, ..ScriptedSocket::default() };
    script.sends.borrow_mut().extend([Some(Errno::IO), None, Some(Errno::MSGSIZE)]);
    let mut engine = engine(script);
    send_numbers(&mut engine, 0..16);
    engine.drive();
    assert_eq!(port(&engine).numbers(), [vec![0], (2..16).collect()]);
    assert_eq!(port(&engine).gso(), [false, false]);
    assert_eq!(engine.observer.stats.errors, Errors { too_long: 1, ..Errors::default() });

    send_numbers(&mut engine, 16..32);
    engine.drive();
    let last = port(&engine).numbers().pop().unwrap();
    assert_eq!(last, (16..32).collect::<Vec<_>>(), "later batches are sent whole");
    assert_eq!(port(&engine).gso(), [false, false, true]);
}

#[test]
fn datagrams_to_unreachable_addresses_are_dropped() {
    let mut engine = engine(ScriptedSocket::default());
    for nowhere in ["127.0.0.1:0", "[::1]:8303"] {
        engine.machine_mut().send(nowhere.parse().unwrap(), 0, 2);
    }
    engine.drive();
    assert_eq!(port(&engine).attempts.get(), 0);
    assert_eq!((engine.observer.stats.dropped, engine.observer.stats.errors.unreachable), (2, 2));
}

#[test]
fn an_ipv6_socket_reaches_ipv4_peers() {
    let local: SocketAddr = "[::]:1".parse().unwrap();
    let mut engine = engine_with(DatagramPeer::default(), ScriptedSocket::default(), local);
    engine.machine_mut().send(PEER, 0, 2);
    engine.drive();
    let mapped: SocketAddr = "[::ffff:127.0.0.1]:2".parse().unwrap();
    assert_eq!(port(&engine).sent.borrow()[0].datagrams[0].0, mapped);
}

#[test]
fn a_long_queue_is_sent_in_parts_without_loss() {
    let mut engine = engine(ScriptedSocket { segments: 8, ..ScriptedSocket::default() });
    for number in 0..3_000 {
        engine.machine_mut().send(PEER, number, 1_000);
    }
    engine.drive();
    let numbers: Vec<u16> = port(&engine).numbers().concat();
    assert!(numbers.iter().copied().eq(0..3_000));
    assert_eq!(engine.observer.stats.dropped, 0);
    assert_eq!(engine.observer.local, LOCAL);
}

#[test]
fn replies_to_several_reads_share_a_batch() {
    let script = ScriptedSocket { segments: 64, ..ScriptedSocket::default() };
    let read = |numbers: core::ops::Range<u16>| {
        Ok(numbers.map(|number| (number.to_be_bytes().to_vec(), 2)).collect())
    };
    script.reads.borrow_mut().extend([read(0..32), read(32..40)]);
    let mut engine = engine_with(DatagramPeer::echoing(), script, LOCAL);
    engine.update().unwrap();
    assert_eq!(port(&engine).numbers(), [(0..40).collect::<Vec<_>>()]);
}
