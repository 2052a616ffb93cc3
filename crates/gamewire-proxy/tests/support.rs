//! A running relay with its clients and server.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gamewire_inspect::conversation::PacketInfo;
use gamewire_machine::Record;
use gamewire_proxy::relay::{Control, OpenError, OpenedRelay, Relay, RelayConfig, RelayStats};
use gamewire_watch::{Event, PeerConnection, Sink, WatchConfig, Watcher};

pub(crate) const ANY: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);
/// Timeout of a test step. It only guards against a hang.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);

/// A sink that stores the events.
#[derive(Default)]
pub(crate) struct Events {
    events: Vec<Event>,
}

impl Sink for Events {
    fn event(&mut self, _time: i64, event: &Event) {
        self.events.push(*event);
    }

    fn packet(&mut self, _: PeerConnection, _: &PacketInfo, _: &Record) {}
}

/// A running proxy.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) control: Control,
    relay: JoinHandle<RelayStats>,
    watcher: JoinHandle<Events>,
}

impl Proxy {
    pub(crate) fn start(config: RelayConfig) -> Self {
        Self::open(config).unwrap()
    }

    pub(crate) fn open(config: RelayConfig) -> Result<Self, OpenError> {
        let OpenedRelay { relay, control, watched } = Relay::open(config)?;
        let address = relay.local_addr();
        let watcher = Watcher::new(WatchConfig::default()).unwrap();
        let relay = thread::spawn(move || relay.run().unwrap());
        let watcher = thread::spawn(move || {
            let mut events = Events::default();
            watcher.run(&watched, &mut events);
            events
        });
        Ok(Self { address, control, relay, watcher })
    }

    pub(crate) fn stop(self) -> (RelayStats, Vec<Event>) {
        self.control.stop().unwrap();
        let stats = self.relay.join().unwrap();
        (stats, self.watcher.join().unwrap().events)
    }
}

pub(crate) fn config(server: SocketAddr) -> RelayConfig {
    RelayConfig::new(ANY.into(), server)
}

pub(crate) fn socket() -> UdpSocket {
    let socket = UdpSocket::bind(ANY).unwrap();
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    socket
}

/// Returns a client's socket, connected to the proxy.
pub(crate) fn client(proxy: &Proxy) -> UdpSocket {
    let socket = socket();
    socket.connect(proxy.address).unwrap();
    socket
}

pub(crate) fn received(socket: &UdpSocket) -> (Vec<u8>, SocketAddr) {
    let mut buffer = vec![0; 70_000];
    let (length, from) = socket.recv_from(&mut buffer).unwrap();
    buffer.truncate(length);
    (buffer, from)
}

pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LIMIT, "{what} did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}
