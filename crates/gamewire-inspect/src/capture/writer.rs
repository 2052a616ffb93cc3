//! The writer of capture files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::frame::{Frame, LinkType, STATE_INTERFACE};
use super::pcapng::{enhanced_packet, interface_description, section_header, whole_blocks};

/// Name and version of the application, written to the files.
const APPLICATION: &str = concat!("gamewire ", env!("CARGO_PKG_VERSION"));
/// Number of bytes that are buffered before a write.
const PENDING: usize = 1 << 16;

/// Creates a file for a capture. A capture of live traffic cannot be made again, so an existing file is an error. A named
/// pipe or a device is opened.
///
/// # Errors
/// [`io::Error`] if the file exists or cannot be created.
pub fn create_file(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    let holds_nothing = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    match File::create_new(path) {
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && fs::metadata(path).is_ok_and(holds_nothing) =>
        {
            File::options().write(true).open(path)
        }
        created => created,
    }
}

/// The output failed, and the capture has ended.
#[derive(Debug, Error)]
#[error("cannot write the capture, which ends after {frames} frames: {source}")]
pub struct WriteError {
    /// Number of whole frames in the capture.
    pub frames: u64,
    /// The error of the output.
    pub source: io::Error,
}

/// A writer for a pcapng capture, with an interface for each link layer and times in nanoseconds.
///
/// The first error ends the capture and is returned once. Later frames are only counted in
/// [`Writer::dropped_frames`], so that the recorded program can continue. A file is truncated after its last
/// whole block; from any other output, a [`Reader`](super::Reader) returns all frames before the incomplete one.
///
/// Frames are buffered until the buffer is full or [`Writer::flush`] is called. Dropping the writer also flushes
/// it, but ignores errors.
#[derive(Debug)]
pub struct Writer<W: Write> {
    output: W,
    /// The link layer of each interface, and whether its name is [`STATE_INTERFACE`].
    interfaces: Vec<(LinkType, bool)>,
    /// Whole blocks that are not written yet.
    pending: Vec<u8>,
    /// Number of bytes in the output.
    length: u64,
    /// Number of frames in the output.
    frames: u64,
    pending_frames: u64,
    dropped_frames: u64,
    has_failed: bool,
    truncate: fn(&mut W, u64) -> io::Result<()>,
}

impl Writer<File> {
    /// Creates the file `path` and begins a capture in it.
    ///
    /// # Errors
    /// [`WriteError`] if the file exists, or cannot be created or written.
    pub fn create(path: impl AsRef<Path>, link: LinkType) -> Result<Self, WriteError> {
        Self::create_with(path, &[(link, "")])
    }

    /// Creates the file `path` and begins a capture with these interfaces: link layers and names.
    ///
    /// # Errors
    /// [`WriteError`] if the file exists, or cannot be created or written.
    pub fn create_with(path: impl AsRef<Path>, interfaces: &[(LinkType, &str)]) -> Result<Self, WriteError> {
        let file = create_file(path).map_err(|source| WriteError { frames: 0, source })?;
        Self::begin(file, interfaces, |file, length| file.set_len(length))
    }
}

impl<W: Write> Writer<W> {
    /// Begins a capture of frames that start with the layer `link`.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written.
    pub fn new(output: W, link: LinkType) -> Result<Self, WriteError> {
        Self::begin(output, &[(link, "")], |_, _| Ok(()))
    }

    fn begin(
        output: W,
        interfaces: &[(LinkType, &str)],
        truncate: fn(&mut W, u64) -> io::Result<()>,
    ) -> Result<Self, WriteError> {
        let mut pending = Vec::with_capacity(PENDING);
        section_header(APPLICATION, &mut pending);
        for (link, name) in interfaces {
            interface_description(*link, name, &mut pending);
        }
        let mut writer = Self {
            output,
            interfaces: interfaces.iter().map(|(link, name)| (*link, *name == STATE_INTERFACE)).collect(),
            pending,
            length: 0,
            frames: 0,
            pending_frames: 0,
            dropped_frames: 0,
            has_failed: false,
            truncate,
        };
        writer.flush()?;
        Ok(writer)
    }

    /// Adds a frame. `time` is nanoseconds since 1970-01-01 00:00 UTC; an earlier time is written as 0.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written, once. The capture has ended then.
    pub fn frame(&mut self, time: i64, data: &[u8]) -> Result<(), WriteError> {
        self.frame_on(0, time, &[data], "")
    }

    /// Adds a frame that was captured on an interface, counted from 0. `parts` are the parts of the frame. An empty comment
    /// is not written.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written, once. The capture has ended then.
    pub fn frame_on(
        &mut self,
        interface: u32,
        time: i64,
        parts: &[&[u8]],
        comment: &str,
    ) -> Result<(), WriteError> {
        if self.has_failed {
            self.dropped_frames = self.dropped_frames.saturating_add(1);
            return Ok(());
        }
        self.packet(interface, time, parts, None, comment)
    }

