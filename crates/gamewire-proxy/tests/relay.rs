//! A transparent proxy between sockets: what goes in comes out, and everything is bounded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::recording::RecordError;
use gamewire_machine::Record;
use gamewire_proxy::Side;
use gamewire_proxy::relay::{Control, Limits, OpenError, Relay, RelayConfig, Timeouts};
use gamewire_proxy::traffic::{ClientNumber, CloseReason, Event, RelayStats};
use gamewire_proxy::watch::{Sink, WatchConfig, WatchStats, Watcher};
use gamewire_sim::Conditions;

const ANY: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);
const SOON: Duration = Duration::from_secs(5);

/// Keeps the events.
#[derive(Default)]
struct Events {
    events: Vec<Event>,
}

impl Sink for Events {
    fn event(&mut self, _time: i64, event: &Event) {
        self.events.push(event.clone());
    }

    fn packet(&mut self, _: ClientNumber, _: Side, _: &PacketInfo, _: &Record) {}

    fn recording_failed(&mut self, error: &RecordError) {
        panic!("{error}");
    }
}

/// A proxy that runs.
struct Proxy {
    address: SocketAddr,
    control: Control,
    relay: JoinHandle<RelayStats>,
    watcher: JoinHandle<(Events, WatchStats)>,
}

impl Proxy {
    fn start(config: RelayConfig) -> Self {
        Self::watched(config, WatchConfig::default())
    }

    fn watched(config: RelayConfig, watch: WatchConfig) -> Self {
        let (relay, control, watched) = Relay::open(config).unwrap();
        let address = relay.local_addr();
        let watcher = Watcher::new(watch, Events::default()).unwrap();
        let relay = thread::spawn(move || relay.run().unwrap());
        let watcher = thread::spawn(move || watcher.run(&watched));
        Self { address, control, relay, watcher }
    }

    fn stop(self) -> (RelayStats, Vec<Event>) {
        self.control.stop().unwrap();
        let stats = self.relay.join().unwrap();
        (stats, self.watcher.join().unwrap().0.events)
    }
}

fn config(server: SocketAddr) -> RelayConfig {
    RelayConfig::new(ANY.into(), server)
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind(ANY).unwrap();
    socket.set_read_timeout(Some(SOON)).unwrap();
    socket
}

/// A client's socket that sends to the proxy only.
fn client(proxy: &Proxy) -> UdpSocket {
    let socket = socket();
    socket.connect(proxy.address).unwrap();
    socket
}

fn received(socket: &UdpSocket) -> (Vec<u8>, SocketAddr) {
    let mut buffer = vec![0; 70_000];
    let (length, from) = socket.recv_from(&mut buffer).unwrap();
    buffer.truncate(length);
    (buffer, from)
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < SOON, "{what} did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn datagrams_of_each_length_pass_unchanged_and_each_client_has_a_way_of_its_own() {
    let server = socket();
    let proxy = Proxy::start(config(server.local_addr().unwrap()));
    let clients = [client(&proxy), client(&proxy)];
    let mut ways = Vec::new();
    for (number, client) in clients.iter().enumerate() {
        for length in [0, 1, 1_400, 20_000] {
            let datagram = vec![number as u8; length];
            client.send(&datagram).unwrap();
            let (bytes, way) = received(&server);
            assert_eq!(bytes, datagram);
            server.send_to(&bytes, way).unwrap();
            assert_eq!(received(client).0, datagram);
            ways.push(way);
        }
    }
    ways.dedup();
    assert_eq!(ways.len(), 2, "one socket for each client");
    let (stats, events) = proxy.stop();
    assert_eq!((stats.clients, stats.total.to_server.sent, stats.total.to_client.sent), (2, 8, 8));
    assert_eq!(stats.total.to_server.sent_bytes, 2 * 21_401);
    let kinds: Vec<_> = events
        .iter()
        .map(|event| match event {
            Event::Opened { client, .. } => (client.0, None),
            Event::Closed { client, reason, .. } => (client.0, Some(*reason)),
        })
        .collect();
    let stopped = Some(CloseReason::Stopped);
    assert_eq!(kinds, [(1, None), (2, None), (1, stopped), (2, stopped)]);
}

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
    client.set_read_timeout(Some(SOON)).unwrap();
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
    assert_eq!(*reason, CloseReason::ClosedByClient);
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
    stream.set_read_timeout(Some(SOON)).unwrap();
    stream.read_to_end(&mut all).unwrap();
    assert_eq!(all.len(), written, "all arrives in the end");
    proxy.stop();
}

