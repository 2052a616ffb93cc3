//! Reads a capture to its end.

use std::io::Read;

use crate::capture::{CaptureError, Damage, Reader};

/// Maximum memory of the reader in these tests, in bytes.
pub(crate) const MAX_MEMORY: usize = 34 * 1024 * 1024;

/// The content of a capture.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Time and bytes of each frame.
    pub(crate) frames: Vec<(i64, Vec<u8>)>,
    pub(crate) errors: Vec<CaptureError>,
    /// Maximum memory that the reader used, in bytes.
    pub(crate) peak: usize,
}

impl Walk {
    pub(crate) fn data(&self) -> Vec<&[u8]> {
        self.frames.iter().map(|(_, data)| data.as_slice()).collect()
    }

    /// Returns the only damage.
    pub(crate) fn damage(&self) -> &Damage {
        assert_eq!(self.errors.len(), 1, "{:?}", self.errors);
        &self.errors[0].damage
    }
}

/// Reads all of `input`, which begins with a valid file header.
pub(crate) fn walk(input: impl Read) -> Walk {
    let mut reader = Reader::new(input).unwrap();
    let mut walk = Walk::default();
    loop {
        match reader.next() {
            Some(Ok(frame)) => walk.frames.push((frame.time, frame.data.to_vec())),
            Some(Err(error)) => walk.errors.push(error),
            None => break,
        }
        walk.peak = walk.peak.max(reader.buffered_bytes());
    }
    assert!(reader.next().is_none(), "the end is the end");
    assert!(walk.peak <= MAX_MEMORY, "held {} bytes", walk.peak);
    walk
}
