//! The blocking driver as a host over loopback. Its peers are plain sockets.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant as Monotonic};

use crate::support::{
    CLOSE_REPLY, CLOSE_REQUEST, Event, LOCAL, ServerEvent, StreamServer, TIMEOUT, host, host_until, listen,
};
use gamewire_machine::StreamId;
use gamewire_net::limits::MAX_STREAM_QUEUED_BYTES;
use gamewire_net::{DriverConfig, OpenError, Transports, blocking};

pub(crate) fn connect(to: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// Returns the host's only stream once it is open.
fn only_stream(host: &mut blocking::Driver<StreamServer>) -> StreamId {
    host_until(host, |machine| !machine.open.is_empty());
    *host.machine().open.keys().next().unwrap()
}

/// Drives the host until `stream` has received `expected`.
pub(crate) fn expect(host: &mut blocking::Driver<StreamServer>, stream: &mut TcpStream, expected: &[u8]) {
    let (mut received, mut buffer) = (Vec::<u8>::new(), [0; 4096]);
    stream.set_nonblocking(true).unwrap();
    host_until(host, |_| {
        match stream.read(&mut buffer) {
            Ok(count) => received.extend(buffer.iter().take(count)),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        received.len() >= expected.len()
    });
    stream.set_nonblocking(false).unwrap();
    assert_eq!(received, expected);
}

/// Asserts that an idle host does not poll its machine.
fn assert_idle(host: &mut blocking::Driver<StreamServer>) {
    let before = host.machine().polls.get();
    assert_eq!(host.next_event(Duration::from_millis(50)).unwrap(), None);
    let polls = host.machine().polls.get() - before;
    assert!(polls < 20, "{polls} polls");
}

#[test]
fn bytes_of_a_stream_are_echoed() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    peer.write_all(b"hello").unwrap();
    let from = peer.local_addr().unwrap();
    let opened = host.next_event(TIMEOUT).unwrap().unwrap();
    let ServerEvent::Opened(id, _) = opened else { panic!("{opened:?}") };
    assert_eq!(opened, ServerEvent::Opened(id, from));
    assert_eq!(host.next_event(TIMEOUT).unwrap(), Some(ServerEvent::Received(id, 5)));
    expect(&mut host, &mut peer, b"hello");
    let streams = host.stats().streams;
    assert_eq!((streams.opened, streams.received_bytes, streams.sent_bytes), (1, 5, 5));
}

#[test]
fn bytes_cut_anywhere_arrive_in_order() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    let sent: Vec<u8> =
        (0_u32..20_000).flat_map(|number| number.to_be_bytes()).map(|byte| byte | 0x80).collect();
    let whole = sent.clone();
    let (mut writer, reader) = (peer.try_clone().unwrap(), &mut peer);
    let writing = std::thread::spawn(move || {
        let (mut rest, mut len) = (sent.as_slice(), 1);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(len.min(rest.len()));
            writer.write_all(now).unwrap();
            (rest, len) = (later, len * 7 % 1_009);
        }
    });
    expect(&mut host, reader, &whole);
    writing.join().unwrap();
    assert_eq!(host.machine().received.as_ref().unwrap().values().next(), Some(&whole));
}

#[test]
fn datagrams_and_streams_share_a_port() {
    let mut host = host(StreamServer::echoing());
    let (mut stream, socket) = (connect(host.local_addr()), UdpSocket::bind(LOCAL).unwrap());
    socket.send_to(&[0, 9], host.local_addr()).unwrap();
    stream.write_all(b"over a stream").unwrap();
    let mut events = Vec::new();
    while events.len() < 3 {
        events.push(host.next_event(TIMEOUT).unwrap().unwrap());
    }
    let from = socket.local_addr().unwrap();
    assert!(
        events.contains(&ServerEvent::Datagram(Event::Received { from, number: 9, len: 2 })),
        "{events:?}"
    );
    expect(&mut host, &mut stream, b"over a stream");
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut buffer = [0; 9];
    assert_eq!(socket.recv_from(&mut buffer).unwrap(), (2, host.local_addr()));
}

#[test]
fn a_host_may_have_only_one_transport() {
    let with = |transports| {
        blocking::Driver::listen_with(LOCAL, transports, StreamServer::echoing(), DriverConfig::default())
            .unwrap()
    };
    // Try several ports, because other programs may use one.
    let mut udp = (0..100)
        .map(|_| with(Transports::Udp))
        .find(|host| TcpListener::bind(host.local_addr()).is_ok())
        .expect("the port is free for streams");
    let socket = UdpSocket::bind(LOCAL).unwrap();
    socket.send_to(&[0, 9], udp.local_addr()).unwrap();
    assert!(matches!(udp.next_event(TIMEOUT).unwrap(), Some(ServerEvent::Datagram(_))));

    let mut tcp = (0..100)
        .map(|_| with(Transports::Tcp))
        .find(|host| UdpSocket::bind(host.local_addr()).is_ok())
        .expect("the port is free for datagrams");
    tcp.machine_mut().datagrams.send(socket.local_addr().unwrap(), 1, 2);
    let mut peer = connect(tcp.local_addr());
    peer.write_all(b"x").unwrap();
    expect(&mut tcp, &mut peer, b"x");
    assert_eq!(tcp.stats().dropped, 1, "the host has no UDP socket");
}

