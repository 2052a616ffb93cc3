#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "each test uses a part of it, and may fail here too"
)]

mod datagram_peer;
mod stream_client;
mod stream_server;

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant as Monotonic};

pub use datagram_peer::{DatagramPeer, Event};
use gamewire_net::{Direction, DriverConfig, OpenError, TapPacket, Transports, blocking};
pub use stream_client::{CLOSE_BYTE, ClientEvent, StreamClient};
pub use stream_server::{CLOSE_REPLY, CLOSE_REQUEST, Event as ServerEvent, StreamServer};

/// The loopback address with any free port.
pub const LOCAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
/// Maximum time of a test step. It only ends a test that hangs.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// An open stream. Its local port is in use, but no socket listens on it.
pub struct Unserved {
    listener: TcpListener,
    stream: TcpStream,
}

impl Unserved {
    pub fn new() -> Self {
        let listener = TcpListener::bind(LOCAL).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        Self { listener, stream }
    }

    pub fn address(&self) -> SocketAddr {
        self.stream.local_addr().unwrap()
    }
}

pub fn driver(machine: DatagramPeer) -> blocking::Driver<DatagramPeer> {
    blocking::Driver::bind(LOCAL, machine).unwrap()
}

/// Drives until the events satisfy `until`, and returns them.
pub fn updates(
    driver: &mut blocking::Driver<DatagramPeer>,
    mut until: impl FnMut(&[Event]) -> bool,
) -> Vec<Event> {
    let (mut events, deadline) = (Vec::new(), Monotonic::now() + TIMEOUT);
    loop {
        events.extend(driver.update().unwrap());
        if until(&events) {
            return events;
        }
        assert!(Monotonic::now() < deadline, "timed out after {} events", events.len());
        driver.wait(TIMEOUT).unwrap();
    }
}

/// Returns the numbers received, in order.
pub fn numbers(events: &[Event]) -> Vec<u16> {
    let number = |event: &Event| match event {
        Event::Received { number, .. } => Some(*number),
        Event::TimerFired => None,
    };
    events.iter().filter_map(number).collect()
}

/// Packets that a tap received.
pub type Seen = Arc<Mutex<Vec<(Direction, SocketAddr, SocketAddr, u64, Vec<u8>)>>>;

/// Returns a configuration with a tap, and the packets that the tap receives.
pub fn tapped() -> (DriverConfig, Seen) {
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    let tap = move |packet: &TapPacket<'_>| {
        let TapPacket { unix_micros, direction, local, peer, bytes } = *packet;
        log.lock().unwrap().push((direction, local, peer, unix_micros, bytes.to_vec()));
    };
    (DriverConfig { tap: Some(Box::new(tap)), ..DriverConfig::default() }, seen)
}

pub fn host(machine: StreamServer) -> blocking::Driver<StreamServer> {
    listen(LOCAL, machine).unwrap()
}

pub fn listen(local: SocketAddr, machine: StreamServer) -> Result<blocking::Driver<StreamServer>, OpenError> {
    blocking::Driver::listen(local, Transports::UdpAndTcp, machine)
}

/// Drives a host until `done`.
pub fn host_until(
    host: &mut blocking::Driver<StreamServer>,
    mut done: impl FnMut(&mut StreamServer) -> bool,
) {
    let deadline = Monotonic::now() + TIMEOUT;
    loop {
        host.update().unwrap().for_each(drop);
        if done(host.machine_mut()) {
            return;
        }
        assert!(Monotonic::now() < deadline, "{:?}", host.stats());
        // Peers in this thread need to run in between.
        host.wait(Duration::from_millis(1)).unwrap();
    }
}
