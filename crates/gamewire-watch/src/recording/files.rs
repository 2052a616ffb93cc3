use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::WriteError;
use gamewire_machine::{Role, Transport};

use super::openings::Openings;
use super::{RecordError, RecordedStream, Recorder};
use crate::packet::{ObservedPacket, PeerConnection, PeerNumber};

/// The names of the capture interfaces of a proxy, by index.
const SIDES: [&str; 2] = ["client side", "server side"];

/// Settings of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingConfig {
    /// Path of the file. With a rotation, a number is added to the name: `game_00001.pcapng`.
    pub path: PathBuf,
    /// Conditions for a new file.
    pub rotation: Rotation,
    /// True for a proxy's traffic: each side has its own interface.
    pub has_sides: bool,
}

/// Conditions under which a recording starts a new file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// Maximum size of a file in bytes.
    pub size: Option<u64>,
    /// Maximum duration of a file.
    pub time: Option<Duration>,
    /// Maximum number of files. Older files are removed.
    pub keep: Option<usize>,
}

impl Rotation {
    /// Returns whether the recording may have more than one file.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.size.is_some() || self.time.is_some()
    }
}

/// A pcapng recording of observed packets, in one file or several.
///
/// Each new file starts with the first datagrams of the peers that are still connected, so that a follower can read
/// the file alone. Streams are not repeated: to decode them, join the files.
#[derive(Debug)]
pub struct Recording {
    config: RecordingConfig,
    recorder: Recorder<File>,
    /// Number of the current file, from 1.
    number: u32,
    began: Option<i64>,
    /// The existing files, without the current one.
    files: VecDeque<PathBuf>,
    streams: BTreeMap<PeerConnection, RecordedStream>,
    openings: Openings,
    /// Number of packets that could not be written to earlier files.
    dropped: u64,
}

impl Recording {
    /// Creates the file.
    ///
    /// # Errors
    /// [`WriteError`] if the file cannot be created or written.
    pub fn create(config: RecordingConfig) -> Result<Self, WriteError> {
        let recorder = create(&config, 1)?;
        Ok(Self {
            config,
            recorder,
            number: 1,
            began: None,
            files: VecDeque::new(),
            streams: BTreeMap::new(),
            openings: Openings::default(),
            dropped: 0,
        })
    }

    /// Records a packet with a comment, which may be empty.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written. It is returned once. Later packets are only counted.
    pub fn packet(
        &mut self,
        packet: &ObservedPacket,
        bytes: &[u8],
        comment: &str,
    ) -> Result<(), RecordError> {
        if self.config.rotation.is_on() {
            self.rotate(packet.time)?;
            self.openings.keep(*packet, bytes);
        }
        self.write(packet, bytes, comment)
    }

    /// Records the end of a peer's streams. `first` is the program that closed its stream first.
    ///
    /// # Errors
    /// The errors of [`packet`](Self::packet).
    pub fn closed(&mut self, time: i64, peer: PeerNumber, first: Role) -> Result<(), RecordError> {
        self.openings.forget(peer);
        for side in [None, Some(Role::Client), Some(Role::Server)] {
            let connection = PeerConnection { peer, side };
            if let Some(stream) = self.streams.remove(&connection) {
                self.recorder.set_next(interface(connection), "");
                self.recorder.close_stream(time, stream, first)?;
            }
        }
        Ok(())
    }

    /// Writes the buffered packets.
    ///
    /// # Errors
    /// The errors of [`packet`](Self::packet).
    pub fn flush(&mut self) -> Result<(), RecordError> {
        Ok(self.recorder.flush()?)
    }

    /// Returns the number of packets that could not be written.
    pub const fn dropped_packets(&self) -> u64 {
        self.dropped.saturating_add(self.recorder.dropped_packets())
    }

    fn write(&mut self, packet: &ObservedPacket, bytes: &[u8], comment: &str) -> Result<(), RecordError> {
        let (from, to) = packet.addresses();
        let interface = interface(packet.connection);
        match packet.transport {
            Transport::Udp => {
                self.recorder.set_next(interface, comment);
                self.recorder.datagram(packet.time, from, to, bytes)
            }
            Transport::Tcp => {
                let mut stream = match self.streams.get(&packet.connection) {
                    Some(stream) => *stream,
                    None => {
                        self.recorder.set_next(interface, "");
                        self.recorder.open_stream(packet.time, packet.client, packet.server)?
                    }
                };
                self.recorder.set_next(interface, comment);
                let written = self.recorder.stream(packet.time, &mut stream, packet.sender, bytes);
                self.streams.insert(packet.connection, stream);
                Ok(written?)
            }
        }
    }

    /// Starts a new file if a condition of the rotation is met.
    fn rotate(&mut self, time: i64) -> Result<(), RecordError> {
        let began = *self.began.get_or_insert(time);
        let Rotation { size, time: age, keep } = self.config.rotation;
        let elapsed = Duration::from_nanos(u64::try_from(time.saturating_sub(began)).unwrap_or(0));
        let is_full = size.is_some_and(|size| self.recorder.length() >= size);
        if !is_full && age.is_none_or(|age| elapsed < age) {
            return Ok(());
        }
        self.recorder.flush()?;
        self.dropped = self.dropped_packets();
        self.files.push_back(file_name(&self.config, self.number));
        self.number = self.number.saturating_add(1);
        self.recorder = create(&self.config, self.number)?;
        self.began = Some(time);
        while keep.is_some_and(|keep| self.files.len() >= keep.max(1)) {
            // A file that cannot be removed is kept.
            let _ = self.files.pop_front().map(fs::remove_file);
        }
        self.repeat_openings()
    }

    /// Writes the first datagrams of all peers again.
    fn repeat_openings(&mut self) -> Result<(), RecordError> {
        let openings = core::mem::take(&mut self.openings);
        for (packet, bytes) in openings.all() {
            let comment =
                format!("client {}: repeated from the beginning of its conversation", packet.connection.peer);
            self.write(packet, bytes, &comment)?;
        }
        self.openings = openings;
        Ok(())
    }
}

/// Returns the index of a connection's interface.
const fn interface(connection: PeerConnection) -> u32 {
    match connection.side {
        None | Some(Role::Client) => 0,
        Some(Role::Server) => 1,
    }
}

/// Creates a file of the recording.
fn create(config: &RecordingConfig, number: u32) -> Result<Recorder<File>, WriteError> {
    let interfaces: &[&str] = if config.has_sides { &SIDES } else { &[""] };
    Recorder::create_with(file_name(config, number), interfaces)
}

/// Returns the name of a file of the recording. With a rotation, the name contains `number`.
fn file_name(config: &RecordingConfig, number: u32) -> PathBuf {
    if !config.rotation.is_on() {
        return config.path.clone();
    }
    let path: &Path = &config.path;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or_else(|| "pcapng".into(), |extension| extension.to_string_lossy());
    path.with_file_name(format!("{stem}_{number:05}.{extension}"))
}
