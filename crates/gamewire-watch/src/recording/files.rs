use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::WriteError;
use gamewire_machine::{Role, Transport};

use super::names::FileNames;
use super::openings::Openings;
use super::{RecordError, RecordedStream, Recorder};
use crate::packet::{ObservedPacket, PeerConnection, PeerNumber};

/// Settings of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingConfig {
    /// Path of the file, which must not exist, or of a folder. With a rotation, the name has the next free number:
    /// `game_00001.pcapng`. In a folder it is `recording_00001.pcapng`. A folder is created if its path ends with a
    /// separator.
    pub path: PathBuf,
    /// Conditions for a new file.
    pub rotation: Rotation,
    /// The sides of a proxy to record. Traffic without sides is always recorded.
    pub sides: RecordedSides,
}

/// The sides of a proxy that a recording contains. Both sides have most packets, with other addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordedSides {
    /// The connections with the clients.
    #[default]
    Client,
    /// The connections with the server.
    Server,
    /// Both, each with its own interface.
    Both,
}

impl RecordedSides {
    /// Returns whether a connection to a program in this role is recorded.
    fn contain(self, side: Option<Role>) -> bool {
        match self {
            Self::Client => side != Some(Role::Server),
            Self::Server => side != Some(Role::Client),
            Self::Both => true,
        }
    }

    /// Returns the names of the capture interfaces, by index.
    const fn interfaces(self) -> &'static [&'static str] {
        match self {
            Self::Client => &["client side"],
            Self::Server => &["server side"],
            Self::Both => &["client side", "server side"],
        }
    }

    /// Returns the index of a connection's interface.
    fn interface(self, side: Option<Role>) -> u32 {
        u32::from(self == Self::Both && side == Some(Role::Server))
    }
}

/// Conditions under which a recording starts a new file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// Maximum size of the packets in a file in bytes, without what is repeated at its start.
    pub size: Option<u64>,
    /// Maximum duration of a file.
    pub time: Option<Duration>,
    /// Maximum number of files. Older files of the same recording are removed.
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
    names: FileNames,
    recorder: Recorder<File>,
    /// True after a new file could not be created.
    has_ended: bool,
    began: Option<i64>,
    /// Length of the current file before its first packet.
    start: u64,
    /// The files of this recording that exist. The current one is the last.
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
    /// [`WriteError`] if the file exists, or cannot be created or written.
    pub fn create(config: RecordingConfig) -> Result<Self, WriteError> {
        let mut names = FileNames::new(&config.path, config.rotation.is_on())
            .map_err(|source| WriteError { frames: 0, source })?;
        let (path, recorder) = names.create(|path| create(&config, path))?;
        let start = recorder.length();
        Ok(Self {
            config,
            names,
            recorder,
            has_ended: false,
            began: None,
            start,
            files: VecDeque::from([path]),
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
        if !self.contains(packet) {
            return Ok(());
        }
        if self.has_ended {
            self.dropped = self.dropped.saturating_add(1);
            return Ok(());
        }
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
                self.recorder.set_next(self.config.sides.interface(side), "");
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

    /// Returns whether the connection of a packet is recorded.
    pub(crate) fn contains(&self, packet: &ObservedPacket) -> bool {
        self.config.sides.contain(packet.connection.side)
    }

    /// Returns the number of packets that could not be written.
    pub const fn dropped_packets(&self) -> u64 {
        self.dropped.saturating_add(self.recorder.dropped_packets())
    }

    fn write(&mut self, packet: &ObservedPacket, bytes: &[u8], comment: &str) -> Result<(), RecordError> {
        let (from, to) = packet.addresses();
        let interface = self.config.sides.interface(packet.connection.side);
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
        let is_full = size.is_some_and(|size| self.recorder.length().saturating_sub(self.start) >= size);
        if !is_full && age.is_none_or(|age| elapsed < age) {
            return Ok(());
        }
        self.recorder.flush()?;
        let config = &self.config;
        let created = self.names.create(|path| create(config, path));
        self.has_ended = created.is_err();
        let (path, recorder) = created?;
        self.dropped = self.dropped_packets();
        self.recorder = recorder;
        self.files.push_back(path);
        self.began = Some(time);
        while keep.is_some_and(|keep| self.files.len() > keep.max(1)) {
            // A file that cannot be removed is kept.
            let _ = self.files.pop_front().map(fs::remove_file);
        }
        self.repeat_openings()?;
        self.start = self.recorder.length();
        Ok(())
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

/// Creates a file of the recording.
fn create(config: &RecordingConfig, path: &Path) -> Result<Recorder<File>, WriteError> {
    Recorder::create_with(path, config.sides.interfaces())
}
