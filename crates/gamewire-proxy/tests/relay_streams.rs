//! A transparent proxy for streams on loopback.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use gamewire_machine::Role;
use gamewire_sim::Conditions;
use gamewire_watch::{CloseReason, Event};

use crate::support::{ANY, LIMIT, Proxy, config, until};

#[test]
fn streams_pass_unchanged_with_their_ends() {
    let listener = TcpListener::bind(ANY).unwrap();
    let proxy = Proxy::start(config(listener.local_addr().unwrap()));
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        stream.write_all(&all).unwrap();
        all.len()
    });
    let mut client = TcpStream::connect(proxy.address).unwrap();
    client.set_read_timeout(Some(LIMIT)).unwrap();
    let sent: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    client.write_all(&sent).unwrap();
    client.shutdown(std::net::Shutdown::Write).unwrap();
    let mut back = Vec::new();
    client.read_to_end(&mut back).unwrap();
    assert_eq!(server.join().unwrap(), sent.len());
    assert!(back == sent, "{} of {} bytes came back", back.len(), sent.len());
    until("the end of the client", || proxy.control.stats().open == 0);
    let (_, events) = proxy.stop();
    let Some(Event::Closed { reason, .. }) = events.last() else { panic!("{events:?}") };
    assert_eq!(*reason, CloseReason::ClosedBy(Role::Client));
}

#[test]
fn p1_a_client_that_sends_nothing_is_removed() {
    let listener = TcpListener::bind(ANY).unwrap();
    let mut config = config(listener.local_addr().unwrap());
    config.timeouts.unproven = Duration::from_millis(500);
    let proxy = Proxy::start(config);
    let mut player = TcpStream::connect(proxy.address).unwrap();
    player.write_all(b"hello").unwrap();
    let mut idle: Vec<_> = (0..70).map(|_| TcpStream::connect(proxy.address).unwrap()).collect();
    for stream in &mut idle {
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        assert!(matches!(stream.read(&mut [0; 1]), Ok(0) | Err(_)));
    }
    until("the end of the idle clients", || proxy.control.stats().open == 1);
    let (_, events) = proxy.stop();
    let idle = events.iter().filter(|event| matches!(event, Event::Closed { reason: CloseReason::Idle, .. }));
    assert_eq!(idle.count(), 70);
}

#[test]
fn p1_an_address_has_a_limited_number_of_streams() {
    let listener = TcpListener::bind(ANY).unwrap();
    let mut config = config(listener.local_addr().unwrap());
    config.limits.clients_per_address = 3;
    let proxy = Proxy::start(config);
    let mut streams: Vec<_> = (0..5).map(|_| TcpStream::connect(proxy.address).unwrap()).collect();
    until("the refusals", || proxy.control.stats().refused == 2);
    assert_eq!(proxy.control.stats().open, 3);
    for stream in &mut streams[3..] {
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        assert!(matches!(stream.read(&mut [0; 1]), Ok(0) | Err(_)));
    }
    drop(streams);
    until("the ends", || proxy.control.stats().open == 0);
    let _late = TcpStream::connect(proxy.address).unwrap();
    until("a new client", || proxy.control.stats().open == 1);
    proxy.stop();
}

#[test]
fn a_reader_that_stops_stops_the_writer_and_memory_stays_bounded() {
    let listener = TcpListener::bind(ANY).unwrap();
    let proxy = Proxy::start(config(listener.local_addr().unwrap()));
    let mut client = TcpStream::connect(proxy.address).unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    client.set_nonblocking(true).unwrap();
    let (mut written, chunk) = (0, vec![7; 1 << 16]);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        match client.write(&chunk) {
            Ok(count) => written += count,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
    let read = proxy.control.stats().total.to_server.received_bytes;
    assert!(read < 32 << 20, "{read} bytes taken from a client whose server reads nothing");
    drop(client);
    let mut all = Vec::new();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream.read_to_end(&mut all).unwrap();
    assert_eq!(all.len(), written, "all arrives in the end");
    proxy.stop();
}

#[test]
fn a_stream_to_a_server_that_is_not_there_ends_at_once() {
    let listener = TcpListener::bind(ANY).unwrap();
    // The port of a connected stream is in use, but nothing listens on it.
    let connected = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let proxy = Proxy::start(config(connected.local_addr().unwrap()));
    let mut client = TcpStream::connect(proxy.address).unwrap();
    client.set_read_timeout(Some(LIMIT)).unwrap();
    let outcome = client.read(&mut [0; 8]);
    assert!(matches!(&outcome, Ok(0)) || outcome.is_err_and(|error| error.kind() != ErrorKind::WouldBlock));
    let (_, events) = proxy.stop();
    let Some(Event::Closed { reason, .. }) = events.last() else { panic!("{events:?}") };
    assert_eq!(*reason, CloseReason::NoServer(ErrorKind::ConnectionRefused));
}

#[test]
fn a_slow_link_slows_a_stream_and_loses_nothing_of_it() {
    let listener = TcpListener::bind(ANY).unwrap();
    let conditions = Conditions {
        loss: 0.5,
        rate: std::num::NonZeroU64::new(400_000),
        delay: Duration::from_millis(20),
        ..Conditions::PERFECT
    };
    let proxy =
        Proxy::start(config(listener.local_addr().unwrap()).with_conditions(Role::Server, conditions));
    let mut client = TcpStream::connect(proxy.address).unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let sent: Vec<u8> = (0..400_000_u32).map(|number| (number % 251) as u8).collect();
    let start = Instant::now();
    client.write_all(&sent).unwrap();
    drop(client);
    let mut all = Vec::new();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream.read_to_end(&mut all).unwrap();
    assert!(all == sent, "{} of {} bytes", all.len(), sent.len());
    assert!(start.elapsed() > Duration::from_millis(900), "{:?}", start.elapsed());
    drop(stream);
    proxy.stop();
}
