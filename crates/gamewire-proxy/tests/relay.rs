//! A transparent proxy for datagrams on loopback: it forwards everything, and its queues are bounded.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use gamewire_machine::Role;
use gamewire_proxy::relay::{Limits, OpenError, Relay, RelayConfig, Timeouts};
use gamewire_sim::Conditions;
use gamewire_watch::{CloseReason, Event, PeerNumber};
use rustix::net::sockopt::set_socket_reuseport;
use rustix::net::{AddressFamily, SocketType};

use crate::support::{ANY, LIMIT, Proxy, client, config, received, socket, until};

/// Binds a socket with `SO_REUSEPORT`, so that a second socket can bind its port.
fn shared_socket(address: SocketAddr) -> UdpSocket {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::DGRAM, None).unwrap();
    set_socket_reuseport(&socket, true).unwrap();
    rustix::net::bind(&socket, &address).unwrap();
    let socket = UdpSocket::from(socket);
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    socket
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
fn g8_a_server_that_is_not_there_yet_costs_nothing_but_counters() {
    // A socket that is connected to itself holds the port and refuses all other datagrams.
    let held = shared_socket(ANY.into());
    let address = held.local_addr().unwrap();
    held.connect(address).unwrap();
    let proxy = Proxy::start(config(address));
    let client = client(&proxy);
    for _ in 0..5 {
        client.send(b"anyone?").unwrap();
        thread::sleep(Duration::from_millis(20));
    }
    until("an error", || proxy.control.stats().socket_errors > 0);
    let server = shared_socket(address);
    client.send(b"hello").unwrap();
    // The system may report the refusal of an earlier datagram on this send.
    client.send(b"hello").unwrap();
    assert_eq!(received(&server).0, b"hello");
    proxy.stop();
}

/// Exchanges datagrams until the proxy has proof that the client receives replies. Returns the address of the proxy's
/// socket to the server.
fn prove(client: &UdpSocket, server: &UdpSocket) -> SocketAddr {
    loop {
        client.send(b"hello").unwrap();
        let (_, way) = received(server);
        server.send_to(b"token", way).unwrap();
        received(client);
        client.send(b"token").unwrap();
        // On a busy machine, the proxy may have removed the client in between.
        if received(server).1 == way {
            return way;
        }
    }
}

#[test]
fn clients_that_never_answered_are_forgotten_first() {
    let server = socket();
    let timeouts = Timeouts { unproven: Duration::from_millis(300), idle: Duration::from_secs(3_600) };
    let proxy = Proxy::start(RelayConfig { timeouts, ..config(server.local_addr().unwrap()) });
    let (silent, player) = (client(&proxy), client(&proxy));
    let way = prove(&player, &server);
    silent.send(b"spoofed").unwrap();
    received(&server);
    until("the end of the silent client", || proxy.control.stats().open == 1);
    player.send(b"still here").unwrap();
    assert_eq!(received(&server), (b"still here".to_vec(), way), "it keeps its socket");
    proxy.stop();
}

#[test]
fn players_that_are_silent_are_forgotten() {
    let server = socket();
    let timeouts = Timeouts { unproven: Duration::from_secs(3_600), idle: Duration::from_millis(300) };
    let proxy = Proxy::start(RelayConfig { timeouts, ..config(server.local_addr().unwrap()) });
    prove(&client(&proxy), &server);
    until("the end of the player", || proxy.control.stats().open == 0);
    proxy.stop();
}

#[test]
fn p1_a_flood_of_first_datagrams_displaces_only_those_that_never_answered() {
    let server = socket();
    let limits = Limits { clients: 60, unproven: 20, new_clients_per_second: 1, ..Limits::default() };
    let began = Instant::now();
    let proxy = Proxy::start(RelayConfig { limits, ..config(server.local_addr().unwrap()) });
    let player = client(&proxy);
    let way = prove(&player, &server);
    let flood: Vec<UdpSocket> = (0..200).map(|_| client(&proxy)).collect();
    for sender in &flood {
        sender.send(b"flood").unwrap();
    }
    until("the flood", || {
        let stats = proxy.control.stats();
        stats.refused + stats.clients >= 201
    });
    let (stats, seconds) = (proxy.control.stats(), began.elapsed().as_secs());
    assert_eq!((stats.open, stats.displaced), (21, stats.clients - 21));
    assert!(stats.refused + seconds >= 139, "a burst of 60, then one a second: {stats:?}");
    player.send(b"still here").unwrap();
    let mut last = received(&server);
    while last.0 == b"flood" {
        last = received(&server);
    }
    assert_eq!(last, (b"still here".to_vec(), way));
    proxy.stop();
}

