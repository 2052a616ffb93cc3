//! Recordings in several files: each file alone, and all of them joined, show what the whole recording shows.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::{Reader, STATE_INTERFACE, Writer};
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, PacketInfo};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_machine::{Record, Role};
use gamewire_watch::recording::{RecordedSides, RecordingConfig, Rotation};
use gamewire_watch::{ObservedPacket, PeerConnection, PeerNumber, Sink, WatchConfig, Watcher, feed};

/// The packets of captures or recordings, and the counters of their followers.
#[derive(Default)]
pub(crate) struct Facts {
    /// What was decoded, by the addresses of sender and receiver.
    packets: BTreeMap<(SocketAddr, SocketAddr), Vec<String>>,
    counters: BTreeMap<&'static str, u64>,
    pub(crate) observed: Vec<(ObservedPacket, Vec<u8>)>,
    /// Number of packets of state that were used.
    state: usize,
}

impl Facts {
    pub(crate) fn read(mut self, capture: &[u8], with_state: bool) -> Self {
        let mut reader = Reader::new(capture).unwrap();
        let mut inspector = Inspector::<Protocol>::new(ConversationLimits::default());
        if with_state {
            inspector = inspector.with_state();
        }
        let mut record = Record::new();
        while let Some(frame) = reader.next() {
            let mut outcome = Some(inspector.frame(&frame.unwrap(), &mut record));
            while let Some(seen) = outcome {
                self.take(&seen, &record);
                record.clear();
                outcome = inspector.next_outcome(&mut record);
            }
        }
        inspector.finish();
        while let Some(seen) = inspector.next_outcome(&mut record) {
            self.take(&seen, &record);
            record.clear();
        }
        for counter in inspector.counters() {
            *self.counters.entry(counter.name).or_default() += counter.count;
        }
        self
    }

    fn take(&mut self, seen: &FrameOutcome, record: &Record) {
        if let Some(info) = seen.state() {
            self.state += 1;
            assert_eq!(record.errors(), 0, "{}", described(info, record));
            let unknown = ["late_start", "missing_base", "sequence_gap", "wrong_token"];
            assert!(
                !record.nodes().any(|node| unknown.contains(&node.name())),
                "{}",
                described(info, record)
            );
        }
        let Some(info) = seen.packet() else { return };
        self.packets.entry((info.from, info.to)).or_default().push(described(info, record));
        let (client, server) =
            if info.sender == Role::Client { (info.from, info.to) } else { (info.to, info.from) };
        let packet = ObservedPacket {
            time: info.timestamp,
            is_lost: false,
            connection: PeerConnection { peer: PeerNumber(info.conversation), side: None },
            sender: info.sender,
            transport: info.transport,
            client,
            server,
        };
        self.observed.push((packet, record.source(0).unwrap_or_default().to_vec()));
    }
}

/// Describes a packet without what depends on the file: its number, its time and its place in a stream.
pub(crate) fn described(info: &PacketInfo, record: &Record) -> String {
    let nodes = record.nodes().filter(|node| node.name() != "offset");
    let nodes = nodes.map(|node| format!("{:?} {} {:?}", node.kind(), node.name(), node.value()));
    let nodes: Vec<_> = nodes.collect();
    format!("{} {:?} {}: {}", info.protocol, info.dialect, info.length, nodes.join("; "))
}

struct Ignored;

impl Sink for Ignored {
    fn packet(&mut self, _: PeerConnection, _: &PacketInfo, _: &Record) {}

    fn recording_failed(&mut self, error: &gamewire_watch::recording::RecordError) {
        panic!("{error}");
    }
}

