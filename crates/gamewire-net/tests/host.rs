//! The blocking host over loopback, with plain sockets as its peers.
#![allow(clippy::arithmetic_side_effects, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant as Monotonic};

use gamewire_machine::StreamId;
use gamewire_net::limits::STREAM_QUEUED_BYTES;
use gamewire_net::{DriverConfig, OpenError, Transports, blocking};
use support::{BYE, Event, Exchange, HostEvent, LOCAL, PATIENCE, QUIT, host, host_until, listen};

fn dial(to: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// The host's only stream, once it is there.
fn only(host: &mut blocking::Driver<Exchange>) -> StreamId {
    host_until(host, |machine| !machine.open.is_empty());
    *host.machine().open.keys().next().unwrap()
}

/// Drives the host until `stream` has brought `expected`.
fn expect(host: &mut blocking::Driver<Exchange>, stream: &mut TcpStream, expected: &[u8]) {
    let (mut heard, mut buffer) = (Vec::<u8>::new(), [0; 4096]);
    stream.set_nonblocking(true).unwrap();
    host_until(host, |_| {
        match stream.read(&mut buffer) {
            Ok(count) => heard.extend(buffer.iter().take(count)),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        heard.len() >= expected.len()
    });
    stream.set_nonblocking(false).unwrap();
    assert_eq!(heard, expected);
}

/// The host has nothing to do, and does nothing.
fn sleeps(host: &mut blocking::Driver<Exchange>) {
    let before = host.machine().turns.get();
    assert_eq!(host.next_event(Duration::from_millis(50)).unwrap(), None);
    let turns = host.machine().turns.get() - before;
    assert!(turns < 20, "{turns} turns");
}

#[test]
fn what_is_said_over_a_stream_comes_back() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    peer.write_all(b"hello").unwrap();
    let from = peer.local_addr().unwrap();
    let opened = host.next_event(PATIENCE).unwrap().unwrap();
    let HostEvent::Opened(id, _) = opened else { panic!("{opened:?}") };
    assert_eq!(opened, HostEvent::Opened(id, from));
    assert_eq!(host.next_event(PATIENCE).unwrap(), Some(HostEvent::Said(id, 5)));
    expect(&mut host, &mut peer, b"hello");
    let streams = host.stats().streams;
    assert_eq!((streams.opened, streams.received_bytes, streams.sent_bytes), (1, 5, 5));
}

#[test]
fn bytes_cut_anywhere_arrive_in_order() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    let said: Vec<u8> =
        (0_u32..20_000).flat_map(|number| number.to_be_bytes()).map(|byte| byte | 0x80).collect();
    let whole = said.clone();
    let (mut writer, reader) = (peer.try_clone().unwrap(), &mut peer);
    let writing = std::thread::spawn(move || {
        let (mut rest, mut len) = (said.as_slice(), 1);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(len.min(rest.len()));
            writer.write_all(now).unwrap();
            (rest, len) = (later, len * 7 % 1_009);
        }
    });
    expect(&mut host, reader, &whole);
    writing.join().unwrap();
    assert_eq!(host.machine().heard.as_ref().unwrap().values().next(), Some(&whole));
}

#[test]
fn datagrams_and_streams_share_a_port() {
    let mut host = host(Exchange::repeating());
    let (mut stream, socket) = (dial(host.local_addr()), UdpSocket::bind(LOCAL).unwrap());
    socket.send_to(&[0, 9], host.local_addr()).unwrap();
    stream.write_all(b"over a stream").unwrap();
    let mut events = Vec::new();
    while events.len() < 3 {
        events.push(host.next_event(PATIENCE).unwrap().unwrap());
    }
    let from = socket.local_addr().unwrap();
    assert!(events.contains(&HostEvent::Parrot(Event::Heard { from, number: 9, len: 2 })), "{events:?}");
    expect(&mut host, &mut stream, b"over a stream");
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut buffer = [0; 9];
    assert_eq!(socket.recv_from(&mut buffer).unwrap(), (2, host.local_addr()));
}

#[test]
fn a_host_may_have_only_one_transport() {
    let with = |transports| {
        blocking::Driver::listen_with(LOCAL, transports, Exchange::repeating(), DriverConfig::default())
            .unwrap()
    };
    // Others may have the port, but not every time.
    let mut udp = (0..100)
        .map(|_| with(Transports::Udp))
        .find(|host| TcpListener::bind(host.local_addr()).is_ok())
        .expect("the port is free for streams");
    let socket = UdpSocket::bind(LOCAL).unwrap();
    socket.send_to(&[0, 9], udp.local_addr()).unwrap();
    assert!(matches!(udp.next_event(PATIENCE).unwrap(), Some(HostEvent::Parrot(_))));

    let mut tcp = (0..100)
        .map(|_| with(Transports::Tcp))
        .find(|host| UdpSocket::bind(host.local_addr()).is_ok())
        .expect("the port is free for datagrams");
    tcp.machine_mut().parrot.say(socket.local_addr().unwrap(), 1, 2);
    let mut peer = dial(tcp.local_addr());
    peer.write_all(b"x").unwrap();
    expect(&mut tcp, &mut peer, b"x");
    assert_eq!(tcp.stats().dropped, 1, "there is nothing to send a datagram with");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind(LOCAL).unwrap();
    let error = listen(taken.local_addr().unwrap(), Exchange::default()).unwrap_err();
    assert!(matches!(error, OpenError::Listen { .. }), "{error}");
    // Others may have the port for streams, but not every time.
    let is_for_datagrams = (0..100).any(|_| {
        let taken = UdpSocket::bind(LOCAL).unwrap();
        let error = listen(taken.local_addr().unwrap(), Exchange::default()).unwrap_err();
        matches!(error, OpenError::Bind { .. })
    });
    assert!(is_for_datagrams);
}

