//! A window on the input in one reused buffer, and the steps that readers of both formats take on it.

use std::io::{ErrorKind, Read};

use super::error::{CaptureError, Damage};
use super::frame::LinkType;

/// Initial size of the buffer: large enough that moving its rest to the front is rare, small enough for a cache.
const INITIAL: usize = 256 * 1024;

/// The part of the input that was read and is not consumed yet.
pub(super) struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    /// The unread bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The offset in the input of `buffer[start]`.
    offset: u64,
    ended: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: vec![0; INITIAL], start: 0, end: 0, offset: 0, ended: false }
    }

    /// Reads until the window has `need` bytes. Returns false if the input ends before. Callers bound `need`.
    pub(super) fn fill(&mut self, need: usize) -> Result<bool, ReadError> {
        if self.available() >= need { Ok(true) } else { self.read_more(need) }
    }

    #[cold]
    fn read_more(&mut self, need: usize) -> Result<bool, ReadError> {
        while self.available() < need {
            if self.ended {
                return Ok(false);
            }
            if self.end == self.buffer.len() {
                self.make_room();
            }
            let Some(space) = self.buffer.get_mut(self.end..) else { return Ok(false) };
            match self.input.read(space) {
                Ok(0) => self.ended = true,
                // The count is bounded, because a faulty reader may claim more than fits.
                Ok(count) => self.end = self.end.saturating_add(count).min(self.buffer.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::last(self, Damage::Io(error))),
            }
        }
        Ok(true)
    }

    /// Moves the unread bytes to the front, and grows the buffer if they fill more than half of it. So each read byte
    /// moves at most one byte, and the buffer grows only with bytes that arrived.
    fn make_room(&mut self) {
        let unread = self.available();
        self.buffer.copy_within(self.start..self.end, 0);
        self.start = 0;
        self.end = unread;
        let length = self.buffer.len();
        if unread > length / 2 {
            self.buffer.reserve_exact(length);
            self.buffer.resize(length.saturating_mul(2), 0);
        }
    }

    /// Returns the number of bytes in the window.
    pub(super) fn available(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns the bytes in the window.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Consumes `count` bytes. They stay in the buffer until the next fill.
    pub(super) fn consume(&mut self, count: usize) {
        let count = count.min(self.available());
        self.start = self.start.saturating_add(count);
        self.offset = self.offset.saturating_add(count as u64);
    }

    /// Returns `len` consumed bytes, starting `back` bytes before the window. They are valid until the next fill.
    pub(super) fn consumed(&self, back: usize, len: usize) -> &[u8] {
        let from = self.start.saturating_sub(back);
        self.buffer.get(from..from.saturating_add(len)).unwrap_or_default()
    }

    /// Returns the offset of the window in the input, in bytes.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the size of the buffer in bytes.
    pub(super) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }
}

/// The byte order of a file or section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// Reads two bytes at `at`, if `bytes` contain them.
    pub(super) fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        self.little_endian(bytes, at).map(u16::from_le_bytes)
    }

    /// Reads four bytes at `at`, if `bytes` contain them.
    pub(super) fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        self.little_endian(bytes, at).map(u32::from_le_bytes)
    }

    /// Reads eight bytes at `at`, if `bytes` contain them.
    pub(super) fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        self.little_endian(bytes, at).map(u64::from_le_bytes)
    }

    fn little_endian<const N: usize>(self, bytes: &[u8], at: usize) -> Option<[u8; N]> {
        let mut word = *bytes.get(at..)?.first_chunk()?;
        if self == Self::Big {
            word.reverse();
        }
        Some(word)
    }
}

/// Maximum length of a record or block, in bytes. A longer one is damage.
pub const MAX_RECORD: u32 = 16 * 1024 * 1024;

/// A frame in the consumed bytes before the window.
pub(super) struct Found {
    pub(super) time: i64,
    pub(super) link: LinkType,
    pub(super) interface: u32,
    pub(super) is_state: bool,
    pub(super) original_len: u32,
    /// Distance of the frame's first byte to the window, in bytes.
    pub(super) back: usize,
    pub(super) len: usize,
}

/// An error; `last` if no frame can follow.
pub(super) struct ReadError {
    pub(super) error: CaptureError,
    pub(super) last: bool,
}

impl ReadError {
    /// Damage at the window's position; reading resumes after it.
    #[cold]
    pub(super) fn here<R: Read>(window: &Window<R>, damage: Damage) -> Self {
        Self { error: CaptureError { offset: window.offset(), damage }, last: false }
    }

    /// Damage at the window's position; reading ends.
    #[cold]
    pub(super) fn last<R: Read>(window: &Window<R>, damage: Damage) -> Self {
        Self { last: true, ..Self::here(window, damage) }
    }

    /// The input ends before `needed` bytes of `what`.
    #[cold]
    pub(super) fn truncated<R: Read>(window: &Window<R>, what: &'static str, needed: usize) -> Self {
        let available = window.available() as u64;
        Self::here(window, Damage::Truncated { what, needed: needed as u64, available })
    }
}

/// Maximum length of a record or block that a search accepts: the snap length of tcpdump and the fields of a block. It
/// limits the distance that a search reads ahead.
pub(super) const MAX_CANDIDATE: u32 = 262_144 + 1024;

/// Moves the window forward, by at least one byte, to the first position with `min` bytes where `holds` returns
/// true. Returns false if the input ends before.
pub(super) fn search<R: Read>(
    window: &mut Window<R>,
    min: usize,
    mut holds: impl FnMut(&mut Window<R>) -> Result<bool, ReadError>,
) -> Result<bool, ReadError> {
    loop {
        window.consume(1);
        if !window.fill(min)? {
            // The remaining bytes are shorter than any record.
            window.consume(window.available());
            return Ok(false);
        }
        if holds(window)? {
            return Ok(true);
        }
    }
}
