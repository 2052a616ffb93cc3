//! Reads a capture to its end and notes what came.

use std::io::Read;

use crate::capture::{CaptureError, Damage, Reader};

/// No file of these tests has a reason to make the reader hold more.
pub(crate) const FLAT: usize = 34 * 1024 * 1024;

/// What a capture held.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Time and bytes of each frame.
    pub(crate) frames: Vec<(i64, Vec<u8>)>,
    pub(crate) errors: Vec<CaptureError>,
    /// The most memory the reader held.
    pub(crate) peak: usize,
}

impl Walk {
    pub(crate) fn data(&self) -> Vec<&[u8]> {
        self.frames.iter().map(|(_, data)| data.as_slice()).collect()
    }

    /// The only damage.
    pub(crate) fn damage(&self) -> &Damage {
        assert_eq!(self.errors.len(), 1, "{:?}", self.errors);
        &self.errors[0].damage
    }
}

/// Reads all of `input`, which begins with a good file header.
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
    assert!(walk.peak <= FLAT, "held {} bytes", walk.peak);
    walk
}
