use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::frame::{Fragment, Frame, FrameHeader};
use super::incoming::Violation;

/// A message of which some parts are here. Nothing is reserved for those that are not.
#[derive(Debug)]
pub(super) struct Reassembly {
    about: FrameHeader,
    /// How long each part is but the last; 0 for a message that is whole.
    size: u16,
    count: usize,
    parts: BTreeMap<u16, Box<[u8]>>,
}

impl Reassembly {
    /// One that a packet begins.
    pub(super) fn new(frame: &Frame<'_>) -> Self {
        let about = frame.about;
        let (size, count) = match frame.place {
            Fragment::Whole => (0, 1),
            Fragment::Part { size, .. } => (size, about.parts(size)),
        };
        Self { about, size, count, parts: BTreeMap::new() }
    }

    /// Takes a packet, which has to agree with those before it, and be another part.
    pub(super) fn add(&mut self, frame: &Frame<'_>) -> Result<(), Violation> {
        let (index, size) = match frame.place {
            Fragment::Whole => (0, 0),
            Fragment::Part { index, size } => (index, size),
        };
        if frame.about != self.about || size != self.size {
            return Err(Violation);
        }
        match self.parts.entry(index) {
            Entry::Occupied(_) => Err(Violation),
            Entry::Vacant(place) => {
                place.insert(frame.content.into());
                Ok(())
            }
        }
    }

    pub(super) const fn about(&self) -> &FrameHeader {
        &self.about
    }

    /// How many packets are here.
    pub(super) fn packets(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.parts.len() == self.count
    }

    /// Its bytes, when it is complete.
    pub(super) fn join(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.parts.values().map(|part| part.len()).sum());
        self.parts.values().for_each(|part| bytes.extend_from_slice(part));
        bytes
    }
}
