use rustix::io::Errno;

use super::scripted_socket::PEER;
use super::scripted_streams::{ScriptedStream, StreamEngine, id};
use super::stream_server::{CLOSE_REPLY, CLOSE_REQUEST, Event};
use crate::DriverConfig;
use crate::limits::{
    ACCEPT_BACKOFF, CLOSING, GATHERED_BYTES, MAX_ACCEPTED_PER_TURN, MAX_STREAM_QUEUED_BYTES,
    MAX_STREAMS_READ_PER_TURN, STREAMS_QUEUED_BYTES,
};

fn engine(streams: &[ScriptedStream]) -> StreamEngine {
    StreamEngine::new(&DriverConfig::default(), streams.iter().cloned().map(Ok))
}

#[test]
fn partial_writes_are_completed_in_order() {
    let stream = ScriptedStream::default();
    stream.0.borrow_mut().reads.push_back(Ok(b"0123456789".to_vec()));
    stream.0.borrow_mut().writes.extend([Ok(3), Err(Errno::INTR), Ok(1), Err(Errno::AGAIN)]);
    let mut engine = engine(std::slice::from_ref(&stream));
    let now = engine.now();
    let events = engine.drive(now).0;
    assert_eq!(events, [Event::Opened(id(1), PEER), Event::Received(id(1), 10)]);
    assert_eq!(stream.0.borrow().written, b"0123");
    engine.machine.send(id(1), b"abc");
    engine.drive(now);
    assert_eq!(stream.0.borrow().written, b"0123", "nothing is written before the socket is writable");
    engine.mark_all();
    engine.drive(now);
    assert_eq!(stream.0.borrow().written, b"0123456789abc");
    assert_eq!(engine.streams().sent_bytes, 13);
}

#[test]
fn g8_a_failure_to_accept_is_counted_and_retried() {
    let results = [
        Err(Errno::CONNABORTED),
        Ok(ScriptedStream::default()),
        Err(Errno::MFILE),
        Ok(ScriptedStream::default()),
    ];
    let mut engine = StreamEngine::new(&DriverConfig::default(), results);
    let now = engine.now();
    let (events, wake) = engine.drive(now);
    assert_eq!(events, [Event::Opened(id(1), PEER)]);
    assert_eq!(engine.streams().accept_errors, 2);
    let wake = wake.expect("a time to retry");
    assert!(wake > now && wake <= engine.now() + ACCEPT_BACKOFF);
    assert!(!engine.connections.wants_accept(), "the listener is still readable");
    assert!(engine.drive(now).0.is_empty());
    while engine.now() < wake {
        std::thread::yield_now();
    }
    assert_eq!(engine.drive(wake).0, [Event::Opened(id(2), PEER)]);
    assert!(engine.connections.wants_accept());
}

#[test]
fn accepting_and_reading_are_bounded_per_call() {
    let streams: Vec<_> = (0..100).map(|_| ScriptedStream::default()).collect();
    for stream in &streams {
        stream.0.borrow_mut().reads.push_back(Ok(b"x".to_vec()));
    }
    let mut engine = engine(&streams);
    let now = engine.now();
    let (events, wake) = engine.drive(now);
    let opened = events.iter().filter(|event| matches!(event, Event::Opened(..))).count();
    assert_eq!((opened, wake), (MAX_ACCEPTED_PER_TURN, Some(now)));
    assert!(events.len() - opened <= MAX_STREAMS_READ_PER_TURN);
    for _ in 0..3 {
        engine.drive(now);
    }
    assert_eq!(engine.machine.received.as_ref().unwrap().len(), 100);
}

#[test]
fn bytes_before_a_reset_are_received_before_the_close() {
    let stream = ScriptedStream::default();
    let mut engine = engine(std::slice::from_ref(&stream));
    let now = engine.now();
    engine.drive(now);
    stream.0.borrow_mut().reads.extend([Ok(b"last".to_vec()), Ok(b" bytes".to_vec()), Err(Errno::CONNRESET)]);
    stream.0.borrow_mut().writes.push_back(Err(Errno::PIPE));
    engine.machine.send(id(1), b"hello?");
    let mut events = Vec::new();
    for _ in 0..5 {
        events.extend(engine.drive(now).0);
    }
    assert_eq!(events, [Event::Received(id(1), 4), Event::Received(id(1), 6), Event::Closed(id(1))]);
    assert_eq!((engine.streams().reset, engine.connections.slots.len()), (1, 0));
}

#[test]
fn a_closed_stream_is_removed_when_its_peer_closes_it() {
    let stream = ScriptedStream::default();
    stream.0.borrow_mut().reads.extend([Ok(vec![CLOSE_REQUEST]), Ok(b"more".to_vec())]);
    let mut engine = engine(std::slice::from_ref(&stream));
    let now = engine.now();
    engine.drive(now);
    engine.mark_all();
    engine.drive(now);
    assert_eq!(stream.0.borrow().written, [&[CLOSE_REQUEST], CLOSE_REPLY].concat());
    assert!(stream.0.borrow().is_finished);
    assert_eq!(engine.connections.slots.len(), 1);
    stream.0.borrow_mut().reads.push_back(Ok(Vec::new()));
    engine.mark_all();
    assert!(engine.drive(now).0.is_empty());
    assert_eq!(engine.connections.slots.len(), 0);
}

#[test]
fn a_closed_stream_is_removed_after_the_timeout() {
    for is_full in [false, true] {
        let stream = ScriptedStream::default();
        stream.0.borrow_mut().reads.push_back(Ok(vec![CLOSE_REQUEST]));
        stream.0.borrow_mut().is_full = is_full;
        let mut engine = engine(std::slice::from_ref(&stream));
        let now = engine.now();
        engine.drive(now);
        let (_, wake) = engine.drive(now);
        assert_eq!((wake, stream.0.borrow().is_finished), (Some(now + CLOSING), !is_full));
        assert_eq!(engine.connections.slots.len(), 1);
        assert_eq!(engine.drive(now + CLOSING).1, None);
        assert_eq!(engine.connections.slots.len(), 0);
    }
}

#[test]
fn memory_of_unsent_bytes_is_bounded_per_stream_and_in_total() {
    let full = || {
        let stream = ScriptedStream::default();
        stream.0.borrow_mut().is_full = true;
        stream
    };
    let most = STREAMS_QUEUED_BYTES / MAX_STREAM_QUEUED_BYTES;
    let streams: Vec<_> = (0..most + 2).map(|_| full()).collect();
    let mut engine = engine(&streams);
    let now = engine.now();
    while engine.drive(now).1.is_some() {}
    let whole = vec![0; MAX_STREAM_QUEUED_BYTES];
    for number in 1..=most as u64 {
        engine.machine.send(id(number), &whole);
    }
    assert!(engine.drive(now).0.is_empty(), "all of them fit");
    // At the total limit, a stream with few unsent bytes is kept, and one with many is closed.
    engine.machine.send(id(most as u64 + 1), &[0; GATHERED_BYTES]);
    engine.machine.send(id(most as u64 + 2), &[0; GATHERED_BYTES + 1]);
    engine.machine.send(id(1), b"x");
    let events = engine.drive(now).0;
    assert_eq!(events, [Event::Closed(id(most as u64 + 2)), Event::Closed(id(1))]);
    assert_eq!(engine.streams().slow_reader, 2);
}
