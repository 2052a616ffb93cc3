use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::{STATE_INTERFACE, WriteError};
use gamewire_machine::{Role, Transport};

use super::names::FileNames;
use super::state::{Connection, StateOf, write_state};
use super::{RecordError, Recorder};
use crate::packet::{ObservedPacket, PeerConnection, PeerNumber};

/// Maximum number of connections with remembered addresses, more than a relay or a tap can have.
const MAX_CONNECTIONS: usize = 1 << 17;
/// Maximum number of packets in a file after a condition of the rotation was met.
pub const MAX_DELAYED_PACKETS: u32 = 64;

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

/// The sides of a proxy that a recording contains. Most packets occur on both sides, with different addresses.
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

    /// Returns the index of the interface of state.
    fn state_interface(self) -> u32 {
        u32::try_from(self.interfaces().len()).unwrap_or(u32::MAX)
    }

    /// Returns the index of a connection's interface.
    fn interface(self, side: Option<Role>) -> u32 {
        u32::from(self == Self::Both && side == Some(Role::Server))
    }
}

/// Conditions under which a recording starts a new file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// Maximum size of the packets in a file in bytes, without the state at its start. Up to [`MAX_DELAYED_PACKETS`] further packets
    /// may follow.
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
/// Each new file starts with the state of the connections that are still open: packets on the interface
/// [`STATE_INTERFACE`], so that a follower can read the file alone.
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
    connections: BTreeMap<PeerConnection, Connection>,
    /// Number of packets that could not be written to earlier files.
    dropped: u64,
    /// Number of packets since a condition of the rotation was met.
    delayed: u32,
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
            connections: BTreeMap::new(),
            dropped: 0,
            delayed: 0,
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
        self.write(packet, bytes, comment)
    }

    /// Records the end of a peer's streams. `first` is the program that closed its stream first.
    ///
    /// # Errors
    /// The errors of [`packet`](Self::packet).
    pub fn closed(&mut self, time: i64, peer: PeerNumber, first: Role) -> Result<(), RecordError> {
        for side in [None, Some(Role::Client), Some(Role::Server)] {
            let connection = PeerConnection { peer, side };
            let removed = self.connections.remove(&connection);
            if let Some(stream) = removed.and_then(|connection| connection.stream) {
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
        let interface = self.config.sides.interface(packet.connection.side);
        match packet.transport {
            Transport::Udp => {
                if self.config.rotation.is_on() {
                    self.connections.entry(packet.connection).or_insert_with(|| Connection::of(packet));
                }
                let (from, to) = packet.addresses();
                self.recorder.set_next(interface, comment);
                self.recorder.datagram(packet.time, from, to, bytes)?;
            }
            Transport::Tcp => {
                let connection =
                    self.connections.entry(packet.connection).or_insert_with(|| Connection::of(packet));
                let stream = match &mut connection.stream {
                    Some(stream) => stream,
                    none => {
                        self.recorder.set_next(interface, "");
                        none.insert(self.recorder.open_stream(packet.time, packet.client, packet.server)?)
                    }
                };
                self.recorder.set_next(interface, comment);
                self.recorder.stream(packet.time, stream, packet.sender, bytes)?;
            }
        }
        while self.connections.len() > MAX_CONNECTIONS {
            self.connections.pop_first();
        }
        Ok(())
    }

    /// Starts a new file if a condition of the rotation is met. `state` returns the state of a connection before the next
    /// packet, which is at `time`. If `is_half_open` returns true, the file continues for up to [`MAX_DELAYED_PACKETS`] packets,
    /// because the protocol of a conversation may show with the next one.
    ///
    /// # Errors
    /// The errors of [`packet`](Self::packet).
    pub fn rotate(
        &mut self,
        time: i64,
        is_half_open: impl FnOnce() -> bool,
        state: &StateOf<'_>,
    ) -> Result<(), RecordError> {
        if !self.config.rotation.is_on() || self.has_ended {
            return Ok(());
        }
        let began = *self.began.get_or_insert(time);
        let Rotation { size, time: age, keep } = self.config.rotation;
        let elapsed = Duration::from_nanos(u64::try_from(time.saturating_sub(began)).unwrap_or(0));
        let is_full = size.is_some_and(|size| self.recorder.length().saturating_sub(self.start) >= size);
        if !is_full && age.is_none_or(|age| elapsed < age) {
            return Ok(());
        }
        if self.delayed < MAX_DELAYED_PACKETS && is_half_open() {
            self.delayed = self.delayed.saturating_add(1);
            return Ok(());
        }
        self.delayed = 0;
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
        let interface = self.config.sides.state_interface();
        for (connection, ends) in &self.connections {
            let comment = format!("client {}: state, not on the wire", connection.peer);
            write_state(&mut self.recorder, (interface, &comment), ends, time, state)?;
        }
        self.start = self.recorder.length();
        Ok(())
    }
}

/// Creates a file of the recording.
fn create(config: &RecordingConfig, path: &Path) -> Result<Recorder<File>, WriteError> {
    let state = config.rotation.is_on().then_some(STATE_INTERFACE);
    let interfaces: Vec<_> = config.sides.interfaces().iter().copied().chain(state).collect();
    Recorder::create_with(path, &interfaces)
}
