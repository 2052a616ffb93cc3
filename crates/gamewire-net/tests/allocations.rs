//! A warm driver does not allocate, neither for datagrams nor for streams.

use allocation_counter::measure;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::{DatagramPeer, StreamClient, StreamServer, TIMEOUT, driver, host, updates};
use gamewire_net::blocking::Driver;

#[test]
fn a_warm_driver_allocates_nothing() {
    let (mut sender, mut echo) = (driver(DatagramPeer::default()), driver(DatagramPeer::echoing()));
    let to = echo.local_addr();
    let mut round = || {
        for number in 0..32 {
            sender.machine_mut().send(to, number, 50 + usize::from(number % 5));
        }
        let mut received = 0;
        while received < 32 {
            received += sender.update().unwrap().count();
            echo.update().unwrap().for_each(drop);
        }
    };
    for _ in 0..10 {
        round();
    }
    let allocated = measure(|| (0..50).for_each(|_| round()));
    assert_eq!(allocated.count_total, 0);

    // A cold driver allocates, so the measurement works.
    let allocated = measure(|| drop(updates(&mut driver(DatagramPeer::default()), |_| true)));
    assert_ne!(allocated.count_total, 0);
}

#[test]
fn a_warm_host_allocates_nothing_for_its_streams() {
    let mut host = host(StreamServer::without_log());
    let mut peers: Vec<_> = (0..20).map(|_| TcpStream::connect(host.local_addr()).unwrap()).collect();
    let mut sent = 0;
    let mut round = || {
        let mut buffer = [0; 100];
        for peer in &mut peers {
            peer.write_all(&[b'x'; 100]).unwrap();
        }
        sent += 2_000;
        while host.stats().streams.sent_bytes < sent {
            // Measure both ways to drive the host.
            host.next_event(Duration::ZERO).unwrap();
            host.update().unwrap().for_each(drop);
        }
        for peer in &mut peers {
            peer.set_read_timeout(Some(TIMEOUT)).unwrap();
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
    let mut host = host(StreamServer::without_log());
    let mut driver = Driver::connect(host.local_addr(), TIMEOUT, StreamClient::default()).unwrap();
    let mut round = || {
        driver.machine_mut().send(&[b'x'; 100]);
        driver.machine_mut().received.clear();
        while driver.machine().received.len() < 100 {
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
