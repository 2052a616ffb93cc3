use gamewire_teeworlds::server::MapChunk;

/// Maximum size of a map in bytes. Most maps are smaller than one million bytes.
const MAX_BYTES: usize = 32 << 20;

/// The received part of a map file.
#[derive(Debug, Default)]
pub(super) struct MapFile {
    bytes: Vec<u8>,
    /// The announced size; `None` if the server did not announce it.
    size: Option<usize>,
    is_complete: bool,
}

impl MapFile {
    /// Returns an empty file. A negative `size` means that the size is unknown.
    pub(super) fn new(size: i32) -> Self {
        Self { bytes: Vec::new(), size: usize::try_from(size).ok(), is_complete: false }
    }

    /// Appends the next chunk. Returns false if the file is too large.
    pub(super) fn add(&mut self, data: &[u8], is_last: bool) -> bool {
        if self.is_complete {
            return true;
        }
        if self.bytes.len().saturating_add(data.len()) > MAX_BYTES {
            return false;
        }
        self.bytes.extend_from_slice(data);
        self.is_complete = is_last || self.size.is_some_and(|size| self.bytes.len() >= size);
        true
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns chunk `number`, with chunks of `size` bytes. Returns `None` if the chunk is not received yet, or is past
    /// the end.
    pub(super) fn chunk(&self, number: usize, size: usize) -> Option<MapChunk<'_>> {
        let start = number.checked_mul(size)?;
        let end = start.checked_add(size)?;
        if end > self.bytes.len() && !self.is_complete {
            return None;
        }
        let bytes = self.bytes.get(start..end.min(self.bytes.len())).filter(|bytes| !bytes.is_empty())?;
        Some(MapChunk { bytes, is_last: self.is_complete && end >= self.bytes.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_one_size_become_chunks_of_another() {
        let mut file = MapFile::new(10);
        assert!(file.add(&[1, 2, 3, 4, 5, 6], false));
        let chunk = |bytes, is_last| Some(MapChunk { bytes, is_last });
        assert_eq!(file.chunk(0, 4), chunk(&[1, 2, 3, 4], false));
        assert_eq!(file.chunk(1, 4), None, "not received yet");
        assert!(file.add(&[7, 8, 9, 10], false) && file.is_complete());
        assert_eq!(file.chunk(1, 4), chunk(&[5, 6, 7, 8], false));
        assert_eq!(file.chunk(2, 4), chunk(&[9, 10], true));
        assert_eq!((file.chunk(3, 4), file.chunk(usize::MAX, 4)), (None, None));
    }

    #[test]
    fn p1_a_map_that_never_ends_is_refused() {
        let mut file = MapFile::new(-1);
        let chunk = vec![0; 1 << 20];
        assert_eq!((0..64).filter(|_| file.add(&chunk, false)).count(), 32);
    }
}