#[test]
fn a_port_in_use_is_an_error() {
    let taken = TcpListener::bind(LOCAL).unwrap();
    let error = listen(taken.local_addr().unwrap(), StreamServer::default()).unwrap_err();
    assert!(matches!(error, OpenError::Listen { .. }), "{error}");
    // Try several ports, because other programs may listen on one.
    let is_for_datagrams = (0..100).any(|_| {
        let taken = UdpSocket::bind(LOCAL).unwrap();
        let error = listen(taken.local_addr().unwrap(), StreamServer::default()).unwrap_err();
        matches!(error, OpenError::Bind { .. })
    });
    assert!(is_for_datagrams);
}

#[test]
fn the_end_of_a_stream_is_reported_once_after_its_bytes() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    peer.write_all(b"the end").unwrap();
    peer.shutdown(Shutdown::Write).unwrap();
    let mut events = Vec::new();
    while !matches!(events.last(), Some(ServerEvent::Closed(_))) {
        events.push(host.next_event(TIMEOUT).unwrap().unwrap());
    }
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(host.stats().streams.ended, 1);
    // The peer receives the echo, then the end.
    expect(&mut host, &mut peer, b"the end");
    host.update().unwrap().for_each(drop);
    assert_eq!(peer.read(&mut [0; 9]).unwrap(), 0);
}

#[test]
fn a_reset_is_reported_once() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    peer.write_all(b"x").unwrap();
    let id = only_stream(&mut host);
    host_until(&mut host, |machine| machine.received.as_ref().unwrap().contains_key(&id));
    // The system resets a closed stream that has unread bytes.
    assert_eq!(peer.peek(&mut [0; 9]).unwrap(), 1);
    drop(peer);
    host_until(&mut host, |machine| machine.open.is_empty());
    assert_eq!((host.stats().streams.reset, host.stats().streams.ended), (1, 0));
    host.machine_mut().send(id, b"too late");
    host.update().unwrap().for_each(drop);
}

#[test]
fn a_closed_stream_delivers_the_bytes_written_before() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    // The peer keeps sending and must still receive the reply.
    peer.write_all(&[b'a', CLOSE_REQUEST]).unwrap();
    host_until(&mut host, |machine| machine.received.as_ref().is_some_and(|received| !received.is_empty()));
    peer.write_all(&[b'x'; 100_000]).unwrap();
    expect(&mut host, &mut peer, &[&[b'a', CLOSE_REQUEST], CLOSE_REPLY].concat());
    assert_eq!(peer.read(&mut [0; 9]).unwrap(), 0);
    assert_eq!(host.stats().streams.closed, 1);
    assert_eq!(host.machine().received.as_ref().unwrap().values().next().unwrap().len(), 2);
}

#[test]
fn a_slow_reader_is_disconnected_and_others_are_served() {
    let config = DriverConfig { stream_send_buffer: Some(300_000), ..DriverConfig::default() };
    let mut host =
        blocking::Driver::listen_with(LOCAL, Transports::Tcp, StreamServer::echoing(), config).unwrap();
    let slow = connect(host.local_addr());
    let id = only_stream(&mut host);
    let mut other = connect(host.local_addr());
    let mut sent = 0;
    while host.machine().open.contains_key(&id) {
        host.machine_mut().send(id, &[0; 100_000]);
        host.update().unwrap().for_each(drop);
        sent += 1;
        assert!(sent < 1_000, "the system buffers without end");
    }
    assert_eq!(host.stats().streams.slow_reader, 1);
    other.write_all(b"still here").unwrap();
    expect(&mut host, &mut other, b"still here");
    drop(slow);
}

#[test]
fn a_peer_that_reads_late_receives_everything() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    let id = only_stream(&mut host);
    // Send more than the system buffers, and more than one call accepts.
    let whole: Vec<u8> = (0..200_000_u32).flat_map(u32::to_be_bytes).collect();
    assert!(whole.len() < MAX_STREAM_QUEUED_BYTES);
    for part in whole.chunks(100_000) {
        host.machine_mut().send(id, part);
    }
    host.update().unwrap().for_each(drop);
    expect(&mut host, &mut peer, &whole);
}

