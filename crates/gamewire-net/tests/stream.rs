//! The blocking driver of one stream over loopback.
#![allow(clippy::arithmetic_side_effects, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant as Monotonic};

use gamewire_machine::StreamId;
use gamewire_net::blocking::Driver;
use gamewire_net::{Direction, DriverConfig, OpenError, Tap, TapPacket};
use support::{Called, Caller, Exchange, LOCAL, NONSENSE, PATIENCE, host};

/// A driver, and its peer.
fn pair(settings: DriverConfig) -> (Driver<Caller>, TcpStream) {
    let listener = TcpListener::bind(LOCAL).unwrap();
    let to = listener.local_addr().unwrap();
    let driver = Driver::connect_with(to, PATIENCE, Caller::default(), settings).unwrap();
    let (peer, from) = listener.accept().unwrap();
    assert_eq!((driver.machine().stream, driver.local_addr()), (Some((StreamId::new(0), to)), from));
    peer.set_read_timeout(Some(PATIENCE)).unwrap();
    (driver, peer)
}

/// Drives until the machine says that it is over.
fn until_over(driver: &mut Driver<Caller>) {
    let mut last = None;
    while last != Some(Called::Ended) {
        last = driver.next_event(PATIENCE).unwrap();
    }
    assert!(!driver.is_open());
}

#[test]
fn what_a_caller_says_to_a_host_comes_back() {
    let mut host = host(Exchange::repeating());
    let mut driver = Driver::connect(host.local_addr(), PATIENCE, Caller::default()).unwrap();
    let said: Vec<u8> =
        (0_u32..60_000).flat_map(|number| number.to_be_bytes()).map(|byte| byte & 0x70).collect();
    driver.machine_mut().say(&said);
    let deadline = Monotonic::now() + PATIENCE;
    while driver.machine().heard.len() < said.len() {
        assert!(Monotonic::now() < deadline, "{:?}", driver.stats());
        host.update().unwrap().for_each(drop);
        driver.update().unwrap().for_each(drop);
    }
    assert_eq!(driver.machine().heard, said);
    assert_eq!(driver.stats().streams.received_bytes, 240_000);
}

#[test]
fn the_end_of_the_stream_is_told_after_all_that_came_before() {
    let (mut driver, mut peer) = pair(DriverConfig::default());
    peer.write_all(b"the end").unwrap();
    peer.shutdown(Shutdown::Write).unwrap();
    until_over(&mut driver);
    assert_eq!(driver.machine().heard, b"the end");
    // Nothing more can happen, so waiting for it would be for ever.
    assert_eq!(driver.next_event(PATIENCE).unwrap_err().kind(), ErrorKind::NotConnected);
    driver.machine_mut().ring_after(Duration::from_millis(5));
    assert_eq!(driver.next_event(PATIENCE).unwrap(), Some(Called::Rang));
    assert_eq!(peer.read(&mut [0; 9]).unwrap(), 0);
}

#[test]
fn a_reset_is_told_as_the_end() {
    let (mut driver, peer) = pair(DriverConfig::default());
    driver.machine_mut().say(b"unread");
    driver.update().unwrap().for_each(drop);
    assert_eq!(peer.peek(&mut [0; 9]).unwrap(), 6);
    drop(peer);
    until_over(&mut driver);
    assert_eq!(driver.stats().streams.reset, 1);
    driver.machine_mut().say(b"too late");
    assert_eq!(driver.update().unwrap().count(), 0);
}

#[test]
fn nonsense_ends_the_stream_after_the_protest() {
    let (mut driver, mut peer) = pair(DriverConfig::default());
    driver.machine_mut().protest = b"what?".to_vec();
    peer.write_all(&[1, 2, NONSENSE]).unwrap();
    until_over(&mut driver);
    // No datagram was rejected: it is the end of a stream.
    assert_eq!((driver.stats().rejected, driver.stats().streams.closed), (0, 1));
    let mut heard = Vec::new();
    peer.read_to_end(&mut heard).unwrap();
    assert_eq!(heard, b"what?");
}