    /// Adds a frame of a capture, with its own link layer and its length on the wire. A frame of state stays one.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written, once. The capture has ended then.
    pub fn captured(&mut self, frame: &Frame<'_>) -> Result<(), WriteError> {
        if self.has_failed {
            self.dropped_frames = self.dropped_frames.saturating_add(1);
            return Ok(());
        }
        let wanted = (frame.link, frame.is_state);
        let known = self.interfaces.iter().position(|interface| *interface == wanted);
        let interface = known.unwrap_or_else(|| {
            let name = if frame.is_state { STATE_INTERFACE } else { "" };
            interface_description(frame.link, name, &mut self.pending);
            self.interfaces.push(wanted);
            self.interfaces.len().saturating_sub(1)
        });
        let interface = u32::try_from(interface).unwrap_or_default();
        self.packet(interface, frame.time, &[frame.data], Some(frame.original_len), "")
    }

    fn packet(
        &mut self,
        interface: u32,
        time: i64,
        parts: &[&[u8]],
        original_len: Option<u32>,
        comment: &str,
    ) -> Result<(), WriteError> {
        let time = u64::try_from(time).unwrap_or(0);
        enhanced_packet(interface, time, parts, original_len, comment, &mut self.pending);
        self.pending_frames = self.pending_frames.saturating_add(1);
        if self.pending.len() < PENDING { Ok(()) } else { self.flush() }
    }

    /// Writes all buffered frames to the output.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written, once. The capture has ended then.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.has_failed {
            return Ok(());
        }
        let (written, result) = write_all(&mut self.output, &self.pending);
        match result {
            Ok(()) => {
                self.length = self.length.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
                self.frames = self.frames.saturating_add(self.pending_frames);
            }
            Err(source) => return Err(self.fail(written, source)),
        }
        self.pending.clear();
        self.pending_frames = 0;
        Ok(())
    }

    /// Ends the capture after the last block that is whole when `written` more bytes were written.
    fn fail(&mut self, written: usize, source: io::Error) -> WriteError {
        let (written_blocks, whole) = whole_blocks(&self.pending, written);
        let (all_blocks, _) = whole_blocks(&self.pending, self.pending.len());
        let lost = all_blocks.saturating_sub(written_blocks);
        self.frames = self.frames.saturating_add(self.pending_frames.saturating_sub(lost));
        self.dropped_frames = lost.min(self.pending_frames);
        self.length = self.length.saturating_add(u64::try_from(whole).unwrap_or(u64::MAX));
        self.has_failed = true;
        self.pending = Vec::new();
        // A pipe or a device cannot be truncated; its readers detect an incomplete block.
        let _ = (self.truncate)(&mut self.output, self.length);
        WriteError { frames: self.frames, source }
    }

    /// Returns the number of bytes of the capture, including buffered ones.
    pub fn length(&self) -> u64 {
        self.length.saturating_add(u64::try_from(self.pending.len()).unwrap_or(u64::MAX))
    }

    /// Returns the number of frames that were not written because the capture had ended.
    pub const fn dropped_frames(&self) -> u64 {
        self.dropped_frames
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        // An application that needs the error calls `flush`.
        let _ = self.flush();
    }
}

/// Writes all bytes and flushes. Returns the number of written bytes also if the output fails.
fn write_all(output: &mut impl Write, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut written = 0_usize;
    while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
        match output.write(rest) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(count) => written = written.saturating_add(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, output.flush())
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;

    /// A file on a disk with space for some bytes.
    struct SmallDisk {
        bytes: Vec<u8>,
        capacity: usize,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.capacity.saturating_sub(self.bytes.len()));
            self.bytes.extend(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn g8_a_file_on_a_full_disk_is_truncated_after_its_last_whole_frame() {
        let truncate = |file: &mut SmallDisk, length| {
            file.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        };
        let file = SmallDisk { bytes: Vec::new(), capacity: 1000 };
        let mut writer = Writer::begin(file, &[(LinkType::RAW, "")], truncate).unwrap();
        let errors =
            (0..100).filter(|_| writer.frame(1, &[0x45; 50]).and_then(|()| writer.flush()).is_err()).count();
        assert_eq!(errors, 1);

        let mut reader = Reader::new(writer.output.bytes.as_slice()).unwrap();
        let mut frames = 0;
        while let Some(frame) = reader.next() {
            assert_eq!(frame.unwrap().data, [0x45; 50]);
            frames += 1;
        }
        assert_eq!((frames, frames + writer.dropped_frames()), (10, 100));
    }
}
