//! Tests of the files of recordings: their names, sides and rotation.

use std::fs::{self, File};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::Reader;
use gamewire_machine::{Role, Transport};

use super::{MAX_DELAYED_PACKETS, RecordedSides, Recording, RecordingConfig, Rotation};
use crate::{ObservedPacket, PeerConnection, PeerNumber};

/// Returns an empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gamewire-watch-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn recording(path: &Path, rotation: Rotation, sides: RecordedSides) -> io::Result<Recording> {
    let config = RecordingConfig { path: path.to_owned(), rotation, sides };
    Recording::create(config).map_err(|error| error.source)
}

/// Returns a datagram of a client on one side of a proxy.
fn datagram(side: Option<Role>) -> ObservedPacket {
    let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
    ObservedPacket {
        time: 1_700_000_000_000_000_000,
        is_lost: false,
        connection: PeerConnection { peer: PeerNumber(1), side },
        sender: Role::Client,
        transport: Transport::Udp,
        client: address(if side == Some(Role::Server) { 2 } else { 1 }),
        server: address(8303),
    }
}

/// Returns the interface of each packet in a file.
fn interfaces(path: &Path) -> Vec<u32> {
    let mut reader = Reader::new(File::open(path).unwrap()).unwrap();
    let mut found = Vec::new();
    while let Some(frame) = reader.next() {
        found.push(frame.unwrap().interface);
    }
    found
}

/// Returns the sorted names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_existing_file_is_kept() {
    let folder = folder("existing");
    let path = folder.join("game.pcapng");
    fs::write(&path, "the recording of the crash").unwrap();
    let refused = recording(&path, Rotation::default(), RecordedSides::Client).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), b"the recording of the crash");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn recordings_in_a_folder_have_numbers() {
    let folder = folder("numbered");
    let inside = folder.join("new");
    // Only a path that ends with a separator creates the folder.
    for path in [inside.join(""), inside.clone(), inside.clone()] {
        recording(&path, Rotation::default(), RecordedSides::Client).unwrap();
    }
    assert_eq!(names(&inside), [1, 2, 3].map(|number| format!("recording_{number:05}.pcapng")));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_rotation_continues_after_the_files_of_an_earlier_recording() {
    let folder = folder("continued");
    let path = folder.join("day.pcapng");
    fs::write(folder.join("day_00004.pcapng"), "earlier").unwrap();
    fs::write(folder.join("day_x.pcapng"), "of another kind").unwrap();
    let rotation = Rotation { size: Some(1), time: None, keep: Some(2) };
    let mut recording = recording(&path, rotation, RecordedSides::Client).unwrap();
    for _ in 0..4 {
        recording.rotate(datagram(None).time, || false, &|_, _, _, _| {}).unwrap();
        recording.packet(&datagram(None), b"x", "").unwrap();
    }
    drop(recording);
    let kept = ["day_00004.pcapng", "day_00007.pcapng", "day_00008.pcapng", "day_x.pcapng"];
    assert_eq!(names(&folder), kept, "--keep removes files of its own recording only");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_half_open_conversation_delays_a_file_by_a_bounded_number_of_packets() {
    let folder = folder("half-open");
    let rotation = Rotation { size: Some(1), ..Rotation::default() };
    let mut recording = recording(&folder.join("day.pcapng"), rotation, RecordedSides::Client).unwrap();
    let mut files = Vec::new();
    for number in 0..2 * MAX_DELAYED_PACKETS + 6 {
        let is_half_open = || number != 3;
        recording.rotate(datagram(None).time, is_half_open, &|_, _, _, _| {}).unwrap();
        recording.packet(&datagram(None), b"x", "").unwrap();
        files.push(names(&folder).len());
    }
    let changes = files.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]).map(|(at, _)| at + 1);
    let max = usize::try_from(MAX_DELAYED_PACKETS).unwrap();
    assert_eq!(changes.collect::<Vec<_>>(), [3, 3 + max + 1, 3 + 2 * (max + 1)]);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn the_number_goes_into_a_name_that_is_not_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder("bytes");
    let path = folder.join(std::ffi::OsStr::from_bytes(b"caf\xe9.pcap"));
    recording(&path, Rotation { size: Some(1), ..Rotation::default() }, RecordedSides::Client).unwrap();
    let made = folder.join(std::ffi::OsStr::from_bytes(b"caf\xe9_00001.pcap"));
    assert!(made.exists(), "{:?}", names(&folder));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_recording_has_the_sides_that_were_chosen() {
    let folder = folder("sides");
    let expected = [
        (RecordedSides::Client, vec![0, 0]),
        (RecordedSides::Server, vec![0, 0]),
        (RecordedSides::Both, vec![0, 1, 0]),
    ];
    for (number, (sides, interfaces_of)) in expected.into_iter().enumerate() {
        let path = folder.join(format!("{number}.pcapng"));
        let mut recording = recording(&path, Rotation::default(), sides).unwrap();
        for side in [Some(Role::Client), Some(Role::Server), None] {
            recording.packet(&datagram(side), b"x", "").unwrap();
        }
        drop(recording);
        assert_eq!(interfaces(&path), interfaces_of, "{sides:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}