#[test]
fn a_peer_that_does_not_read_is_given_up() {
    let (mut driver, peer) = pair(DriverConfig::default().stream_send_buffer(100_000));
    let mut said = 0;
    while driver.is_open() {
        driver.machine_mut().say(&[0; 50_000]);
        driver.update().unwrap().for_each(drop);
        said += 1;
        assert!(said < 1_000, "no system takes that much");
    }
    assert_eq!(driver.stats().streams.slow_reader, 1);
    drop(peer);
}

#[test]
fn what_was_said_last_is_written_when_the_driver_goes() {
    let (mut driver, mut peer) = pair(DriverConfig::default());
    peer.write_all(b"unheard").unwrap();
    driver.machine_mut().say(b"bye");
    drop(driver);
    let mut heard = Vec::new();
    peer.read_to_end(&mut heard).unwrap();
    assert_eq!(heard, b"bye");
}

#[test]
fn a_refusal_is_told_with_the_address() {
    let gone = TcpListener::bind(LOCAL).unwrap().local_addr().unwrap();
    let error = Driver::connect(gone, PATIENCE, Caller::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot connect to {gone} over TCP: ")), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_host_that_does_not_answer_is_given_up_at_the_deadline() {
    // Linux leaves those waiting for whom a full backlog has no room.
    let listener = TcpListener::bind(LOCAL).unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let to = listener.local_addr().unwrap();
    let soon = Duration::from_millis(50);
    let mut waiting = Vec::new();
    let error = loop {
        match Driver::connect(to, soon, Caller::default()) {
            Ok(driver) => waiting.push(driver),
            Err(error) => break error,
        }
        assert!(waiting.len() < 10, "the backlog has room for one");
    };
    let OpenError::Connect { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.kind(), ErrorKind::TimedOut);
}

#[test]
fn nothing_happens_and_the_time_is_up() {
    let (mut driver, _peer) = pair(DriverConfig::default());
    let before = Monotonic::now();
    assert_eq!(driver.next_event(Duration::from_millis(20)).unwrap(), None);
    assert!(before.elapsed() >= Duration::from_millis(20));
    driver.machine_mut().ring_after(Duration::from_millis(20));
    assert_eq!(driver.next_event(Duration::MAX).unwrap(), Some(Called::Rang));
}

#[test]
#[cfg(target_os = "linux")]
fn a_peer_that_writes_twice_does_not_wait_for_a_delayed_acknowledgement() {
    const ROUNDS: usize = 100;
    let (mut driver, mut peer) = pair(DriverConfig::default());
    let server = std::thread::spawn(move || {
        for _ in 0..ROUNDS {
            peer.read_exact(&mut [0]).unwrap();
            // Nagle's algorithm keeps the second write until the first one is acknowledged.
            peer.write_all(b"a").unwrap();
            peer.write_all(b"b").unwrap();
        }
    });
    let begin = Monotonic::now();
    for round in 1..=ROUNDS {
        driver.machine_mut().say(b"?");
        while driver.machine().heard.len() < 2 * round {
            driver.next_event(PATIENCE).unwrap();
        }
    }
    server.join().unwrap();
    // At 40 ms each it would take 4 s.
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
}

type Shown = (StreamId, Direction, Vec<u8>);

#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<Shown>>>);

impl Tap for Notes {
    fn on_datagram(&mut self, crossing: &TapPacket<'_>) {
        panic!("no datagrams here: {crossing:?}");
    }

    fn on_stream_bytes(&mut self, stream: StreamId, crossing: &TapPacket<'_>) {
        self.0.lock().unwrap().push((stream, crossing.direction, crossing.bytes.to_vec()));
    }
}

#[test]
fn a_tap_sees_what_crosses_a_stream() {
    let notes = Notes::default();
    let (mut driver, mut peer) = pair(DriverConfig::default().tap(notes.clone()));
    driver.machine_mut().say(b"to");
    driver.update().unwrap().for_each(drop);
    peer.write_all(b"fro").unwrap();
    assert_eq!(driver.next_event(PATIENCE).unwrap(), Some(Called::Heard(3)));
    let id = StreamId::new(0);
    let expected = [(id, Direction::Outgoing, b"to".to_vec()), (id, Direction::Incoming, b"fro".to_vec())];
    assert_eq!(*notes.0.lock().unwrap(), expected);
}
