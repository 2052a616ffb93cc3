use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use gamewire_inspect::capture::{LinkType, WriteError, Writer};
use thiserror::Error;

use super::headers;

/// The reason why a packet was not recorded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The output failed. The recording has ended, and this error is returned once.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The datagram is longer than UDP allows. The recording continues.
    #[error("expected a datagram of at most 65507 bytes, found {length}")]
    TooLong {
        /// The length of its payload in bytes.
        length: usize,
    },
}

/// Records datagrams and streams as a pcapng file of raw IP packets, which `gamewire inspect`, tcpdump and Wireshark
/// read.
///
/// ```
/// # use gamewire_watch::recording::{RecordError, Recorder};
/// # fn record(client: std::net::SocketAddr, server: std::net::SocketAddr) -> Result<(), RecordError> {
/// let mut recorder = Recorder::new(Vec::new())?;
/// let time = 1_700_000_000_000_000_000; // nanoseconds since 1970
/// recorder.datagram(time, client, server, &[0x10, 0, 0, 1])?;
/// recorder.flush()?;
/// # Ok(())
/// # }
/// # record(([127, 0, 0, 1], 40_000).into(), ([127, 0, 0, 1], 8303).into()).unwrap();
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write> {
    pub(super) writer: Writer<W>,
    /// The headers of the next packet.
    pub(super) header: Vec<u8>,
    /// The interface of the next packets.
    interface: u32,
    /// The comment of the next packet.
    comment: String,
}

impl Recorder<File> {
    /// Starts a recording in the file `path`, which must not exist. If the disk becomes full, the file ends after its
    /// last whole packet.
    ///
    /// # Errors
    /// [`WriteError`] if the file exists, or cannot be created or written.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, WriteError> {
        Writer::create(path, LinkType::RAW).map(Self::of)
    }

    /// Starts a recording with named interfaces in the file `path`, which must not exist.
    /// [`set_next`](Self::set_next) selects the interface.
    ///
    /// # Errors
    /// [`WriteError`] if the file exists, or cannot be created or written.
    pub fn create_with(path: impl AsRef<Path>, interfaces: &[&str]) -> Result<Self, WriteError> {
        let interfaces: Vec<_> = interfaces.iter().map(|name| (LinkType::RAW, *name)).collect();
        Writer::create_with(path, &interfaces).map(Self::of)
    }
}

impl<W: Write> Recorder<W> {
    /// Starts a recording.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written.
    pub fn new(output: W) -> Result<Self, WriteError> {
        Writer::new(output, LinkType::RAW).map(Self::of)
    }

    const fn of(writer: Writer<W>) -> Self {
        Self { writer, header: Vec::new(), interface: 0, comment: String::new() }
    }

    /// Sets the interface, counted from 0, of the next packets, and the comment of the next one. Wireshark shows
    /// comments above a packet.
    pub fn set_next(&mut self, interface: u32, comment: &str) {
        self.interface = interface;
        self.comment.clear();
        self.comment.push_str(comment);
    }

    /// Writes the next packet: its headers and this payload.
    pub(super) fn write_packet(&mut self, time: i64, payload: &[u8]) -> Result<(), WriteError> {
        let written = self.writer.frame_on(self.interface, time, &[&self.header, payload], &self.comment);
        self.comment.clear();
        written
    }

    /// Returns the number of bytes of the recording, including buffered ones.
    pub fn length(&self) -> u64 {
        self.writer.length()
    }

    /// Records a datagram from `source` to `destination`. `time` is nanoseconds since 1970-01-01 00:00 UTC. An
    /// IPv4-mapped IPv6 address counts as IPv4.
    ///
    /// # Errors
    /// [`RecordError::Write`] once if the output fails; later datagrams are only counted in
    /// [`Recorder::dropped_packets`]. [`RecordError::TooLong`] if the datagram is longer than UDP allows; the recording
    /// continues.
    pub fn datagram(
        &mut self,
        time: i64,
        source: SocketAddr,
        destination: SocketAddr,
        payload: &[u8],
    ) -> Result<(), RecordError> {
        headers::udp(source, destination, payload, &mut self.header)
            .map_err(|headers::TooLong| RecordError::TooLong { length: payload.len() })?;
        Ok(self.write_packet(time, payload)?)
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// [`WriteError`] once if the output fails.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.writer.flush()
    }

    /// Returns the number of packets that were not recorded because the recording had ended.
    pub const fn dropped_packets(&self) -> u64 {
        self.writer.dropped_frames()
    }
}
