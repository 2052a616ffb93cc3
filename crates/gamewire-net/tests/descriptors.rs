//! No descriptors are left. The limit holds for the whole process, so this test has one to itself.
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
use support::{Exchange, LOCAL, PATIENCE, Parrot, driver, host, host_until, numbers, updates};

#[test]
fn g8_without_descriptors_a_bind_says_so_and_running_drivers_go_on() {
    let mut host = host(Exchange::repeating());
    let mut served = TcpStream::connect(host.local_addr()).unwrap();
    host_until(&mut host, |machine| machine.open.len() == 1);
    let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..limit }).unwrap();
    let mut hoard = Vec::new();
    while let Ok(socket) = UdpSocket::bind(LOCAL) {
        hoard.push(socket);
    }

    let error = blocking::Driver::bind(LOCAL, Parrot::default()).unwrap_err();
    assert!(matches!(error, OpenError::Bind { .. }));
    assert!(error.to_string().contains("Too many open files"), "{error}");
    caller.machine_mut().say(listener.local_addr(), 1, 2);
    caller.update().unwrap();
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [1]);

    // There is one for a peer that connects, and none for the host to accept it with.
    hoard.pop();
    let mut late = TcpStream::connect(host.local_addr()).unwrap();
    late.write_all(b"late").unwrap();
    host_until(&mut host, |machine| machine.open.len() == 1);
    while host.stats().streams.accept_errors < 3 {
        assert_eq!(host.next_event(Duration::from_millis(1)).unwrap(), None);
    }
    // It did not try all the time.
    assert!(host.now().since(Instant::ZERO) >= 2 * ACCEPT_BACKOFF);
    served.write_all(b"served").unwrap();
    host_until(&mut host, |machine| machine.heard.as_ref().is_some_and(|heard| heard.len() == 1));

    drop(hoard);
    host_until(&mut host, |machine| machine.heard.as_ref().is_some_and(|heard| heard.len() == 2));
    late.set_read_timeout(Some(PATIENCE)).unwrap();
    late.read_exact(&mut [0; 4]).unwrap();
    blocking::Driver::bind(LOCAL, Parrot::default()).unwrap();
    setrlimit(Resource::Nofile, limit).unwrap();
}