#[test]
fn a_stream_to_a_server_that_is_not_there_ends_at_once() {
    let nobody = TcpListener::bind(ANY).unwrap().local_addr().unwrap();
    let proxy = Proxy::start(config(nobody));
    let mut client = TcpStream::connect(proxy.address).unwrap();
    client.set_read_timeout(Some(SOON)).unwrap();
    let outcome = client.read(&mut [0; 8]);
    assert!(matches!(&outcome, Ok(0)) || outcome.is_err_and(|error| error.kind() != ErrorKind::WouldBlock));
    let (_, events) = proxy.stop();
    let Some(Event::Closed { reason, .. }) = events.last() else { panic!("{events:?}") };
    assert_eq!(*reason, CloseReason::NoServer(ErrorKind::ConnectionRefused));
}

#[test]
fn g8_a_server_that_is_not_there_yet_costs_nothing_but_counters() {
    let server = socket();
    let address = server.local_addr().unwrap();
    drop(server);
    let proxy = Proxy::start(config(address));
    let client = client(&proxy);
    for _ in 0..5 {
        client.send(b"anyone?").unwrap();
        thread::sleep(Duration::from_millis(20));
    }
    until("an error", || proxy.control.stats().socket_errors > 0);
    let server = UdpSocket::bind(address).unwrap();
    server.set_read_timeout(Some(SOON)).unwrap();
    client.send(b"hello").unwrap();
    // The refusal of an earlier datagram may be reported for this one.
    client.send(b"hello").unwrap();
    assert_eq!(received(&server).0, b"hello");
    proxy.stop();
}

#[test]
fn clients_that_are_silent_are_forgotten_those_that_never_answered_sooner() {
    let server = socket();
    let timeouts = Timeouts { unproven: Duration::from_millis(300), idle: Duration::from_millis(1_500) };
    let proxy = Proxy::start(RelayConfig { timeouts, ..config(server.local_addr().unwrap()) });
    let (silent, player) = (client(&proxy), client(&proxy));
    silent.send(b"spoofed").unwrap();
    received(&server);
    player.send(b"hello").unwrap();
    let (_, way) = received(&server);
    server.send_to(b"token", way).unwrap();
    received(&player);
    player.send(b"token").unwrap();
    until("the first end", || proxy.control.stats().open == 1);
    player.send(b"still here").unwrap();
    assert_eq!(received(&server), (b"token".to_vec(), way));
    assert_eq!(received(&server), (b"still here".to_vec(), way), "it keeps its socket");
    until("the second end", || proxy.control.stats().open == 0);
    proxy.stop();
}

#[test]
fn p1_a_flood_of_first_datagrams_displaces_only_those_that_never_answered() {
    let server = socket();
    let limits = Limits { clients: 60, unproven: 20, new_clients_per_second: 1 };
    let proxy = Proxy::start(RelayConfig { limits, ..config(server.local_addr().unwrap()) });
    let player = client(&proxy);
    player.send(b"hello").unwrap();
    let (_, way) = received(&server);
    server.send_to(b"token", way).unwrap();
    received(&player);
    player.send(b"token").unwrap();
    received(&server);
    let flood: Vec<UdpSocket> = (0..200).map(|_| client(&proxy)).collect();
    for sender in &flood {
        sender.send(b"flood").unwrap();
    }
    until("the flood", || {
        let stats = proxy.control.stats();
        stats.refused + stats.clients >= 201
    });
    let stats = proxy.control.stats();
    assert_eq!((stats.open, stats.displaced), (21, stats.clients - 21));
    assert!(stats.refused >= 139, "a burst of 60, then one a second: {stats:?}");
    player.send(b"still here").unwrap();
    let mut last = received(&server);
    while last.0 == b"flood" {
        last = received(&server);
    }
    assert_eq!(last, (b"still here".to_vec(), way));
    proxy.stop();
}

