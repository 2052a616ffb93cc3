use super::error::{TeehistorianError, TeehistorianErrorKind};

/// Reads the fields of records.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    file: &'a [u8],
    /// Offset of the next byte, at most the length of the file.
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(file: &'a [u8]) -> Self {
        Self { file, at: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.at >= self.file.len()
    }

    pub(super) const fn error(&self, kind: TeehistorianErrorKind) -> TeehistorianError {
        TeehistorianError { at: self.at, kind }
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], TeehistorianError> {
        let end = self.at.saturating_add(count);
        let bytes =
            self.file.get(self.at..end).ok_or_else(|| self.error(TeehistorianErrorKind::Truncated))?;
        self.at = end;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, TeehistorianError> {
        let bytes = self.bytes(1)?;
        bytes.first().copied().ok_or_else(|| self.error(TeehistorianErrorKind::Truncated))
    }

    /// Reads an integer in the form of the network: six bits and a sign, then seven bits a byte.
    pub(super) fn int(&mut self) -> Result<i32, TeehistorianError> {
        let start = self.at;
        let first = self.byte()?;
        let mut value = u32::from(first & 0x3f);
        let mut byte = first;
        for shift in [6, 13, 20, 27, 34] {
            if byte & 0x80 == 0 {
                break;
            }
            if shift > 27 {
                return Err(TeehistorianError { at: start, kind: TeehistorianErrorKind::Integer });
            }
            byte = self.byte()?;
            value |= u32::from(byte & 0x7f).wrapping_shl(shift);
        }
        let value = value.cast_signed();
        Ok(if first & 0x40 == 0 { value } else { !value })
    }

    /// Reads bytes with their number before them.
    pub(super) fn sized(&mut self) -> Result<&'a [u8], TeehistorianError> {
        let count = self.count()?;
        self.bytes(count)
    }

    /// Reads a number that is not negative.
    pub(super) fn count(&mut self) -> Result<usize, TeehistorianError> {
        let start = self.at;
        let count = self.int()?;
        usize::try_from(count)
            .map_err(|_| TeehistorianError { at: start, kind: TeehistorianErrorKind::Size(count) })
    }

    /// Reads a string, and removes its zero byte.
    pub(super) fn string(&mut self) -> Result<&'a [u8], TeehistorianError> {
        let rest = self.file.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == 0);
        let length = length.ok_or_else(|| self.error(TeehistorianErrorKind::Truncated))?;
        let string = self.bytes(length)?;
        self.bytes(1)?;
        Ok(string)
    }

    /// Reads a number of strings with their zero bytes.
    pub(super) fn strings(&mut self, count: usize) -> Result<&'a [u8], TeehistorianError> {
        let start = self.at;
        for _ in 0..count {
            self.string()?;
        }
        Ok(self.file.get(start..self.at).unwrap_or_default())
    }

    /// Reads the integers of an input.
    pub(super) fn input(&mut self) -> Result<[i32; 10], TeehistorianError> {
        let mut input = [0; 10];
        for field in &mut input {
            *field = self.int()?;
        }
        Ok(input)
    }
}
