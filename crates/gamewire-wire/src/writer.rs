use crate::{CodecError, Found};

/// A cursor that fills a caller's buffer. It never grows the buffer.
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    at: usize,
}

impl<'a> Writer<'a> {
    /// Creates a writer at the start of `buffer`. The length of the buffer is the limit.
    #[inline]
    pub const fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, at: 0 }
    }

    /// Returns the number of bytes written.
    #[inline]
    pub const fn len(&self) -> usize {
        self.at
    }

    /// Returns whether no byte was written.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Returns the written bytes.
    pub fn written(&self) -> &[u8] {
        self.buffer.get(..self.at).unwrap_or_default()
    }

    /// Writes one byte.
    ///
    /// # Errors
    /// [`CodecError`] if the buffer is full.
    #[inline]
    pub fn u8(&mut self, byte: u8) -> Result<(), CodecError> {
        let Some(place) = self.buffer.get_mut(self.at) else {
            return Err(CodecError::new(self.at, "room in the buffer", Found::Bytes(self.free())));
        };
        *place = byte;
        self.at = self.at.saturating_add(1);
        Ok(())
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes do not fit. Nothing is written.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), CodecError> {
        let end = self.at.saturating_add(bytes.len());
        match self.buffer.get_mut(self.at..end) {
            Some(target) => {
                target.copy_from_slice(bytes);
                self.at = end;
                Ok(())
            }
            None => Err(CodecError::new(self.at, "room in the buffer", Found::Bytes(self.free()))),
        }
    }

    /// Returns the number of free bytes.
    pub const fn free(&self) -> usize {
        self.buffer.len().saturating_sub(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_all_bytes_or_none() {
        let mut buffer = [0; 3];
        let mut writer = Writer::new(&mut buffer);
        writer.bytes(&[1, 2]).unwrap();
        assert_eq!(writer.bytes(&[3, 4]).unwrap_err().found, Found::Bytes(1));
        writer.u8(5).unwrap();
        assert_eq!(writer.written(), [1, 2, 5]);
        assert!(writer.u8(6).is_err());
    }
}
