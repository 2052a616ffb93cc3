//! The blocking driver of one stream over loopback.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant as Monotonic};

use crate::support::{CLOSE_BYTE, ClientEvent, LOCAL, StreamClient, StreamServer, TIMEOUT, Unserved, host};
use gamewire_machine::StreamId;
use gamewire_net::blocking::Driver;
use gamewire_net::{Direction, DriverConfig, OpenError, Tap, TapPacket};

/// Returns a driver and its peer.
fn pair(config: DriverConfig) -> (Driver<StreamClient>, TcpStream) {
    let listener = TcpListener::bind(LOCAL).unwrap();
    let to = listener.local_addr().unwrap();
    let driver = Driver::connect_with(to, TIMEOUT, StreamClient::default(), config).unwrap();
    let (peer, from) = listener.accept().unwrap();
    assert_eq!((driver.machine().stream, driver.local_addr()), (Some((StreamId::new(0), to)), from));
    peer.set_read_timeout(Some(TIMEOUT)).unwrap();
    (driver, peer)
}

/// Drives until the stream is closed.
fn until_closed(driver: &mut Driver<StreamClient>) {
    let mut last = None;
    while last != Some(ClientEvent::Closed) {
        last = driver.next_event(TIMEOUT).unwrap();
    }
    assert!(!driver.is_open());
}

#[test]
fn bytes_of_a_client_are_echoed() {
    let mut host = host(StreamServer::echoing());
    let mut driver = Driver::connect(host.local_addr(), TIMEOUT, StreamClient::default()).unwrap();
    let sent: Vec<u8> =
        (0_u32..60_000).flat_map(|number| number.to_be_bytes()).map(|byte| byte & 0x70).collect();
    driver.machine_mut().send(&sent);
    let deadline = Monotonic::now() + TIMEOUT;
    while driver.machine().received.len() < sent.len() {
        assert!(Monotonic::now() < deadline, "{:?}", driver.stats());
        host.update().unwrap().for_each(drop);
        driver.update().unwrap().for_each(drop);
    }
    assert_eq!(driver.machine().received, sent);
    assert_eq!(driver.stats().streams.received_bytes, 240_000);
}

#[test]
fn the_end_of_the_stream_is_reported_after_its_bytes() {
    let (mut driver, mut peer) = pair(DriverConfig::default());
    peer.write_all(b"the end").unwrap();
    peer.shutdown(Shutdown::Write).unwrap();
    until_closed(&mut driver);
    assert_eq!(driver.machine().received, b"the end");
    // Nothing more can happen, so the driver does not wait.
    assert_eq!(driver.next_event(TIMEOUT).unwrap_err().kind(), ErrorKind::NotConnected);
    driver.machine_mut().set_timer(Duration::from_millis(5));
    assert_eq!(driver.next_event(TIMEOUT).unwrap(), Some(ClientEvent::TimerFired));
    assert_eq!(peer.read(&mut [0; 9]).unwrap(), 0);
}

#[test]
fn a_reset_is_reported_as_the_end() {
    let (mut driver, peer) = pair(DriverConfig::default());
    driver.machine_mut().send(b"unread");
    driver.update().unwrap().for_each(drop);
    assert_eq!(peer.peek(&mut [0; 9]).unwrap(), 6);
    drop(peer);
    until_closed(&mut driver);
    assert_eq!(driver.stats().streams.reset, 1);
    driver.machine_mut().send(b"too late");
    assert_eq!(driver.update().unwrap().count(), 0);
}

#[test]
fn the_machine_closes_the_stream_after_its_reply() {
    let (mut driver, mut peer) = pair(DriverConfig::default());
    driver.machine_mut().close_reply = b"closing".to_vec();
    peer.write_all(&[1, 2, CLOSE_BYTE]).unwrap();
    until_closed(&mut driver);
    // A closed stream is not a rejected datagram.
    assert_eq!((driver.stats().rejected, driver.stats().streams.closed), (0, 1));
    let mut received = Vec::new();
    peer.read_to_end(&mut received).unwrap();
    assert_eq!(received, b"closing");
}

