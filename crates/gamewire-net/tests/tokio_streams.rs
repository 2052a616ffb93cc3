//! The drivers of streams on tokio, over loopback.
#![allow(clippy::arithmetic_side_effects, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use ::tokio::time::timeout;
use gamewire_net::tokio::Driver;
use gamewire_net::{DriverConfig, OpenError, Transports};
use support::{BYE, Called, Caller, Exchange, HostEvent, LOCAL, NONSENSE, PATIENCE, QUIT};

fn run<T>(scenario: impl Future<Output = T>) -> T {
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { timeout(PATIENCE, scenario).await.unwrap() })
}

fn host(exchange: Exchange) -> Driver<Exchange> {
    Driver::listen(LOCAL, Transports::UdpAndTcp, exchange).unwrap()
}

/// Drives a host until `done`.
async fn host_until(host: &mut Driver<Exchange>, mut done: impl FnMut(&mut Exchange) -> bool) {
    while !done(host.machine_mut()) {
        // What others do is no event of the host.
        drop(timeout(Duration::from_millis(1), host.next_event()).await);
    }
}

async fn connect(to: std::net::SocketAddr) -> Driver<Caller> {
    Driver::connect(to, PATIENCE, Caller::default()).await.unwrap()
}

async fn hear(driver: &mut Driver<Caller>, len: usize) -> Vec<u8> {
    while driver.machine().heard.len() < len {
        driver.next_event().await.unwrap();
    }
    core::mem::take(&mut driver.machine_mut().heard)
}

#[test]
fn what_callers_say_to_a_host_comes_back() {
    run(async {
        let mut host = host(Exchange::forgetful());
        let to = host.local_addr();
        let serving = ::tokio::spawn(async move {
            loop {
                host.next_event().await.unwrap();
            }
        });
        let mut callers = Vec::new();
        for _ in 0..200 {
            callers.push(connect(to).await);
        }
        for (number, caller) in callers.iter_mut().enumerate() {
            caller.machine_mut().say(format!("{number:3}").as_bytes());
            assert_eq!(hear(caller, 3).await, format!("{number:3}").as_bytes());
        }
        // Much at once, which no system takes as one piece.
        let much = vec![b'x'; 900_000];
        callers[0].machine_mut().say(&much);
        assert!(hear(&mut callers[0], much.len()).await == much);
        serving.abort();
    });
}

#[test]
fn datagrams_and_streams_share_a_port() {
    run(async {
        let mut host = host(Exchange::repeating());
        let socket = UdpSocket::bind(LOCAL).unwrap();
        let mut stream = TcpStream::connect(host.local_addr()).unwrap();
        socket.send_to(&[0, 9], host.local_addr()).unwrap();
        stream.write_all(b"x").unwrap();
        let mut kinds = [0, 0, 0];
        for _ in 0..3 {
            match host.next_event().await.unwrap() {
                HostEvent::Opened(..) => kinds[0] += 1,
                HostEvent::Said(..) => kinds[1] += 1,
                HostEvent::Parrot(_) => kinds[2] += 1,
                HostEvent::Ended(id) => panic!("{id} ended"),
            }
        }
        assert_eq!(kinds, [1, 1, 1]);
    });
}

#[test]
fn an_await_that_is_dropped_loses_nothing() {
    run(async {
        let (mut host, mut said) = (host(Exchange::repeating()), 0);
        let mut driver = connect(host.local_addr()).await;
        for _ in 0..200 {
            driver.machine_mut().say(b"0123456789");
            drop(timeout(Duration::ZERO, driver.next_event()).await);
            for _ in 0..3 {
                if let Ok(event) = timeout(Duration::ZERO, host.next_event()).await
                    && let HostEvent::Said(_, len) = event.unwrap()
                {
                    said += len;
                }
            }
        }
        host_until(&mut host, |machine| {
            machine.heard.as_ref().unwrap().values().map(Vec::len).sum::<usize>() == 2_000
        })
        .await;
        assert!(said <= 2_000);
        let serving = ::tokio::spawn(async move { drop(host.next_event().await) });
        assert_eq!(hear(&mut driver, 2_000).await, b"0123456789".repeat(200));
        serving.abort();
    });
}

