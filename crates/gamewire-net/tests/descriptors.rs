//! A process without free descriptors. The limit applies to the process, so this test has its own.
#![cfg(target_os = "linux")]
#![allow(clippy::arithmetic_side_effects, reason = "times of a test")]

mod support;

use std::io::{Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_net::limits::ACCEPT_BACKOFF;
use gamewire_net::{OpenError, blocking};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::{DatagramPeer, LOCAL, StreamServer, TIMEOUT, driver, host, host_until, numbers, updates};

#[test]
fn g8_without_descriptors_bind_fails_and_running_drivers_continue() {
    let mut host = host(StreamServer::echoing());
    let mut served = TcpStream::connect(host.local_addr()).unwrap();
    host_until(&mut host, |machine| machine.open.len() == 1);
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..limit }).unwrap();
    let mut held = Vec::new();
    while let Ok(socket) = UdpSocket::bind(LOCAL) {
        held.push(socket);
    }

    let error = blocking::Driver::bind(LOCAL, DatagramPeer::default()).unwrap_err();
    assert!(matches!(error, OpenError::Bind { .. }));
    assert!(error.to_string().contains("Too many open files"), "{error}");
    sender.machine_mut().send(receiver.local_addr(), 1, 2);
    sender.update().unwrap();
    assert_eq!(numbers(&updates(&mut receiver, |events| !events.is_empty())), [1]);

    // One descriptor is left for a peer that connects, and none for the host to accept it.
    held.pop();
    let mut late = TcpStream::connect(host.local_addr()).unwrap();
    late.write_all(b"late").unwrap();
    host_until(&mut host, |machine| machine.open.len() == 1);
    while host.stats().streams.accept_errors < 3 {
        assert_eq!(host.next_event(Duration::from_millis(1)).unwrap(), None);
    }
    // The host waited between its attempts.
    assert!(host.now().since(Instant::ZERO) >= 2 * ACCEPT_BACKOFF);
    served.write_all(b"served").unwrap();
    host_until(&mut host, |machine| machine.received.as_ref().is_some_and(|received| received.len() == 1));

    drop(held);
    host_until(&mut host, |machine| machine.received.as_ref().is_some_and(|received| received.len() == 2));
    late.set_read_timeout(Some(TIMEOUT)).unwrap();
    late.read_exact(&mut [0; 4]).unwrap();
    blocking::Driver::bind(LOCAL, DatagramPeer::default()).unwrap();
    setrlimit(Resource::Nofile, limit).unwrap();
}