#[test]
fn a_peer_that_ends_its_stream_is_told_once_after_what_it_said() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    peer.write_all(b"the end").unwrap();
    peer.shutdown(Shutdown::Write).unwrap();
    let mut events = Vec::new();
    while !matches!(events.last(), Some(HostEvent::Ended(_))) {
        events.push(host.next_event(PATIENCE).unwrap().unwrap());
    }
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(host.stats().streams.ended, 1);
    // It had an answer coming, and then the end.
    expect(&mut host, &mut peer, b"the end");
    host.update().unwrap().for_each(drop);
    assert_eq!(peer.read(&mut [0; 9]).unwrap(), 0);
}

#[test]
fn a_peer_that_resets_its_stream_is_told_once() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    peer.write_all(b"x").unwrap();
    let id = only(&mut host);
    host_until(&mut host, |machine| machine.heard.as_ref().unwrap().contains_key(&id));
    // What nobody has read makes the system reset a stream that is closed.
    assert_eq!(peer.peek(&mut [0; 9]).unwrap(), 1);
    drop(peer);
    host_until(&mut host, |machine| machine.open.is_empty());
    assert_eq!((host.stats().streams.reset, host.stats().streams.ended), (1, 0));
    host.machine_mut().say(id, b"too late");
    host.update().unwrap().for_each(drop);
}

#[test]
fn a_stream_that_the_machine_closes_brings_all_that_was_written_before() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    // It goes on talking, which must not cost it the good-bye.
    peer.write_all(&[b'a', QUIT]).unwrap();
    host_until(&mut host, |machine| machine.heard.as_ref().is_some_and(|heard| !heard.is_empty()));
    peer.write_all(&[b'x'; 100_000]).unwrap();
    expect(&mut host, &mut peer, &[&[b'a', QUIT], BYE].concat());
    assert_eq!(peer.read(&mut [0; 9]).unwrap(), 0);
    assert_eq!(host.stats().streams.closed, 1);
    assert_eq!(host.machine().heard.as_ref().unwrap().values().next().unwrap().len(), 2);
}

#[test]
fn a_peer_that_does_not_read_is_given_up_and_others_are_served() {
    let settings = DriverConfig::default().stream_send_buffer(300_000);
    let mut host =
        blocking::Driver::listen_with(LOCAL, Transports::Tcp, Exchange::repeating(), settings).unwrap();
    let slow = dial(host.local_addr());
    let id = only(&mut host);
    let mut other = dial(host.local_addr());
    let mut said = 0;
    while host.machine().open.contains_key(&id) {
        host.machine_mut().say(id, &[0; 100_000]);
        host.update().unwrap().for_each(drop);
        said += 1;
        assert!(said < 1_000, "no system takes that much");
    }
    assert_eq!(host.stats().streams.slow_reader, 1);
    other.write_all(b"still here").unwrap();
    expect(&mut host, &mut other, b"still here");
    drop(slow);
}

#[test]
fn a_peer_that_reads_late_gets_everything() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    let id = only(&mut host);
    // More than the system takes at once, and than is gathered.
    let whole: Vec<u8> = (0..200_000_u32).flat_map(u32::to_be_bytes).collect();
    assert!(whole.len() < STREAM_QUEUED_BYTES);
    for part in whole.chunks(100_000) {
        host.machine_mut().say(id, part);
    }
    host.update().unwrap().for_each(drop);
    expect(&mut host, &mut peer, &whole);
}

#[test]
fn two_hundred_streams_at_once_are_all_answered() {
    let mut host = host(Exchange::repeating());
    let to = host.local_addr();
    let peers = std::thread::spawn(move || {
        let mut peers: Vec<_> = (0..200).map(|_| dial(to)).collect();
        for (number, peer) in peers.iter_mut().enumerate() {
            peer.write_all(format!("{number:3}").as_bytes()).unwrap();
        }
        for (number, peer) in peers.iter_mut().enumerate() {
            let mut heard = [0; 3];
            peer.read_exact(&mut heard).unwrap();
            assert_eq!(heard, format!("{number:3}").as_bytes());
        }
    });
    let mut most = 0;
    host_until(&mut host, |machine| {
        most = most.max(machine.open.len());
        most == 200 && machine.open.is_empty()
    });
    peers.join().unwrap();
    let streams = host.stats().streams;
    assert_eq!((streams.opened, streams.ended + streams.reset), (200, 200));
}

