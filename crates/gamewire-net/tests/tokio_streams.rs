//! Streams of the driver on tokio, over loopback.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use crate::support::{
    CLOSE_BYTE, CLOSE_REPLY, CLOSE_REQUEST, ClientEvent, LOCAL, ServerEvent, StreamClient, StreamServer,
    TIMEOUT, Unserved,
};
use ::tokio::time::timeout;
use gamewire_net::tokio::Driver;
use gamewire_net::{DriverConfig, OpenError, Transports};

fn run<T>(scenario: impl Future<Output = T>) -> T {
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { timeout(TIMEOUT, scenario).await.unwrap() })
}

fn host(machine: StreamServer) -> Driver<StreamServer> {
    Driver::listen(LOCAL, Transports::UdpAndTcp, machine).unwrap()
}

/// Drives a host until `done`.
async fn host_until(host: &mut Driver<StreamServer>, mut done: impl FnMut(&mut StreamServer) -> bool) {
    while !done(host.machine_mut()) {
        // Other tasks make progress without an event of the host.
        drop(timeout(Duration::from_millis(1), host.next_event()).await);
    }
}

async fn connect(to: std::net::SocketAddr) -> Driver<StreamClient> {
    Driver::connect(to, TIMEOUT, StreamClient::default()).await.unwrap()
}

async fn receive(driver: &mut Driver<StreamClient>, len: usize) -> Vec<u8> {
    while driver.machine().received.len() < len {
        driver.next_event().await.unwrap();
    }
    core::mem::take(&mut driver.machine_mut().received)
}

#[test]
fn bytes_of_many_clients_are_echoed() {
    run(async {
        let mut host = host(StreamServer::without_log());
        let to = host.local_addr();
        let serving = ::tokio::spawn(async move {
            loop {
                host.next_event().await.unwrap();
            }
        });
        let mut clients = Vec::new();
        for _ in 0..200 {
            clients.push(connect(to).await);
        }
        for (number, client) in clients.iter_mut().enumerate() {
            client.machine_mut().send(format!("{number:3}").as_bytes());
            assert_eq!(receive(client, 3).await, format!("{number:3}").as_bytes());
        }
        // Send more than the system accepts in one write.
        let much = vec![b'x'; 900_000];
        clients[0].machine_mut().send(&much);
        assert!(receive(&mut clients[0], much.len()).await == much);
        serving.abort();
    });
}

#[test]
fn datagrams_and_streams_share_a_port() {
    run(async {
        let mut host = host(StreamServer::echoing());
        let socket = UdpSocket::bind(LOCAL).unwrap();
        let mut stream = TcpStream::connect(host.local_addr()).unwrap();
        socket.send_to(&[0, 9], host.local_addr()).unwrap();
        stream.write_all(b"x").unwrap();
        let mut kinds = [0, 0, 0];
        for _ in 0..3 {
            match host.next_event().await.unwrap() {
                ServerEvent::Opened(..) => kinds[0] += 1,
                ServerEvent::Received(..) => kinds[1] += 1,
                ServerEvent::Datagram(_) => kinds[2] += 1,
                ServerEvent::Closed(id) => panic!("{id} ended"),
            }
        }
        assert_eq!(kinds, [1, 1, 1]);
    });
}

#[test]
fn an_await_that_is_dropped_loses_nothing() {
    run(async {
        let (mut host, mut sent) = (host(StreamServer::echoing()), 0);
        let mut driver = connect(host.local_addr()).await;
        for _ in 0..200 {
            driver.machine_mut().send(b"0123456789");
            drop(timeout(Duration::ZERO, driver.next_event()).await);
            for _ in 0..3 {
                if let Ok(event) = timeout(Duration::ZERO, host.next_event()).await
                    && let ServerEvent::Received(_, len) = event.unwrap()
                {
                    sent += len;
                }
            }
        }
        host_until(&mut host, |machine| {
            machine.received.as_ref().unwrap().values().map(Vec::len).sum::<usize>() == 2_000
        })
        .await;
        assert!(sent <= 2_000);
        let serving = ::tokio::spawn(async move { drop(host.next_event().await) });
        assert_eq!(receive(&mut driver, 2_000).await, b"0123456789".repeat(200));
        serving.abort();
    });
}

#[test]
fn ends_and_resets_are_reported_once() {
    run(async {
        let mut host = host(StreamServer::echoing());
        let ending = TcpStream::connect(host.local_addr()).unwrap();
        let mut resetting = TcpStream::connect(host.local_addr()).unwrap();
        resetting.write_all(b"x").unwrap();
        host_until(&mut host, |machine| {
            machine.open.len() == 2 && machine.received.as_ref().unwrap().len() == 1
        })
        .await;
        assert_eq!(resetting.peek(&mut [0; 9]).unwrap(), 1);
        drop((ending, resetting));
        host_until(&mut host, |machine| machine.open.is_empty()).await;
        let streams = host.stats().streams;
        assert_eq!((streams.ended, streams.reset), (1, 1));
    });
}