#[test]
fn two_hundred_concurrent_streams_are_served() {
    let mut host = host(StreamServer::echoing());
    let to = host.local_addr();
    let peers = std::thread::spawn(move || {
        let mut peers: Vec<_> = (0..200).map(|_| connect(to)).collect();
        for (number, peer) in peers.iter_mut().enumerate() {
            peer.write_all(format!("{number:3}").as_bytes()).unwrap();
        }
        for (number, peer) in peers.iter_mut().enumerate() {
            let mut received = [0; 3];
            peer.read_exact(&mut received).unwrap();
            assert_eq!(received, format!("{number:3}").as_bytes());
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
fn streams_over_the_limit_wait_until_others_end() {
    let config = DriverConfig { max_streams: Some(2), ..DriverConfig::default() };
    let mut host =
        blocking::Driver::listen_with(LOCAL, Transports::Tcp, StreamServer::echoing(), config).unwrap();
    let mut peers: Vec<_> = (0..4).map(|_| connect(host.local_addr())).collect();
    for peer in &mut peers {
        peer.write_all(b"x").unwrap();
    }
    host_until(&mut host, |machine| machine.received.as_ref().unwrap().len() == 2);
    host.update().unwrap().for_each(drop);
    assert_idle(&mut host);
    assert_eq!(host.stats().streams.opened, 2);
    peers.drain(..2);
    host_until(&mut host, |machine| machine.received.as_ref().unwrap().len() == 4);
}

#[test]
fn a_busy_stream_does_not_starve_others() {
    let mut host = host(StreamServer::default());
    let to = host.local_addr();
    let (busy, mut idle) = (connect(to), connect(to));
    host_until(&mut host, |machine| machine.open.len() == 2);
    let from = idle.local_addr().unwrap();
    let id = *host.machine().open.iter().find(|(_, peer)| **peer == from).unwrap().0;
    let mut writer = busy.try_clone().unwrap();
    let writing = std::thread::spawn(move || while writer.write_all(&[b'x'; 65_536]).is_ok() {});
    idle.write_all(b"rare").unwrap();
    let deadline = Monotonic::now() + TIMEOUT;
    while host.next_event(TIMEOUT).unwrap() != Some(ServerEvent::Received(id, 4)) {
        assert!(Monotonic::now() < deadline);
    }
    // An update ends although there is always more to read.
    host.update().unwrap().for_each(drop);
    drop(host);
    writing.join().unwrap();
    drop(busy);
}

#[test]
fn unsent_bytes_are_written_when_the_host_is_dropped() {
    let mut host = host(StreamServer::echoing());
    let mut peer = connect(host.local_addr());
    let id = only_stream(&mut host);
    // The peer has sent bytes that the host never reads.
    peer.write_all(b"unread").unwrap();
    host.machine_mut().send(id, CLOSE_REPLY);
    drop(host);
    let mut received = Vec::new();
    peer.read_to_end(&mut received).unwrap();
    assert_eq!(received, CLOSE_REPLY);
}

#[test]
fn dropping_a_host_does_not_wait_for_a_slow_reader() {
    let mut host = host(StreamServer::echoing());
    let peer = connect(host.local_addr());
    let id = only_stream(&mut host);
    // Send until the system accepts only a part.
    while host.stats().streams.sent_bytes.is_multiple_of(49_999) {
        assert!(host.machine().open.contains_key(&id));
        host.machine_mut().send(id, &[0; 49_999]);
        host.update().unwrap().for_each(drop);
    }
    let before = Monotonic::now();
    drop(host);
    assert!(before.elapsed() < TIMEOUT / 2);
    drop(peer);
}

#[test]
fn a_peer_over_ipv4_has_its_ipv4_address_on_an_ipv6_host() {
    let Ok(mut host) = listen("[::]:0".parse().unwrap(), StreamServer::echoing()) else {
        return; // A host without IPv6.
    };
    let peer = connect(SocketAddr::new(LOCAL.ip(), host.local_addr().port()));
    host_until(&mut host, |machine| !machine.open.is_empty());
    assert_eq!(host.machine().open.values().next(), Some(&peer.local_addr().unwrap()));
}

#[test]
fn a_timer_fires_without_any_traffic() {
    let mut host = host(StreamServer::default());
    let _idle = connect(host.local_addr());
    only_stream(&mut host);
    host.machine_mut().datagrams.set_timer(Duration::from_millis(30));
    assert_eq!(host.next_event(TIMEOUT).unwrap(), Some(ServerEvent::Datagram(Event::TimerFired)));
    assert_eq!(host.next_event(Duration::from_millis(10)).unwrap(), None);
}

#[test]
fn a_closing_stream_causes_no_wakes() {
    let mut host = host(StreamServer::echoing());
    let mut slow = connect(host.local_addr());
    let id = only_stream(&mut host);
    // Send more than the system buffers, but less than the limit of the queue.
    while host.stats().streams.sent_bytes.is_multiple_of(49_999) {
        assert!(host.machine().open.contains_key(&id));
        host.machine_mut().send(id, &[0; 49_999]);
        host.update().unwrap().for_each(drop);
    }
    host.machine_mut().close(id);
    host.update().unwrap().for_each(drop);
    assert_idle(&mut host);
    slow.write_all(b"x").unwrap();
    assert_idle(&mut host);
    slow.shutdown(Shutdown::Both).unwrap();
    host_until(&mut host, |_| true);
    assert_idle(&mut host);
}
