//! A driver that listens on several addresses.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use gamewire_machine::StreamId;
use gamewire_net::{DriverConfig, OpenError, Tap, TapPacket, Transports, blocking};

use crate::host::{connect, expect};
use crate::support::{LOCAL, StreamServer};

#[test]
fn streams_of_further_addresses_go_to_the_same_machine() {
    let config = DriverConfig { also_listen: vec![LOCAL, LOCAL], ..DriverConfig::default() };
    let mut host =
        blocking::Driver::listen_with(LOCAL, Transports::Udp, StreamServer::echoing(), config).unwrap();
    let addresses = host.also_local_addrs().to_vec();
    assert!(
        addresses.len() == 2 && addresses[0] != addresses[1] && addresses.iter().all(|to| to.port() != 0)
    );
    let mut streams: Vec<_> = addresses.iter().cycle().take(20).map(|to| connect(*to)).collect();
    for stream in &mut streams {
        stream.write_all(b"hello").unwrap();
        expect(&mut host, stream, b"hello");
    }
    assert_eq!(host.stats().streams.opened, 20);
    let taken = DriverConfig { also_listen: vec![addresses[0]], ..DriverConfig::default() };
    let again = blocking::Driver::bind_with(LOCAL, StreamServer::echoing(), taken);
    assert!(matches!(again, Err(OpenError::Listen { local, .. }) if local == addresses[0]));
}

#[test]
fn a_tap_sees_the_address_that_a_stream_connected_to() {
    struct Locals(Arc<Mutex<Vec<SocketAddr>>>);

    impl Tap for Locals {
        fn on_datagram(&mut self, _: &TapPacket<'_>) {}

        fn on_stream_bytes(&mut self, _: StreamId, packet: &TapPacket<'_>) {
            self.0.lock().unwrap().push(packet.local);
        }
    }

    let locals = Arc::new(Mutex::new(Vec::new()));
    let config = DriverConfig {
        also_listen: vec![LOCAL],
        tap: Some(Box::new(Locals(Arc::clone(&locals)))),
        ..DriverConfig::default()
    };
    let machine = StreamServer::echoing();
    let mut host = blocking::Driver::listen_with(LOCAL, Transports::UdpAndTcp, machine, config).unwrap();
    for to in [host.also_local_addrs()[0], host.local_addr()] {
        let mut stream = connect(to);
        stream.write_all(b"hello").unwrap();
        expect(&mut host, &mut stream, b"hello");
        assert_eq!(core::mem::take(&mut *locals.lock().unwrap()), [to, to], "received and sent");
    }
}