#[test]
fn a_closed_stream_delivers_the_bytes_written_before() {
    run(async {
        let mut host = host(StreamServer::echoing());
        let mut driver = connect(host.local_addr()).await;
        let serving = ::tokio::spawn(async move {
            loop {
                host.next_event().await.unwrap();
            }
        });
        driver.machine_mut().send(&[b'a', CLOSE_REQUEST]);
        while driver.next_event().await.unwrap() != ClientEvent::Closed {}
        assert_eq!(driver.machine().received, [&[b'a', CLOSE_REQUEST], CLOSE_REPLY].concat());
        assert_eq!(driver.next_event().await.unwrap_err().kind(), ErrorKind::NotConnected);
        driver.machine_mut().set_timer(Duration::from_millis(5));
        assert_eq!(driver.next_event().await.unwrap(), ClientEvent::TimerFired);
        serving.abort();
    });
}

#[test]
fn a_slow_reader_is_disconnected() {
    run(async {
        let config = DriverConfig { stream_send_buffer: Some(300_000), ..DriverConfig::default() };
        let mut host = Driver::listen_with(LOCAL, Transports::Tcp, StreamServer::echoing(), config).unwrap();
        let slow = TcpStream::connect(host.local_addr()).unwrap();
        host_until(&mut host, |machine| !machine.open.is_empty()).await;
        let id = *host.machine().open.keys().next().unwrap();
        for _ in 0..1_000 {
            host.machine_mut().send(id, &[0; 100_000]);
            drop(timeout(Duration::ZERO, host.next_event()).await);
            if host.machine().open.is_empty() {
                break;
            }
        }
        assert_eq!(host.stats().streams.slow_reader, 1);
        drop(slow);
    });
}

#[test]
fn the_machine_closes_the_stream_after_its_reply() {
    run(async {
        let listener = TcpListener::bind(LOCAL).unwrap();
        let mut driver = connect(listener.local_addr().unwrap()).await;
        let mut peer = listener.accept().unwrap().0;
        driver.machine_mut().close_reply = b"closing".to_vec();
        peer.write_all(&[CLOSE_BYTE]).unwrap();
        while driver.next_event().await.unwrap() != ClientEvent::Closed {}
        assert!(!driver.is_open());
        let mut received = Vec::new();
        peer.set_read_timeout(Some(TIMEOUT)).unwrap();
        peer.read_to_end(&mut received).unwrap();
        assert_eq!(received, b"closing");
    });
}

#[test]
fn unsent_bytes_are_written_when_the_drivers_are_dropped() {
    let listener = TcpListener::bind(LOCAL).unwrap();
    let to = listener.local_addr().unwrap();
    let mut served = run(async move {
        let mut host = host(StreamServer::echoing());
        let served = TcpStream::connect(host.local_addr()).unwrap();
        host_until(&mut host, |machine| !machine.open.is_empty()).await;
        let id = *host.machine().open.keys().next().unwrap();
        host.machine_mut().send(id, CLOSE_REPLY);
        connect(to).await.machine_mut().send(b"bye");
        served
    });
    for mut peer in [listener.accept().unwrap().0, served.try_clone().unwrap()] {
        let mut received = Vec::new();
        peer.set_read_timeout(Some(TIMEOUT)).unwrap();
        peer.read_to_end(&mut received).unwrap();
        assert_eq!(received, b"bye");
    }
    assert_eq!(served.read(&mut [0; 1]).unwrap(), 0);
}

#[test]
fn a_refusal_and_a_timeout_are_errors() {
    run(async {
        let unserved = Unserved::new();
        let gone = unserved.address();
        let error = Driver::connect(gone, TIMEOUT, StreamClient::default()).await.unwrap_err();
        assert!(matches!(error, OpenError::Connect { to, .. } if to == gone), "{error}");
        let full = TcpListener::bind(LOCAL).unwrap();
        rustix::net::listen(&full, 0).unwrap();
        let (to, soon) = (full.local_addr().unwrap(), Duration::from_millis(50));
        let mut waiting = Vec::new();
        let error = loop {
            match Driver::connect(to, soon, StreamClient::default()).await {
                Ok(driver) => waiting.push(driver),
                Err(error) => break error,
            }
            assert!(waiting.len() < 10, "the backlog has room for one");
        };
        let OpenError::Connect { source, .. } = error else { panic!("{error}") };
        assert_eq!(source.kind(), ErrorKind::TimedOut);
    });
}

#[test]
fn timers_fire_without_any_traffic() {
    run(async {
        let mut host = host(StreamServer::default());
        let mut driver = connect(host.local_addr()).await;
        host_until(&mut host, |machine| !machine.open.is_empty()).await;
        host.machine_mut().datagrams.set_timer(Duration::from_millis(5));
        assert!(matches!(host.next_event().await.unwrap(), ServerEvent::Datagram(_)));
        driver.machine_mut().set_timer(Duration::from_millis(5));
        assert_eq!(driver.next_event().await.unwrap(), ClientEvent::TimerFired);
    });
}

#[test]
fn streams_of_further_addresses_wake_the_task() {
    run(async {
        let config = DriverConfig { also_listen: vec![LOCAL], ..DriverConfig::default() };
        let machine = StreamServer::without_log();
        let mut host = Driver::listen_with(LOCAL, Transports::UdpAndTcp, machine, config).unwrap();
        let (first, second) = (host.local_addr(), host.also_local_addrs()[0]);
        ::tokio::spawn(async move {
            loop {
                host.next_event().await.unwrap();
            }
        });
        for to in [second, first, second] {
            let mut client = connect(to).await;
            client.machine_mut().send(b"hello");
            assert_eq!(receive(&mut client, 5).await, b"hello");
        }
    });
}
