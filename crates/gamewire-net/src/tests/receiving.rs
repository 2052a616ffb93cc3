use core::time::Duration;

use rustix::io::Errno;

use super::datagram_peer::Event;
use super::scripted_socket::{Filled, PEER, ScriptedSocket, engine};
use crate::Errors;
use crate::limits::{FAILURES_IN_A_ROW, OVERDUE, RECEIVE_TIME, RECEIVED_PER_TURN};

/// Returns a buffer with one datagram that contains `number`.
fn alone(number: u16) -> Filled {
    (number.to_be_bytes().to_vec(), 2)
}

fn received(number: u16, len: usize) -> Event {
    Event::Received { from: PEER, number, len }
}

#[test]
fn coalesced_datagrams_are_split() {
    let script = ScriptedSocket::default();
    let joined = (vec![0, 1, 9, 0, 2, 9, 0, 3], 3);
    script.reads.borrow_mut().push_back(Ok(vec![joined, alone(4)]));
    let mut engine = engine(script);
    engine.update().unwrap();
    let events: Vec<_> = engine.events.drain(..).collect();
    assert_eq!(events, [received(1, 3), received(2, 3), received(3, 2), received(4, 2)]);
    let received = engine.observer.stats.received;
    assert_eq!((received.datagrams, received.bytes, received.batches), (4, 10, 1));
}

#[test]
fn empty_datagrams_and_rejected_ones_are_counted() {
    let script = ScriptedSocket::default();
    script.reads.borrow_mut().push_back(Ok(vec![(Vec::new(), 0), alone(1), (vec![7], 1)]));
    let mut engine = engine(script);
    engine.update().unwrap();
    assert_eq!(engine.events.len(), 1);
    assert_eq!((engine.observer.stats.received.datagrams, engine.observer.stats.rejected), (3, 2));
}

#[test]
fn g8_failures_to_receive_are_counted_and_the_next_datagram_is_read() {
    let script = ScriptedSocket::default();
    let failures = [Errno::CONNREFUSED, Errno::CONNRESET, Errno::INTR, Errno::NETDOWN, Errno::NOBUFS];
    script.reads.borrow_mut().extend(failures.map(Err));
    script.reads.borrow_mut().push_back(Ok(vec![alone(1)]));
    let mut engine = engine(script);
    engine.update().unwrap();
    assert_eq!(engine.events.pop_front(), Some(received(1, 2)));
    let expected = Errors { refused: 2, interrupted: 1, unreachable: 1, full: 1, ..Errors::default() };
    assert_eq!(engine.observer.stats.errors, expected);
}

#[test]
fn g8_failures_between_successes_are_no_error() {
    let script = ScriptedSocket::default();
    for _ in 0..FAILURES_IN_A_ROW * 3 {
        script.reads.borrow_mut().extend([Err(Errno::CONNREFUSED), Err(Errno::AGAIN)]);
    }
    let mut engine = engine(script);
    for _ in 0..FAILURES_IN_A_ROW * 3 {
        engine.update().unwrap();
    }
    assert_eq!(engine.observer.stats.errors.refused, u64::from(FAILURES_IN_A_ROW) * 3);
}

#[test]
fn a_socket_that_only_fails_is_an_error() {
    let mut engine = engine(ScriptedSocket { endless: Some(Err(Errno::BADF)), ..ScriptedSocket::default() });
    let error = engine.update().unwrap_err();
    assert_eq!(Errno::from_io_error(&error), Some(Errno::BADF));
    assert_eq!(engine.observer.stats.errors.other, u64::from(FAILURES_IN_A_ROW));
}

#[test]
fn an_update_ends_while_there_is_more_to_read() {
    let mut engine = engine(ScriptedSocket { endless: Some(Ok(alone(1))), ..ScriptedSocket::default() });
    let began = engine.observer.clock.now();
    engine.update().unwrap();
    let elapsed = engine.observer.clock.now().since(began);
    assert!(engine.events.len() > RECEIVED_PER_TURN, "{} in {elapsed:?}", engine.events.len());
    assert!(elapsed >= RECEIVE_TIME, "{elapsed:?}");
}

#[test]
fn a_read_that_leaves_buffers_empty_was_the_last_of_its_update() {
    let script = ScriptedSocket::default();
    script.reads.borrow_mut().extend([Ok(vec![alone(1)]), Ok(vec![alone(2)])]);
    let mut engine = engine(script);
    engine.update().unwrap();
    assert_eq!(engine.events.drain(..).collect::<Vec<_>>(), [received(1, 2)]);
    engine.update().unwrap();
    assert_eq!(engine.events.drain(..).collect::<Vec<_>>(), [received(2, 2)]);
}

#[test]
fn what_waits_is_read_before_an_overdue_timer_fires() {
    let script = ScriptedSocket::default();
    script.reads.borrow_mut().extend([Ok(vec![alone(1)]), Ok(vec![alone(2)])]);
    let mut engine = engine(script);
    engine.machine_mut().set_timer(Duration::from_millis(1));
    std::thread::sleep(OVERDUE + Duration::from_millis(20));
    engine.update().unwrap();
    let events: Vec<_> = engine.events.drain(..).collect();
    assert_eq!(events, [received(1, 2), received(2, 2), Event::TimerFired]);
}

#[test]
fn a_flood_does_not_put_an_overdue_timer_off_forever() {
    let script = ScriptedSocket { endless: Some(Ok(alone(1))), ..ScriptedSocket::default() };
    let mut engine = engine(script);
    engine.machine_mut().set_timer(Duration::from_millis(1));
    std::thread::sleep(OVERDUE + Duration::from_millis(20));
    engine.update().unwrap();
    assert!(engine.events.contains(&Event::TimerFired));
}
