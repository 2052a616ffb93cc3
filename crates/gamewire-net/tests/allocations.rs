//! A driver that has warmed up does not allocate, neither for a datagram nor for what crosses a
//! stream.
#![allow(clippy::arithmetic_side_effects, reason = "counts of a test")]

mod support;

use allocation_counter::measure;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use gamewire_net::blocking::Driver;
use support::{Caller, Exchange, PATIENCE, Parrot, driver, host, updates};

#[test]
fn a_warm_driver_allocates_nothing() {
    let (mut caller, mut parrot) = (driver(Parrot::default()), driver(Parrot::repeating()));
    let to = parrot.local_addr();
    let mut round = || {
        for number in 0..32 {
            caller.machine_mut().say(to, number, 50 + usize::from(number % 5));
        }
        let mut heard = 0;
        while heard < 32 {
            heard += caller.update().unwrap().count();
            parrot.update().unwrap().for_each(drop);
        }
    };
    for _ in 0..10 {
        round();
    }
    let allocated = measure(|| (0..50).for_each(|_| round()));
    assert_eq!(allocated.count_total, 0);

    // The measure sees what a driver allocates when it does.
    let allocated = measure(|| drop(updates(&mut driver(Parrot::default()), |_| true)));
    assert_ne!(allocated.count_total, 0);
}

#[test]
fn a_warm_host_allocates_nothing_for_its_streams() {
    let mut host = host(Exchange::forgetful());
    let mut peers: Vec<_> = (0..20).map(|_| TcpStream::connect(host.local_addr()).unwrap()).collect();
    let mut said = 0;
    let mut round = || {
        let mut buffer = [0; 100];
        for peer in &mut peers {
            peer.write_all(&[b'x'; 100]).unwrap();
        }
        said += 2_000;
        while host.stats().streams.sent_bytes < said {
            // Both ways to drive it are measured.
            host.next_event(Duration::ZERO).unwrap();
            host.update().unwrap().for_each(drop);
        }
        for peer in &mut peers {
            peer.set_read_timeout(Some(PATIENCE)).unwrap();
            peer.read_exact(&mut buffer).unwrap();
        }
    };
    for _ in 0..10 {
        round();
    }
    let allocated = measure(|| (0..50).for_each(|_| round()));
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn a_warm_stream_driver_allocates_nothing() {
    let mut host = host(Exchange::forgetful());
    let mut driver = Driver::connect(host.local_addr(), PATIENCE, Caller::default()).unwrap();
    let mut round = || {
        driver.machine_mut().say(&[b'x'; 100]);
        driver.machine_mut().heard.clear();
        while driver.machine().heard.len() < 100 {
            driver.update().unwrap().for_each(drop);
            host.update().unwrap().for_each(drop);
        }
    };
    for _ in 0..10 {
        round();
    }
    let allocated = measure(|| (0..50).for_each(|_| round()));
    assert_eq!(allocated.count_total, 0);
}