/// Records packets to files of about `size` bytes. Returns the contents of the files.
fn record(packets: &[(ObservedPacket, Vec<u8>)], size: Option<u64>, name: &str) -> Vec<Vec<u8>> {
    let folder = std::env::temp_dir().join(format!("gamewire-rotated-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let recording = RecordingConfig {
        path: folder.clone(),
        rotation: Rotation { size, ..Rotation::default() },
        sides: RecordedSides::Client,
    };
    let config = WatchConfig {
        protocols: Some(ProtocolConfig::default()),
        both_sides: false,
        recording: Some(recording),
    };
    let watcher = Watcher::new(config).unwrap();
    let (mut feed, watched) = feed();
    let watcher = std::thread::spawn(move || watcher.run(&watched, &mut Ignored));
    for (packet, bytes) in packets {
        feed.packet(*packet, bytes);
    }
    assert_eq!(feed.missed(), 0);
    feed.finish();
    watcher.join().unwrap();
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let contents = files.iter().map(|file| fs::read(file).unwrap()).collect();
    fs::remove_dir_all(folder).unwrap();
    contents
}

/// Returns the frames of all files in one capture, as `mergecap -a` does.
fn joined(files: &[Vec<u8>]) -> Vec<u8> {
    let mut joined = Vec::new();
    let mut writer = Writer::new(&mut joined, gamewire_inspect::capture::LinkType::RAW).unwrap();
    for file in files {
        let mut reader = Reader::new(file.as_slice()).unwrap();
        while let Some(frame) = reader.next() {
            writer.captured(&frame.unwrap()).unwrap();
        }
    }
    drop(writer);
    joined
}

/// Compares a recording in files of about `size` bytes with the whole recording.
fn check(capture: &Path, size: u64) {
    let name = capture.file_stem().unwrap().to_str().unwrap();
    let observed = Facts::default().read(&fs::read(capture).unwrap(), false).observed;
    check_packets(name, &observed, size);
}

/// Compares the recording of a capture's first packets, each in a file of its own, with the whole recording.
fn check_each(capture: &Path, packets: usize) {
    let name = format!("{}-each", capture.file_stem().unwrap().to_str().unwrap());
    let observed = Facts::default().read(&fs::read(capture).unwrap(), false).observed;
    let begin = observed.get(..packets).unwrap_or(&observed);
    // A file does not end between a request that shows no protocol and its reply.
    let files = check_packets(&name, begin, 1);
    assert!(
        files <= begin.len() && files > begin.len() * 3 / 4,
        "{name}: {files} files of {} packets",
        begin.len()
    );
}

/// Compares a recording in files of about `size` bytes with the whole recording. Returns the number of files.
fn check_packets(name: &str, observed: &[(ObservedPacket, Vec<u8>)], size: u64) -> usize {
    let [whole] = record(observed, None, &format!("{name}-whole")).try_into().unwrap();
    let expected = Facts::default().read(&whole, false);
    let files = record(observed, Some(size), &format!("{name}-{size}"));
    assert!(files.len() > 2, "{name} has {} files of {size} bytes", files.len());

    let alone = files.iter().fold(Facts::default(), |facts, file| {
        assert!(file.windows(STATE_INTERFACE.len()).any(|part| part == STATE_INTERFACE.as_bytes()));
        facts.read(file, true)
    });
    assert!(alone.state >= files.len() - 1, "{name}: {} packets of state", alone.state);
    compare(name, &expected, &alone);
    let hidden = files.iter().fold(Facts::default(), |facts, file| facts.read(file, false));
    compare(name, &expected, &hidden);
    let together = Facts::default().read(&joined(&files), true);
    assert_eq!(together.state, 0, "{name}: state of followed conversations is ignored");
    compare(name, &expected, &together);
    files.len()
}

fn compare(name: &str, expected: &Facts, found: &Facts) {
    for (ends, packets) in &expected.packets {
        let found = found.packets.get(ends).map(Vec::as_slice).unwrap_or_default();
        for (number, (expected, found)) in packets.iter().zip(found).enumerate() {
            assert_eq!(expected, found, "{name}: packet {number} of {ends:?}");
        }
        assert_eq!(packets.len(), found.len(), "{name}: {ends:?}");
    }
    assert_eq!(expected.counters, found.counters, "{name}");
    assert_eq!(found.counters.get("snapshots_missing_base"), None, "{name}");
}

pub(crate) fn capture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name)
}

#[test]
fn files_of_teeworlds_in_every_dialect_show_the_same_alone_and_joined() {
    for name in [
        "0.6-ddnet-20-tken",
        "0.6-ddnet-20",
        "0.6-ddnet-tken",
        "0.6.5-tokens",
        "0.7-ddnet-20",
        "0.7-two-clients",
    ] {
        let capture = capture(&format!("teeworlds/captures/tw-{name}.pcap"));
        check(&capture, fs::metadata(&capture).unwrap().len() / 6);
    }
}

#[test]
fn files_of_riptide_show_the_same_alone_and_joined() {
    for (transport, size) in [("udp", 700), ("udp", 1_500), ("tcp", 2_000), ("tcp", 4_000)] {
        check(&capture(&format!("riptide/captures/pytide-2.1.0a0-{transport}.pcapng")), size);
    }
}

#[test]
fn files_of_freeciv_show_the_same_alone_and_joined() {
    check(&capture("freeciv/captures/game.pcap"), 40_000);
}

#[test]
fn a_file_may_begin_with_any_packet_of_a_handshake() {
    for name in [
        "teeworlds/captures/tw-0.6-ddnet-20-tken.pcap",
        "teeworlds/captures/tw-0.6-ddnet-20.pcap",
        "teeworlds/captures/tw-0.6-ddnet-tken.pcap",
        "teeworlds/captures/tw-0.6.5-tokens.pcap",
        "teeworlds/captures/tw-0.7-ddnet-20.pcap",
        "teeworlds/captures/tw-0.7-two-clients.pcap",
        "riptide/captures/pytide-2.1.0a0-udp.pcapng",
        "riptide/captures/pytide-2.1.0a0-tcp.pcapng",
        "freeciv/captures/game.pcap",
    ] {
        check_each(&capture(name), 40);
    }
}