#[test]
fn a_slow_reader_is_disconnected() {
    let (mut driver, peer) =
        pair(DriverConfig { stream_send_buffer: Some(100_000), ..DriverConfig::default() });
    let mut sent = 0;
    while driver.is_open() {
        driver.machine_mut().send(&[0; 50_000]);
        driver.update().unwrap().for_each(drop);
        sent += 1;
        assert!(sent < 1_000, "the system buffers without end");
    }
    assert_eq!(driver.stats().streams.slow_reader, 1);
    drop(peer);
}

#[test]
fn unsent_bytes_are_written_when_the_driver_is_dropped() {
    let (mut driver, mut peer) = pair(DriverConfig::default());
    peer.write_all(b"unread").unwrap();
    driver.machine_mut().send(b"bye");
    drop(driver);
    let mut received = Vec::new();
    peer.read_to_end(&mut received).unwrap();
    assert_eq!(received, b"bye");
}

#[test]
fn a_refusal_names_the_address() {
    let unserved = Unserved::new();
    let gone = unserved.address();
    let error = Driver::connect(gone, TIMEOUT, StreamClient::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot connect to {gone} over TCP: ")), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn connecting_times_out() {
    // On Linux a connection waits while the backlog is full.
    let listener = TcpListener::bind(LOCAL).unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let to = listener.local_addr().unwrap();
    let soon = Duration::from_millis(50);
    let mut waiting = Vec::new();
    let error = loop {
        match Driver::connect(to, soon, StreamClient::default()) {
            Ok(driver) => waiting.push(driver),
            Err(error) => break error,
        }
        assert!(waiting.len() < 10, "the backlog has room for one");
    };
    let OpenError::Connect { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.kind(), ErrorKind::TimedOut);
}

#[test]
fn next_event_returns_none_after_the_timeout() {
    let (mut driver, _peer) = pair(DriverConfig::default());
    let before = Monotonic::now();
    assert_eq!(driver.next_event(Duration::from_millis(20)).unwrap(), None);
    assert!(before.elapsed() >= Duration::from_millis(20));
    driver.machine_mut().set_timer(Duration::from_millis(20));
    assert_eq!(driver.next_event(Duration::MAX).unwrap(), Some(ClientEvent::TimerFired));
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
    let mut fast = 0;
    for round in 1..=ROUNDS {
        let begin = Monotonic::now();
        driver.machine_mut().send(b"?");
        while driver.machine().received.len() < 2 * round {
            driver.next_event(TIMEOUT).unwrap();
        }
        fast += usize::from(begin.elapsed() < Duration::from_millis(40));
    }
    server.join().unwrap();
    // Linux delays acknowledgements by at least 40 ms, except for the first ones of a connection.
    assert!(fast > ROUNDS / 2, "{fast} of {ROUNDS}");
}

type Shown = (StreamId, Direction, Vec<u8>);

#[derive(Clone, Default)]
struct TapLog(Arc<Mutex<Vec<Shown>>>);

impl Tap for TapLog {
    fn on_datagram(&mut self, packet: &TapPacket<'_>) {
        panic!("no datagrams here: {packet:?}");
    }

    fn on_stream_bytes(&mut self, stream: StreamId, packet: &TapPacket<'_>) {
        self.0.lock().unwrap().push((stream, packet.direction, packet.bytes.to_vec()));
    }
}

#[test]
fn a_tap_sees_what_crosses_a_stream() {
    let log = TapLog::default();
    let (mut driver, mut peer) =
        pair(DriverConfig { tap: Some(Box::new(log.clone())), ..DriverConfig::default() });
    driver.machine_mut().send(b"to");
    driver.update().unwrap().for_each(drop);
    peer.write_all(b"fro").unwrap();
    assert_eq!(driver.next_event(TIMEOUT).unwrap(), Some(ClientEvent::Received(3)));
    let id = StreamId::new(0);
    let expected = [(id, Direction::Outgoing, b"to".to_vec()), (id, Direction::Incoming, b"fro".to_vec())];
    assert_eq!(*log.0.lock().unwrap(), expected);
}