#[test]
fn p1_a_proxy_that_is_its_own_server_is_refused_and_its_own_datagrams_are_dropped() {
    let free = socket().local_addr().unwrap();
    let refused = Relay::open(RelayConfig::new(free, free)).map(drop).unwrap_err();
    assert!(matches!(refused, OpenError::Itself(_)), "{refused}");

    // Two proxies that are each other's server: a datagram would go around forever.
    let second_address = socket().local_addr().unwrap();
    let first = Proxy::start(config(second_address));
    let limits = Limits { clients: 50, new_clients_per_second: 5, ..Limits::default() };
    let second = Proxy::start(RelayConfig { limits, ..RelayConfig::new(second_address, first.address) });
    client(&first).send(b"around").unwrap();
    until("the end of the circle", || second.control.stats().refused > 0);
    thread::sleep(Duration::from_secs(1));
    let stats = second.control.stats();
    assert!(stats.clients < 70, "{stats:?}");
    first.stop();
    second.stop();
}

#[test]
fn links_lose_and_delay_as_they_are_told_while_they_run() {
    let server = socket();
    let proxy = Proxy::start(config(server.local_addr().unwrap()));
    let client = client(&proxy);
    client.send(b"1").unwrap();
    let (_, way) = received(&server);
    let delay = Duration::from_millis(150);
    proxy.control.set_conditions(Side::Server, Conditions { delay, ..Conditions::PERFECT }).unwrap();
    thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    client.send(b"2").unwrap();
    assert_eq!(received(&server).0, b"2");
    assert!(start.elapsed() >= delay, "{:?}", start.elapsed());
    proxy.control.set_conditions(Side::Client, Conditions::BLACKHOLE).unwrap();
    thread::sleep(Duration::from_millis(50));
    server.send_to(b"lost", way).unwrap();
    thread::sleep(Duration::from_millis(50));
    proxy.control.set_conditions(Side::Client, Conditions::PERFECT).unwrap();
    thread::sleep(Duration::from_millis(50));
    server.send_to(b"kept", way).unwrap();
    assert_eq!(received(&client).0, b"kept");
    let (stats, _) = proxy.stop();
    assert_eq!(stats.lost, 1);
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
        Proxy::start(config(listener.local_addr().unwrap()).with_conditions(Side::Server, conditions));
    let mut client = TcpStream::connect(proxy.address).unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let sent: Vec<u8> = (0..400_000_u32).map(|number| (number % 251) as u8).collect();
    let start = Instant::now();
    client.write_all(&sent).unwrap();
    drop(client);
    let mut all = Vec::new();
    stream.set_read_timeout(Some(SOON)).unwrap();
    stream.read_to_end(&mut all).unwrap();
    assert!(all == sent, "{} of {} bytes", all.len(), sent.len());
    assert!(start.elapsed() > Duration::from_millis(900), "{:?}", start.elapsed());
    drop(stream);
    proxy.stop();
}

#[test]
fn a_client_is_closed_on_request() {
    let server = socket();
    let proxy = Proxy::start(config(server.local_addr().unwrap()));
    let client = client(&proxy);
    client.send(b"hello").unwrap();
    let (_, way) = received(&server);
    proxy.control.close(ClientNumber(1)).unwrap();
    until("the end", || {
        proxy.control.stats().clients == 1 && {
            client.send(b"again").unwrap();
            received(&server).1 != way
        }
    });
    let (stats, events) = proxy.stop();
    assert_eq!(stats.clients, 2);
    assert!(events.iter().any(|event| matches!(event, Event::Closed { reason: CloseReason::Requested, .. })));
}
