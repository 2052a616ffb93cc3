use std::net::SocketAddr;

use rustix::io::Errno;

use super::parrot::Parrot;
use super::script::{LOCAL, PEER, Script, engine, engine_with, port, say, turn_until_sent};
use crate::Errors;
use crate::limits::{QUEUED_BYTES, RETRY_AFTER};

#[test]
fn equal_datagrams_for_one_peer_go_in_one_call() {
    let mut engine = engine(Script { segments: 4, ..Script::default() });
    say(&mut engine, 0..6);
    engine.drive();
    assert_eq!(port(&engine).numbers(), [vec![0, 1, 2, 3], vec![4, 5]]);
    let sent = engine.stats().sent;
    assert_eq!((sent.datagrams, sent.bytes, sent.batches), (6, 60, 2));
}

#[test]
fn g8_a_full_send_buffer_keeps_datagrams_for_later_and_in_order() {
    for errno in [Errno::AGAIN, Errno::NOBUFS, Errno::NOMEM] {
        let script = Script::default();
        script.sends.borrow_mut().extend([None, Some(errno), Some(errno)]);
        let mut engine = engine(script);
        say(&mut engine, 0..3);
        let wake = engine.drive().expect("the socket is to be tried again");
        assert_eq!(port(&engine).numbers(), [[0]], "{errno:?}");
        let now = engine.observer().clock.now();
        assert!(wake <= now + RETRY_AFTER, "{wake:?} {now:?}");

        say(&mut engine, 3..5);
        let stats = turn_until_sent(&mut engine, 5);
        assert_eq!(port(&engine).numbers(), [[0], [1], [2], [3], [4]], "{errno:?}");
        assert_eq!(stats.errors, Errors { full: 2, ..Errors::default() });
        assert_eq!(stats.dropped, 0);
        assert_eq!(engine.drive(), None);
    }
}

#[test]
fn g8_a_socket_that_stays_full_costs_bounded_memory_and_few_attempts() {
    let script = Script::default();
    script.always.set(Some(Errno::NOBUFS));
    let mut engine = engine(script);
    let datagrams = u64::try_from(QUEUED_BYTES / 1_000).unwrap() + 50;
    for _ in 0..datagrams {
        engine.machine_mut().say(PEER, 0, 1_000);
    }
    engine.drive();
    assert_eq!(engine.stats().dropped, 50);
    let before = engine.observer().clock.now();
    for _ in 0..1_000 {
        engine.drive();
    }
    let spans = engine.observer().clock.now().since(before).as_micros() / RETRY_AFTER.as_micros();
    let attempts = u128::try_from(port(&engine).attempts.get()).unwrap();
    assert!(attempts <= spans + 3, "{attempts} attempts in {spans} spans");

    port(&engine).always.set(None);
    turn_until_sent(&mut engine, datagrams - 50);
}

#[test]
fn g8_a_datagram_that_cannot_be_sent_is_dropped_and_the_others_are_sent() {
    let errors = [
        (Errno::MSGSIZE, Errors { too_long: 1, ..Errors::default() }),
        (Errno::NETUNREACH, Errors { unreachable: 1, ..Errors::default() }),
        (Errno::PERM, Errors { forbidden: 1, ..Errors::default() }),
        (Errno::INVAL, Errors { other: 1, ..Errors::default() }),
    ];
    for (errno, expected) in errors {
        let script = Script::default();
        script.sends.borrow_mut().extend([None, Some(errno)]);
        let mut engine = engine(script);
        say(&mut engine, 0..3);
        assert_eq!(engine.drive(), None);
        assert_eq!(port(&engine).numbers(), [[0], [2]], "{errno:?}");
        assert_eq!((engine.stats().errors, engine.stats().dropped), (expected, 1));
    }
}

#[test]
fn g8_a_refusal_of_an_earlier_datagram_does_not_cost_this_one() {
    for (errno, expected) in [
        (Errno::CONNREFUSED, Errors { refused: 1, ..Errors::default() }),
        (Errno::INTR, Errors { interrupted: 1, ..Errors::default() }),
    ] {
        let script = Script { segments: 64, ..Script::default() };
        script.sends.borrow_mut().push_back(Some(errno));
        let mut engine = engine(script);
        say(&mut engine, 0..3);
        engine.drive();
        assert_eq!(port(&engine).numbers(), [[0, 1, 2]]);
        assert_eq!((engine.stats().errors, engine.stats().dropped), (expected, 0));
    }
}

#[test]
fn g8_a_peer_that_always_refuses_does_not_hold_up_the_queue() {
    let script = Script::default();
    script.always.set(Some(Errno::CONNREFUSED));
    let mut engine = engine(script);
    say(&mut engine, 0..3);
    assert_eq!(engine.drive(), None);
    assert_eq!(engine.stats().dropped, 3);
    assert_eq!(port(&engine).attempts.get(), 6);
}

#[test]
fn a_run_that_the_system_does_not_take_goes_one_by_one() {
    let script = Script { segments: 64, ..Script::default() };
    script.sends.borrow_mut().extend([Some(Errno::IO), None, Some(Errno::MSGSIZE)]);
    let mut engine = engine(script);
    say(&mut engine, 0..4);
    engine.drive();
    assert_eq!(port(&engine).numbers(), [[0], [2], [3]]);
    assert_eq!(engine.stats().errors, Errors { too_long: 1, ..Errors::default() });

    say(&mut engine, 4..6);
    engine.drive();
    assert_eq!(port(&engine).numbers().last().unwrap(), &[4, 5], "later runs are runs again");
}

#[test]
fn peers_that_no_datagram_can_reach_are_not_tried() {
    let mut engine = engine(Script::default());
    for nowhere in ["127.0.0.1:0", "[::1]:8303"] {
        engine.machine_mut().say(nowhere.parse().unwrap(), 0, 2);
    }
    engine.drive();
    assert_eq!(port(&engine).attempts.get(), 0);
    assert_eq!((engine.stats().dropped, engine.stats().errors.unreachable), (2, 2));
}

#[test]
fn an_ipv6_socket_reaches_ipv4_peers() {
    let local: SocketAddr = "[::]:1".parse().unwrap();
    let mut engine = engine_with(Parrot::default(), Script::default(), local);
    engine.machine_mut().say(PEER, 0, 2);
    engine.drive();
    let mapped: SocketAddr = "[::ffff:127.0.0.1]:2".parse().unwrap();
    assert_eq!(port(&engine).sent.borrow()[0].0, mapped);
}

#[test]
fn much_to_say_at_once_goes_out_in_between_and_loses_nothing() {
    let mut engine = engine(Script { segments: 8, ..Script::default() });
    for number in 0..3_000 {
        engine.machine_mut().say(PEER, number, 1_000);
    }
    engine.drive();
    let numbers: Vec<u16> = port(&engine).numbers().concat();
    assert!(numbers.iter().copied().eq(0..3_000));
    assert_eq!(engine.stats().dropped, 0);
    assert_eq!(engine.observer().local, LOCAL);
}

#[test]
fn answers_to_several_reads_of_an_update_go_together() {
    let script = Script { segments: 64, ..Script::default() };
    let read = |numbers: core::ops::Range<u16>| {
        Ok(numbers.map(|number| (number.to_be_bytes().to_vec(), 2)).collect())
    };
    script.reads.borrow_mut().extend([read(0..32), read(32..40)]);
    let mut engine = engine_with(Parrot::repeating(), script, LOCAL);
    engine.update().unwrap();
    assert_eq!(port(&engine).numbers(), [(0..40).collect::<Vec<_>>()]);
}