#[test]
fn ends_and_resets_are_told_once() {
    run(async {
        let mut host = host(Exchange::repeating());
        let ending = TcpStream::connect(host.local_addr()).unwrap();
        let mut resetting = TcpStream::connect(host.local_addr()).unwrap();
        resetting.write_all(b"x").unwrap();
        host_until(&mut host, |machine| {
            machine.open.len() == 2 && machine.heard.as_ref().unwrap().len() == 1
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
fn a_stream_that_the_machine_closes_brings_all_that_was_written_before() {
    run(async {
        let mut host = host(Exchange::repeating());
        let mut driver = connect(host.local_addr()).await;
        let serving = ::tokio::spawn(async move {
            loop {
                host.next_event().await.unwrap();
            }
        });
        driver.machine_mut().say(&[b'a', QUIT]);
        while driver.next_event().await.unwrap() != Called::Ended {}
        assert_eq!(driver.machine().heard, [&[b'a', QUIT], BYE].concat());
        assert_eq!(driver.next_event().await.unwrap_err().kind(), ErrorKind::NotConnected);
        driver.machine_mut().ring_after(Duration::from_millis(5));
        assert_eq!(driver.next_event().await.unwrap(), Called::Rang);
        serving.abort();
    });
}

#[test]
fn a_peer_that_does_not_read_is_given_up() {
    run(async {
        let settings = DriverConfig::default().stream_send_buffer(300_000);
        let mut host = Driver::listen_with(LOCAL, Transports::Tcp, Exchange::repeating(), settings).unwrap();
        let slow = TcpStream::connect(host.local_addr()).unwrap();
        host_until(&mut host, |machine| !machine.open.is_empty()).await;
        let id = *host.machine().open.keys().next().unwrap();
        for _ in 0..1_000 {
            host.machine_mut().say(id, &[0; 100_000]);
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
fn nonsense_ends_the_stream_after_the_protest() {
    run(async {
        let listener = TcpListener::bind(LOCAL).unwrap();
        let mut driver = connect(listener.local_addr().unwrap()).await;
        let mut peer = listener.accept().unwrap().0;
        driver.machine_mut().protest = b"what?".to_vec();
        peer.write_all(&[NONSENSE]).unwrap();
        while driver.next_event().await.unwrap() != Called::Ended {}
        assert!(!driver.is_open());
        let mut heard = Vec::new();
        peer.set_read_timeout(Some(PATIENCE)).unwrap();
        peer.read_to_end(&mut heard).unwrap();
        assert_eq!(heard, b"what?");
    });
}

#[test]
fn what_was_said_last_is_written_when_the_drivers_go() {
    let listener = TcpListener::bind(LOCAL).unwrap();
    let to = listener.local_addr().unwrap();
    let mut served = run(async move {
        let mut host = host(Exchange::repeating());
        let served = TcpStream::connect(host.local_addr()).unwrap();
        host_until(&mut host, |machine| !machine.open.is_empty()).await;
        let id = *host.machine().open.keys().next().unwrap();
        host.machine_mut().say(id, BYE);
        connect(to).await.machine_mut().say(b"bye");
        served
    });
    for mut peer in [listener.accept().unwrap().0, served.try_clone().unwrap()] {
        let mut heard = Vec::new();
        peer.set_read_timeout(Some(PATIENCE)).unwrap();
        peer.read_to_end(&mut heard).unwrap();
        assert_eq!(heard, b"bye");
    }
    assert_eq!(served.read(&mut [0; 1]).unwrap(), 0);
}

#[test]
fn a_refusal_and_a_deadline_are_told() {
    run(async {
        let gone = TcpListener::bind(LOCAL).unwrap().local_addr().unwrap();
        let error = Driver::connect(gone, PATIENCE, Caller::default()).await.unwrap_err();
        assert!(matches!(error, OpenError::Connect { to, .. } if to == gone), "{error}");
        let full = TcpListener::bind(LOCAL).unwrap();
        rustix::net::listen(&full, 0).unwrap();
        let (to, soon) = (full.local_addr().unwrap(), Duration::from_millis(50));
        let mut waiting = Vec::new();
        let error = loop {
            match Driver::connect(to, soon, Caller::default()).await {
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
        let mut host = host(Exchange::default());
        let mut driver = connect(host.local_addr()).await;
        host_until(&mut host, |machine| !machine.open.is_empty()).await;
        host.machine_mut().parrot.ring_after(Duration::from_millis(5));
        assert!(matches!(host.next_event().await.unwrap(), HostEvent::Parrot(_)));
        driver.machine_mut().ring_after(Duration::from_millis(5));
        assert_eq!(driver.next_event().await.unwrap(), Called::Rang);
    });
}
