//! Packets that a proxy passes on unchanged: they are decoded once, and recorded as if they were decoded on both sides.

use std::collections::BTreeSet;
use std::fs;

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::{Record, Role};
use gamewire_watch::recording::{RecordedSides, RecordingConfig, Rotation};
use gamewire_watch::{
    ObservedPacket, PeerConnection, PeerNumber, Sink, WatchConfig, WatchStats, Watcher, feed,
};

use crate::rotated::{Facts, capture, described};

/// Maximum number of packets that the proxy receives before it sends them.
const MAX_READ: usize = 8;

type Packets = Vec<(ObservedPacket, Vec<u8>)>;

/// Returns the packets of a capture on both sides of a proxy.
fn passed_on(name: &str) -> Packets {
    let observed = Facts::default().read(&fs::read(capture(name)).unwrap(), false).observed;
    let mut packets = Vec::new();
    for read in observed.chunk_by(|(one, _), (next, _)| one.sender == next.sender) {
        for read in read.chunks(MAX_READ) {
            for is_sent in [false, true] {
                packets.extend(read.iter().map(|(packet, bytes)| {
                    let side = if is_sent { packet.sender.other() } else { packet.sender };
                    (on_side(*packet, side), bytes.clone())
                }));
            }
        }
    }
    packets
}

/// Returns a packet on one side of a proxy.
fn on_side(packet: ObservedPacket, side: Role) -> ObservedPacket {
    let PeerNumber(number) = packet.connection.peer;
    let proxy = |port: u64| ([127, 0, 0, 1], u16::try_from(port).unwrap()).into();
    let (client, server) = match side {
        Role::Client => (packet.client, proxy(8_303)),
        Role::Server => (proxy(50_000 + number), packet.server),
    };
    let connection = PeerConnection { side: Some(side), ..packet.connection };
    ObservedPacket { connection, client, server, ..packet }
}

/// Keeps what it receives.
struct Lines {
    wants_packets: bool,
    lines: Vec<String>,
}

impl Sink for Lines {
    fn packet(&mut self, connection: PeerConnection, info: &PacketInfo, record: &Record) {
        assert_eq!(connection.side, Some(Role::Client));
        self.lines.push(described(info, record));
    }

    fn wants_packets(&self) -> bool {
        self.wants_packets
    }
}

/// The counters of a watcher, the files of its recording, and the packets that its sink received.
type Watched = (WatchStats, Vec<Vec<u8>>, Vec<String>);

fn watch(name: &str, packets: &Packets, wants_packets: bool) -> Watched {
    let folder = std::env::temp_dir().join(format!("gamewire-passed-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let recording = RecordingConfig {
        path: folder.clone(),
        rotation: Rotation { size: Some(30_000), ..Rotation::default() },
        sides: RecordedSides::Both,
    };
    let protocols = Some(ProtocolConfig::default());
    let config = WatchConfig { protocols, both_sides: false, recording: Some(recording) };
    let watcher = Watcher::new(config).unwrap();
    let (mut feed, watched) = feed();
    let watcher = std::thread::spawn(move || {
        let mut sink = Lines { wants_packets, lines: Vec::new() };
        (watcher.run(&watched, &mut sink), sink.lines)
    });
    packets.iter().for_each(|(packet, bytes)| feed.packet(*packet, bytes));
    assert_eq!(feed.missed(), 0);
    feed.finish();
    let (stats, lines) = watcher.join().unwrap();
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let contents = files.iter().map(|file| fs::read(file).unwrap()).collect();
    fs::remove_dir_all(folder).unwrap();
    (stats, contents, lines)
}

/// Returns the packets after one lost packet of each client. The watcher then decodes both sides of all clients.
fn after_a_loss(packets: &Packets) -> Packets {
    let peers: BTreeSet<_> = packets.iter().map(|(packet, _)| packet.connection.peer).collect();
    let lost = peers.into_iter().map(|peer| {
        let (packet, bytes) = packets.iter().find(|(packet, _)| packet.connection.peer == peer).unwrap();
        (ObservedPacket { is_lost: true, ..*packet }, bytes.clone())
    });
    lost.chain(packets.iter().cloned()).collect()
}

#[test]
fn a_packet_is_recorded_like_one_that_is_decoded_on_both_sides() {
    for name in [
        "teeworlds/captures/tw-0.7-two-clients.pcap",
        "teeworlds/captures/tw-0.6-ddnet-20.pcap",
        "riptide/captures/pytide-2.1.0a0-udp.pcapng",
        "riptide/captures/pytide-2.1.0a0-tcp.pcapng",
    ] {
        let packets = passed_on(name);
        let unequal = after_a_loss(&packets);
        let short = name.rsplit('/').next().unwrap();
        let (stats, files, lines) = watch(&format!("{short}-both"), &unequal, true);
        assert_eq!(stats.decoded, u64::try_from(lines.len()).unwrap(), "{name}");
        assert!(stats.decoded > 20, "{name}: {stats:?}");
        for wants_packets in [false, true] {
            let (passed_stats, passed_files, passed_lines) =
                watch(&format!("{short}-{wants_packets}"), &packets, wants_packets);
            assert_eq!(passed_stats, stats, "{name}");
            assert_eq!(passed_files.len(), files.len(), "{name}");
            for (number, (passed, file)) in passed_files.iter().zip(&files).enumerate() {
                assert!(passed == file, "{name}: file {number} differs");
            }
            if wants_packets {
                assert_eq!(passed_lines, lines, "{name}");
            }
        }
    }
}