#[test]
fn p1_an_address_has_a_limited_number_of_clients_that_have_answered() {
    let server = socket();
    let limits = Limits { clients_per_address: 3, ..Limits::default() };
    let proxy = Proxy::start(RelayConfig { limits, ..config(server.local_addr().unwrap()) });
    // Datagrams in the name of an address do not lock it out.
    let silent: Vec<_> = (0..5).map(|_| client(&proxy)).collect();
    for sender in &silent {
        sender.send(b"spoofed").unwrap();
        received(&server);
    }
    let players: Vec<_> = (0..3).map(|_| client(&proxy)).collect();
    for player in &players {
        prove(player, &server);
    }
    client(&proxy).send(b"one more").unwrap();
    until("the refusal", || proxy.control.stats().refused > 0);
    assert_eq!(proxy.control.stats().clients, 8);
    proxy.stop();
}

#[test]
fn p1_a_proxy_that_is_its_own_server_is_refused_and_its_own_datagrams_are_dropped() {
    let taken = socket();
    let free = taken.local_addr().unwrap();
    let refused = Relay::open(RelayConfig::new(free, free)).map(drop).unwrap_err();
    assert!(matches!(refused, OpenError::Itself(_)), "{refused}");

    // Each of two proxies is the other's server, so a datagram would circulate forever.
    let limits = Limits { clients: 50, new_clients_per_second: 5, ..Limits::default() };
    let began = Instant::now();
    let (first, second) = loop {
        // Another program may bind the port before the second proxy does.
        let address = socket().local_addr().unwrap();
        let first = Proxy::start(config(address));
        match Proxy::open(RelayConfig { limits, ..RelayConfig::new(address, first.address) }) {
            Ok(second) => break (first, second),
            Err(error) => assert!(matches!(error, OpenError::Bind { .. }), "{error}"),
        }
        first.stop();
    };
    client(&first).send(b"around").unwrap();
    until("the end of the circle", || second.control.stats().refused > 0);
    thread::sleep(Duration::from_secs(1));
    let (stats, seconds) = (second.control.stats(), began.elapsed().as_secs());
    assert!(stats.clients <= 50 + 5 * (seconds + 1), "{stats:?} after {seconds} s");
    first.stop();
    second.stop();
}

/// Changes a link, then closes the last client, `bystander`. When that client is closed, the link is changed too,
/// because commands run in order.
fn set_conditions(proxy: &Proxy, to: Role, conditions: Conditions, bystander: u64) {
    proxy.control.set_conditions(to, conditions).unwrap();
    proxy.control.close(PeerNumber(bystander)).unwrap();
    until("the change", || proxy.control.stats().open < bystander);
}

#[test]
fn links_lose_and_delay_as_they_are_told_while_they_run() {
    let server = socket();
    let proxy = Proxy::start(config(server.local_addr().unwrap()));
    let clients: Vec<_> = (0..4).map(|_| client(&proxy)).collect();
    let ways: Vec<_> = clients
        .iter()
        .map(|client| {
            client.send(b"1").unwrap();
            received(&server).1
        })
        .collect();
    until("the clients", || proxy.control.stats().open == 4);
    let (client, way) = (&clients[0], ways[0]);
    let delay = Duration::from_millis(150);
    set_conditions(&proxy, Role::Server, Conditions { delay, ..Conditions::PERFECT }, 4);
    let start = Instant::now();
    client.send(b"2").unwrap();
    assert_eq!(received(&server).0, b"2");
    assert!(start.elapsed() >= delay, "{:?}", start.elapsed());
    set_conditions(&proxy, Role::Client, Conditions::BLACKHOLE, 3);
    server.send_to(b"lost", way).unwrap();
    until("the loss", || proxy.control.stats().lost == 1);
    set_conditions(&proxy, Role::Client, Conditions::PERFECT, 2);
    server.send_to(b"kept", way).unwrap();
    assert_eq!(received(client).0, b"kept");
    let (stats, _) = proxy.stop();
    assert_eq!(stats.lost, 1);
}

#[test]
fn a_client_is_closed_on_request() {
    let server = socket();
    let proxy = Proxy::start(config(server.local_addr().unwrap()));
    let client = client(&proxy);
    client.send(b"hello").unwrap();
    let (_, way) = received(&server);
    proxy.control.close(PeerNumber(1)).unwrap();
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

#[test]
fn new_clients_get_another_server_and_those_who_are_there_keep_theirs() {
    let (first, second) = (socket(), socket());
    let proxy = Proxy::start(config(first.local_addr().unwrap()));
    let before = client(&proxy);
    let way = prove(&before, &first);
    // The proxy's own address is ignored.
    proxy.control.set_server(proxy.address).unwrap();
    proxy.control.set_server(second.local_addr().unwrap()).unwrap();
    second.set_nonblocking(true).unwrap();
    let mut buffer = [0; 16];
    until("a client of the second server", || {
        // A client that came before the command stays with the first server.
        client(&proxy).send(b"new").unwrap();
        second.recv(&mut buffer).is_ok()
    });
    before.send(b"still here").unwrap();
    while received(&first) != (b"still here".to_vec(), way) {}
    proxy.stop();
}