#[test]
fn streams_beyond_the_bound_wait_until_others_end() {
    let settings = DriverConfig::default().max_streams(2);
    let mut host =
        blocking::Driver::listen_with(LOCAL, Transports::Tcp, Exchange::repeating(), settings).unwrap();
    let mut peers: Vec<_> = (0..4).map(|_| dial(host.local_addr())).collect();
    for peer in &mut peers {
        peer.write_all(b"x").unwrap();
    }
    host_until(&mut host, |machine| machine.heard.as_ref().unwrap().len() == 2);
    host.update().unwrap().for_each(drop);
    sleeps(&mut host);
    assert_eq!(host.stats().streams.opened, 2);
    peers.drain(..2);
    host_until(&mut host, |machine| machine.heard.as_ref().unwrap().len() == 4);
}

#[test]
fn one_that_always_talks_does_not_keep_others_from_being_heard() {
    let mut host = host(Exchange::default());
    let to = host.local_addr();
    let (loud, mut quiet) = (dial(to), dial(to));
    host_until(&mut host, |machine| machine.open.len() == 2);
    let from = quiet.local_addr().unwrap();
    let id = *host.machine().open.iter().find(|(_, peer)| **peer == from).unwrap().0;
    let mut talking = loud.try_clone().unwrap();
    let talk = std::thread::spawn(move || while talking.write_all(&[b'x'; 65_536]).is_ok() {});
    quiet.write_all(b"psst").unwrap();
    let deadline = Monotonic::now() + PATIENCE;
    while host.next_event(PATIENCE).unwrap() != Some(HostEvent::Said(id, 4)) {
        assert!(Monotonic::now() < deadline);
    }
    // An update ends although there is always more.
    host.update().unwrap().for_each(drop);
    drop(host);
    talk.join().unwrap();
    drop(loud);
}

#[test]
fn what_was_said_last_is_written_when_the_host_goes() {
    let mut host = host(Exchange::repeating());
    let mut peer = dial(host.local_addr());
    let id = only(&mut host);
    // It has said something that the host will never read.
    peer.write_all(b"unheard").unwrap();
    host.machine_mut().say(id, BYE);
    drop(host);
    let mut heard = Vec::new();
    peer.read_to_end(&mut heard).unwrap();
    assert_eq!(heard, BYE);
}

#[test]
fn a_host_goes_soon_although_a_peer_does_not_read() {
    let mut host = host(Exchange::repeating());
    let peer = dial(host.local_addr());
    let id = only(&mut host);
    // Until the system takes only a part.
    while host.stats().streams.sent_bytes.is_multiple_of(49_999) {
        assert!(host.machine().open.contains_key(&id));
        host.machine_mut().say(id, &[0; 49_999]);
        host.update().unwrap().for_each(drop);
    }
    let before = Monotonic::now();
    drop(host);
    assert!(before.elapsed() < PATIENCE / 2);
    drop(peer);
}

#[test]
fn a_peer_over_ipv4_has_its_ipv4_address_on_an_ipv6_host() {
    let Ok(mut host) = listen("[::]:0".parse().unwrap(), Exchange::repeating()) else {
        return; // A host without IPv6.
    };
    let peer = dial(SocketAddr::new(LOCAL.ip(), host.local_addr().port()));
    host_until(&mut host, |machine| !machine.open.is_empty());
    assert_eq!(host.machine().open.values().next(), Some(&peer.local_addr().unwrap()));
}

#[test]
fn a_timer_fires_without_any_traffic() {
    let mut host = host(Exchange::default());
    let _idle = dial(host.local_addr());
    only(&mut host);
    host.machine_mut().parrot.ring_after(Duration::from_millis(30));
    assert_eq!(host.next_event(PATIENCE).unwrap(), Some(HostEvent::Parrot(Event::Rang)));
    assert_eq!(host.next_event(Duration::from_millis(10)).unwrap(), None);
}

#[test]
fn a_stream_that_waits_to_be_closed_keeps_nobody_awake() {
    let mut host = host(Exchange::repeating());
    let mut slow = dial(host.local_addr());
    let id = only(&mut host);
    // More than the system takes, but not more than may wait.
    while host.stats().streams.sent_bytes.is_multiple_of(49_999) {
        assert!(host.machine().open.contains_key(&id));
        host.machine_mut().say(id, &[0; 49_999]);
        host.update().unwrap().for_each(drop);
    }
    host.machine_mut().close(id);
    host.update().unwrap().for_each(drop);
    sleeps(&mut host);
    slow.write_all(b"x").unwrap();
    sleeps(&mut host);
    slow.shutdown(Shutdown::Both).unwrap();
    host_until(&mut host, |_| true);
    sleeps(&mut host);
}
