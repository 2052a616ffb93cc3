use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::WriteError;
use gamewire_inspect::recording::{RecordError, RecordedStream, Recorder};
use gamewire_machine::Role;

use super::openings::Openings;
use crate::Side;
use crate::traffic::Packet;
use crate::traffic::{ClientNumber, Transport};

/// The interfaces of a recording, by number.
const INTERFACES: [&str; 2] = ["client side", "server side"];

/// Settings of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingConfig {
    /// The file. With a rotation, a number follows the name: `game_00001.pcapng`.
    pub path: PathBuf,
    /// When to begin another file.
    pub rotation: Rotation,
}

/// When a recording begins another file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// After this many bytes.
    pub size: Option<u64>,
    /// After this time.
    pub time: Option<Duration>,
    /// Number of files to keep: older ones are removed.
    pub keep: Option<usize>,
}

impl Rotation {
    /// Returns whether there is more than one file.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.size.is_some() || self.time.is_some()
    }
}

/// Records what crosses a proxy as pcapng: one interface for each side, and what was decoded as comments.
///
/// Each file after the first begins with the first datagrams of the clients that are still there, so that a follower
/// needs no other file. A stream has no such beginning: join the files for it.
#[derive(Debug)]
pub struct Recording {
    config: RecordingConfig,
    recorder: Recorder<File>,
    /// Number of the file, from 1, and when it began.
    number: u32,
    began: Option<i64>,
    /// The files that exist, without the open one.
    files: VecDeque<PathBuf>,
    streams: BTreeMap<(ClientNumber, Side), RecordedStream>,
    openings: Openings,
    /// Packets that files before the open one could not take.
    dropped: u64,
}

impl Recording {
    /// Creates the file.
    ///
    /// # Errors
    /// It cannot be created or written.
    pub fn create(config: RecordingConfig) -> Result<Self, WriteError> {
        let recorder = Recorder::create_with(file_name(&config, 1), &INTERFACES)?;
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
    /// The file cannot be written. This is returned once; what comes later is only counted.
    pub fn packet(&mut self, packet: &Packet, bytes: &[u8], comment: &str) -> Result<(), RecordError> {
        if self.config.rotation.is_on() {
            self.rotate(packet.time)?;
            self.openings.keep(*packet, bytes);
        }
        self.write(packet, bytes, comment)
    }

    /// Ends the streams of a client.
    ///
    /// # Errors
    /// The errors of [`packet`](Self::packet).
    pub fn closed(&mut self, time: i64, client: ClientNumber, first: Side) -> Result<(), RecordError> {
        self.openings.forget(client);
        let first = if first == Side::Client { Role::Client } else { Role::Server };
        for side in Side::BOTH {
            if let Some(stream) = self.streams.remove(&(client, side)) {
                self.recorder.set_next(interface(side), "");
                self.recorder.close_stream(time, stream, first)?;
            }
        }
        Ok(())
    }

    /// Writes what is buffered.
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

    fn write(&mut self, packet: &Packet, bytes: &[u8], comment: &str) -> Result<(), RecordError> {
        let (from, to) = packet.addresses();
        let interface = interface(packet.side);
        match packet.transport {
            Transport::Udp => {
                self.recorder.set_next(interface, comment);
                self.recorder.datagram(packet.time, from, to, bytes)
            }
            Transport::Tcp => {
                let key = (packet.client, packet.side);
                let mut stream = match self.streams.get(&key) {
                    Some(stream) => *stream,
                    None => {
                        self.recorder.set_next(interface, "");
                        let (client, server) = (packet.client_address, packet.server_address);
                        self.recorder.open_stream(packet.time, client, server)?
                    }
                };
                self.recorder.set_next(interface, comment);
                let written = self.recorder.stream(packet.time, &mut stream, packet.sender, bytes);
                self.streams.insert(key, stream);
                Ok(written?)
            }
        }
    }

    /// Begins another file if it is time.
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
        self.recorder = Recorder::create_with(file_name(&self.config, self.number), &INTERFACES)?;
        self.began = Some(time);
        while keep.is_some_and(|keep| self.files.len() >= keep.max(1)) {
            // One that cannot be removed is left.
            let _ = self.files.pop_front().map(fs::remove_file);
        }
        self.repeat_openings()
    }

    /// Writes the first datagrams of all clients once more.
    fn repeat_openings(&mut self) -> Result<(), RecordError> {
        let openings = core::mem::take(&mut self.openings);
        for (packet, bytes) in openings.all() {
            let comment =
                format!("client {}: repeated from the beginning of its conversation", packet.client);
            self.write(packet, bytes, &comment)?;
        }
        self.openings = openings;
        Ok(())
    }
}

const fn interface(side: Side) -> u32 {
    match side {
        Side::Client => 0,
        Side::Server => 1,
    }
}

/// Returns the name of a file of the recording: with a rotation, it has a number.
fn file_name(config: &RecordingConfig, number: u32) -> PathBuf {
    if !config.rotation.is_on() {
        return config.path.clone();
    }
    let path: &Path = &config.path;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or_else(|| "pcapng".into(), |extension| extension.to_string_lossy());
    path.with_file_name(format!("{stem}_{number:05}.{extension}"))
}
