//! No descriptors are left. The limit holds for the whole process, so this test has one to itself.
#![cfg(target_os = "linux")]

mod support;

use std::net::UdpSocket;

use gamewire_net::{OpenError, blocking};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::{LOCAL, Parrot, driver, numbers, updates};

#[test]
fn g8_without_descriptors_a_bind_says_so_and_running_drivers_go_on() {
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
    caller.machine().say(listener.local_addr(), 1, 2);
    caller.update().unwrap();
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [1]);

    drop(hoard);
    blocking::Driver::bind(LOCAL, Parrot::default()).unwrap();
    setrlimit(Resource::Nofile, limit).unwrap();
}
