//! The writer of capture files.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::frame::LinkType;
use super::pcapng::{enhanced_packet, interface_description, section_header, whole_blocks};

/// What makes the files, as it is noted in them.
const APPLICATION: &str = concat!("gamewire ", env!("CARGO_PKG_VERSION"));
/// Blocks are written together until there are this many bytes of them.
const PENDING: usize = 1 << 16;

/// A capture could not be written on; it ends there.
#[derive(Debug, Error)]
#[error("cannot write the capture, which ends after {frames} frames: {source}")]
pub struct WriteError {
    /// How many frames of the capture are whole.
    pub frames: u64,
    /// What failed.
    pub source: io::Error,
}

/// Writes a capture in pcapng: frames of one interface, their times in nanoseconds.
///
/// The first error ends the capture and is told once: later frames are counted in [`Writer::left_out`] and
/// otherwise pass by, so that whoever records need not stop what is recorded. A file is then cut behind its last
/// whole block; of any other output, a [`Reader`](super::Reader) gives all frames but the one that is cut off.
///
/// What is written stays in a buffer until that is full or [`Writer::flush`] is called. Dropping the writer
/// flushes it too, but tells no error.
#[derive(Debug)]
pub struct Writer<W: Write> {
    output: W,
    /// Whole blocks on their way to the output.
    pending: Vec<u8>,
    /// Bytes in the output.
    length: u64,
    /// Frames in the output and on their way.
    frames: u64,
    pending_frames: u64,
    left_out: u64,
    has_failed: bool,
    cut: fn(&mut W, u64) -> io::Result<()>,
}

impl Writer<File> {
    /// Begins a capture in the file `path`, which is made, or emptied if it was there.
    ///
    /// # Errors
    /// When the file cannot be made or written.
    pub fn create(path: impl AsRef<Path>, link: LinkType) -> Result<Self, WriteError> {
        let file = File::create(path).map_err(|source| WriteError { frames: 0, source })?;
        Self::begin(file, link, |file, length| file.set_len(length))
    }
}

impl<W: Write> Writer<W> {
    /// Begins a capture of frames that start with the layer `link`.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(output: W, link: LinkType) -> Result<Self, WriteError> {
        Self::begin(output, link, |_, _| Ok(()))
    }

    fn begin(output: W, link: LinkType, cut: fn(&mut W, u64) -> io::Result<()>) -> Result<Self, WriteError> {
        let mut pending = Vec::with_capacity(PENDING);
        section_header(APPLICATION, &mut pending);
        interface_description(link, &mut pending);
        let mut writer = Self {
            output,
            pending,
            length: 0,
            frames: 0,
            pending_frames: 0,
            left_out: 0,
            has_failed: false,
            cut,
        };
        writer.flush()?;
        Ok(writer)
    }

    /// Adds a frame. `time` is nanoseconds since 1970-01-01 00:00 UTC; what is before that is written as that.
    ///
    /// # Errors
    /// When the output cannot be written: once, and the capture ends.
    pub fn frame(&mut self, time: i64, data: &[u8]) -> Result<(), WriteError> {
        if self.has_failed {
            self.left_out = self.left_out.saturating_add(1);
            return Ok(());
        }
        enhanced_packet(u64::try_from(time).unwrap_or(0), data, &mut self.pending);
        self.pending_frames = self.pending_frames.saturating_add(1);
        if self.pending.len() < PENDING { Ok(()) } else { self.flush() }
    }

    /// Brings everything to the output.
    ///
    /// # Errors
    /// When the output cannot be written: once, and the capture ends.
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

    /// Ends the capture behind the last block that is whole after `written` bytes more.
    fn fail(&mut self, written: usize, source: io::Error) -> WriteError {
        let whole = whole_blocks(&self.pending, written);
        let lost = count_blocks(self.pending.get(whole..).unwrap_or_default());
        self.frames = self.frames.saturating_add(self.pending_frames.saturating_sub(lost));
        self.left_out = lost.min(self.pending_frames);
        self.length = self.length.saturating_add(u64::try_from(whole).unwrap_or(u64::MAX));
        self.has_failed = true;
        self.pending = Vec::new();
        // A pipe or a device cannot be cut; its readers know a block that is not whole.
        let _ = (self.cut)(&mut self.output, self.length);
        WriteError { frames: self.frames, source }
    }

    /// How many frames were not written, because the capture had ended.
    #[must_use]
    pub const fn dropped_frames(&self) -> u64 {
        self.left_out
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        // Who wants to know calls `flush`.
        let _ = self.flush();
    }
}

/// As `Write::write_all` with a flush, but telling how far it came.
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

/// How many blocks `blocks` is.
fn count_blocks(mut blocks: &[u8]) -> u64 {
    let mut count = 0_u64;
    while let Some(length) = blocks.get(4..).and_then(|rest| rest.first_chunk::<4>()) {
        count = count.saturating_add(1);
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        blocks = blocks.get(length.max(1)..).unwrap_or_default();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;

    /// A file on a disk with room for some bytes.
    struct Small {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Write for Small {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.room.saturating_sub(self.bytes.len()));
            self.bytes.extend(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn g8_a_file_on_a_full_disk_is_cut_behind_its_last_whole_frame() {
        let cut = |file: &mut Small, length| {
            file.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        };
        let file = Small { bytes: Vec::new(), room: 1000 };
        let mut writer = Writer::begin(file, LinkType::RAW, cut).unwrap();
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
