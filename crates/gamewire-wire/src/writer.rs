use crate::{CodecError, Found};

/// Fills a caller's buffer from the front and never past its end.
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    at: usize,
}

impl<'a> Writer<'a> {
    /// Writes into `buffer`; its length is the limit.
    #[inline]
    #[must_use]
    pub const fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, at: 0 }
    }

    /// How many bytes have been written.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.at
    }

    /// Whether nothing has been written.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// What has been written.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.buffer.get(..self.at).unwrap_or_default()
    }

    /// One byte.
    ///
    /// # Errors
    /// When the buffer is full.
    #[inline]
    pub fn u8(&mut self, byte: u8) -> Result<(), CodecError> {
        self.bytes(&[byte])
    }

    /// All of `bytes`, or nothing.
    ///
    /// # Errors
    /// When fewer bytes are free.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), CodecError> {
        let end = self.at.saturating_add(bytes.len());
        match self.buffer.get_mut(self.at..end) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.at = end;
                Ok(())
            }
            None => Err(CodecError::new(self.at, "room in the buffer", Found::Bytes(self.free()))),
        }
    }

    /// How many bytes can still be written.
    #[must_use]
    pub const fn free(&self) -> usize {
        self.buffer.len().saturating_sub(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_all_or_nothing() {
        let mut buffer = [0; 3];
        let mut writer = Writer::new(&mut buffer);
        writer.bytes(&[1, 2]).unwrap();
        assert_eq!(writer.bytes(&[3, 4]).unwrap_err().found, Found::Bytes(1));
        writer.u8(5).unwrap();
        assert_eq!(writer.written(), [1, 2, 5]);
        assert!(writer.u8(6).is_err());
    }
}
