use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::net::{Decoder, Payload};
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_proxy::relay::{Control, Limits, OpenedRelay, Relay, RelayConfig, RelayStats};
use gamewire_watch::recording::{RecordedSides, RecordingConfig, Rotation};
use gamewire_watch::{Sinks, WatchConfig, WatchStats, Watcher};

const ANY: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);

/// The datagrams of the client and of the server of a recorded game.
pub(crate) struct Traffic {
    pub(crate) to_server: Vec<Vec<u8>>,
    pub(crate) to_client: Vec<Vec<u8>>,
}

impl Traffic {
    pub(crate) fn load() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/gamewire-cli/src/sample.pcap");
        let file = std::fs::read(path).unwrap();
        let (mut reader, mut decoder) = (Reader::new(file.as_slice()).unwrap(), Decoder::new());
        let mut traffic = Self { to_server: Vec::new(), to_client: Vec::new() };
        let mut client = None;
        while let Some(Ok(frame)) = reader.next() {
            let Ok(Payload::Udp(datagram)) = decoder.decode(&frame) else { continue };
            let is_client = *client.get_or_insert(datagram.source) == datagram.source;
            let list = if is_client { &mut traffic.to_server } else { &mut traffic.to_client };
            list.push(datagram.data.to_vec());
        }
        assert!(!traffic.to_server.is_empty() && !traffic.to_client.is_empty());
        traffic
    }
}

pub(crate) fn socket() -> UdpSocket {
    let socket = UdpSocket::bind(ANY).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    socket
}

/// A thread that runs until it is dropped.
pub(crate) struct Thread {
    pub(crate) address: SocketAddr,
    is_stopped: Arc<AtomicBool>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    pub(crate) fn start(address: SocketAddr, run: impl FnOnce(&AtomicBool) + Send + 'static) -> Self {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_stopped);
        Self { address, is_stopped, handle: Some(thread::spawn(move || run(&flag))) }
    }

    /// Starts a server that answers each datagram with the next datagram of the recorded server.
    pub(crate) fn server(traffic: &Traffic) -> Self {
        let (socket, answers) = (socket(), traffic.to_client.clone());
        Self::start(socket.local_addr().unwrap(), move |is_stopped| {
            let (mut buffer, mut answers) = ([0; 2048], answers.iter().cycle());
            while !is_stopped.load(Ordering::Relaxed) {
                if let Ok((_, from)) = socket.recv_from(&mut buffer) {
                    socket.send_to(answers.next().unwrap(), from).unwrap();
                }
            }
        })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.handle.take().unwrap().join().unwrap();
    }
}

/// A gamewire proxy that decodes and records traffic.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    control: Control,
    relay: JoinHandle<RelayStats>,
    watcher: JoinHandle<WatchStats>,
    recording: PathBuf,
}

impl Proxy {
    pub(crate) fn start(server: SocketAddr) -> Self {
        let mut config = RelayConfig::new(ANY.into(), server);
        config.tcp = false;
        config.limits = Limits { unproven: 4_096, clients_per_address: usize::MAX, ..Limits::default() };
        let OpenedRelay { relay, control, watched } = Relay::open(config).unwrap();
        let address = relay.local_addr();
        let recording = std::env::temp_dir().join(format!("gamewire-bench-{}.pcapng", std::process::id()));
        // Limits the disk space of the recording.
        let rotation = Rotation { size: Some(100_000_000), time: None, keep: Some(1) };
        let watch = WatchConfig {
            protocols: Some(ProtocolConfig::default()),
            both_sides: false,
            recording: Some(RecordingConfig {
                path: recording.clone(),
                rotation,
                sides: RecordedSides::Both,
            }),
        };
        let watcher = Watcher::new(watch).unwrap();
        let relay = thread::spawn(move || relay.run().unwrap());
        let watcher = thread::spawn(move || watcher.run(&watched, &mut Sinks::new()));
        Self { address, control, relay, watcher, recording }
    }

    pub(crate) fn stop(self) -> (RelayStats, WatchStats) {
        self.control.stop().unwrap();
        let stats = (self.relay.join().unwrap(), self.watcher.join().unwrap());
        let name = self.recording.file_stem().unwrap().to_string_lossy().into_owned();
        for file in std::fs::read_dir(self.recording.parent().unwrap()).unwrap().flatten() {
            if file.file_name().to_string_lossy().starts_with(&name) {
                std::fs::remove_file(file.path()).unwrap();
            }
        }
        stats
    }
}
