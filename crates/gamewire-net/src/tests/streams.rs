use rustix::io::Errno;

use super::exchange::{BYE, Event, QUIT};
use super::script::PEER;
use super::wires::{Office, Wire, id};
use crate::DriverConfig;
use crate::limits::{
    ACCEPT_BACKOFF, ACCEPTED_PER_TURN, CLOSING, GATHERED_BYTES, STREAM_QUEUED_BYTES, STREAMS_QUEUED_BYTES,
    STREAMS_READ_PER_TURN,
};

fn office(wires: &[Wire]) -> Office {
    Office::new(&DriverConfig::default(), wires.iter().cloned().map(Ok))
}

#[test]
fn what_is_written_in_pieces_arrives_whole_and_in_order() {
    let wire = Wire::default();
    wire.0.borrow_mut().reads.push_back(Ok(b"0123456789".to_vec()));
    wire.0.borrow_mut().writes.extend([Ok(3), Err(Errno::INTR), Ok(1), Err(Errno::AGAIN)]);
    let mut office = office(std::slice::from_ref(&wire));
    let now = office.now();
    let events = office.turn(now).0;
    assert_eq!(events, [Event::Opened(id(1), PEER), Event::Said(id(1), 10)]);
    assert_eq!(wire.0.borrow().written, b"0123");
    office.machine.say(id(1), b"abc");
    office.turn(now);
    assert_eq!(wire.0.borrow().written, b"0123", "it is not tried before there is room");
    office.mark_all();
    office.turn(now);
    assert_eq!(wire.0.borrow().written, b"0123456789abc");
    assert_eq!(office.streams().sent_bytes, 13);
}

#[test]
fn g8_a_failure_to_accept_is_counted_and_tried_again_later() {
    let arrivals = [Err(Errno::CONNABORTED), Ok(Wire::default()), Err(Errno::MFILE), Ok(Wire::default())];
    let mut office = Office::new(&DriverConfig::default(), arrivals);
    let now = office.now();
    let (events, wake) = office.turn(now);
    assert_eq!(events, [Event::Opened(id(1), PEER)]);
    assert_eq!(office.streams().accept_errors, 2);
    let wake = wake.expect("it is to be tried again");
    assert!(wake > now && wake <= office.now() + ACCEPT_BACKOFF);
    assert!(!office.connections.wants_accept(), "the system would tell of it at once");
    assert!(office.turn(now).0.is_empty());
    while office.now() < wake {
        std::thread::yield_now();
    }
    assert_eq!(office.turn(wake).0, [Event::Opened(id(2), PEER)]);
    assert!(office.connections.wants_accept());
}

#[test]
fn one_turn_accepts_and_reads_only_so_many() {
    let wires: Vec<_> = (0..100).map(|_| Wire::default()).collect();
    for wire in &wires {
        wire.0.borrow_mut().reads.push_back(Ok(b"x".to_vec()));
    }
    let mut office = office(&wires);
    let now = office.now();
    let (events, wake) = office.turn(now);
    let opened = events.iter().filter(|event| matches!(event, Event::Opened(..))).count();
    assert_eq!((opened, wake), (ACCEPTED_PER_TURN, Some(now)));
    assert!(events.len() - opened <= STREAMS_READ_PER_TURN);
    for _ in 0..3 {
        office.turn(now);
    }
    assert_eq!(office.machine.heard.as_ref().unwrap().len(), 100);
}

#[test]
fn what_came_before_a_stream_broke_is_heard_before_its_end() {
    let wire = Wire::default();
    let mut office = office(std::slice::from_ref(&wire));
    let now = office.now();
    office.turn(now);
    wire.0.borrow_mut().reads.extend([Ok(b"last".to_vec()), Ok(b" words".to_vec()), Err(Errno::CONNRESET)]);
    wire.0.borrow_mut().writes.push_back(Err(Errno::PIPE));
    office.machine.say(id(1), b"hello?");
    let mut events = Vec::new();
    for _ in 0..5 {
        events.extend(office.turn(now).0);
    }
    assert_eq!(events, [Event::Said(id(1), 4), Event::Said(id(1), 6), Event::Ended(id(1))]);
    assert_eq!((office.streams().reset, office.connections.slots().len()), (1, 0));
}

#[test]
fn a_closed_stream_goes_when_its_peer_closes_it_as_well() {
    let wire = Wire::default();
    wire.0.borrow_mut().reads.extend([Ok(vec![QUIT]), Ok(b"still talking".to_vec())]);
    let mut office = office(std::slice::from_ref(&wire));
    let now = office.now();
    office.turn(now);
    office.mark_all();
    office.turn(now);
    assert_eq!(wire.0.borrow().written, [&[QUIT], BYE].concat());
    assert!(wire.0.borrow().is_finished);
    assert_eq!(office.connections.slots().len(), 1);
    wire.0.borrow_mut().reads.push_back(Ok(Vec::new()));
    office.mark_all();
    assert!(office.turn(now).0.is_empty());
    assert_eq!(office.connections.slots().len(), 0);
}

#[test]
fn a_closed_stream_goes_when_its_time_is_up() {
    for is_full in [false, true] {
        let wire = Wire::default();
        wire.0.borrow_mut().reads.push_back(Ok(vec![QUIT]));
        wire.0.borrow_mut().is_full = is_full;
        let mut office = office(std::slice::from_ref(&wire));
        let now = office.now();
        office.turn(now);
        let (_, wake) = office.turn(now);
        assert_eq!((wake, wire.0.borrow().is_finished), (Some(now + CLOSING), !is_full));
        assert_eq!(office.connections.slots().len(), 1);
        assert_eq!(office.turn(now + CLOSING).1, None);
        assert_eq!(office.connections.slots().len(), 0);
    }
}

#[test]
fn memory_for_streams_that_are_not_read_is_bounded_one_by_one_and_together() {
    let full = || {
        let wire = Wire::default();
        wire.0.borrow_mut().is_full = true;
        wire
    };
    let most = STREAMS_QUEUED_BYTES / STREAM_QUEUED_BYTES;
    let wires: Vec<_> = (0..most + 2).map(|_| full()).collect();
    let mut office = office(&wires);
    let now = office.now();
    while office.turn(now).1.is_some() {}
    let whole = vec![0; STREAM_QUEUED_BYTES];
    for number in 1..=most as u64 {
        office.machine.say(id(number), &whole);
    }
    assert!(office.turn(now).0.is_empty(), "all of them have room");
    // Now that much waits, one that waits for little is served, and one for much is not.
    office.machine.say(id(most as u64 + 1), &[0; GATHERED_BYTES]);
    office.machine.say(id(most as u64 + 2), &[0; GATHERED_BYTES + 1]);
    office.machine.say(id(1), b"x");
    let events = office.turn(now).0;
    assert_eq!(events, [Event::Ended(id(most as u64 + 2)), Event::Ended(id(1))]);
    assert_eq!(office.streams().slow_reader, 2);
}
