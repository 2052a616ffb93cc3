//! A window on the input: the bytes that are being looked at, in one reused buffer.

use std::io::{self, ErrorKind, Read};

/// The buffer at the start: large enough that moving its rest to the front is rare, small enough for a cache.
const INITIAL: usize = 256 * 1024;

/// The part of the input that was read and not consumed yet.
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

    /// Reads until `need` bytes are there; false if the input ends before. Callers bound `need`.
    #[inline]
    pub(super) fn fill(&mut self, need: usize) -> io::Result<bool> {
        if self.available() >= need { Ok(true) } else { self.read_more(need) }
    }

    #[cold]
    fn read_more(&mut self, need: usize) -> io::Result<bool> {
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
                // A reader that claims more than it was given room for is not believed.
                Ok(count) => self.end = self.end.saturating_add(count).min(self.buffer.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Moves the unread bytes to the front, and grows a buffer that they fill by more than half: so that no
    /// byte is moved more than once for each byte that is read, and growth follows arrival.
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

    /// How many bytes are here without reading more.
    #[inline]
    pub(super) fn available(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// The bytes that are here without reading more.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Leaves `count` bytes behind. They stay in the buffer until the next fill.
    #[inline]
    pub(super) fn consume(&mut self, count: usize) {
        let count = count.min(self.available());
        self.start = self.start.saturating_add(count);
        self.offset = self.offset.saturating_add(count as u64);
    }

    /// `len` of the last bytes left behind, beginning `back` bytes before the window: valid until the next
    /// fill.
    #[inline]
    pub(super) fn behind(&self, back: usize, len: usize) -> &[u8] {
        let from = self.start.saturating_sub(back);
        self.buffer.get(from..from.saturating_add(len)).unwrap_or_default()
    }

    /// The offset of the window in the input, in bytes.
    #[inline]
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The size of the buffer in bytes.
    pub(super) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }
}
