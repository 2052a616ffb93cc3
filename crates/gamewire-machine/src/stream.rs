use core::fmt;

/// The number of a byte stream. The driver assigns it, and uses no number twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(u64);

impl StreamId {
    /// Creates the id of the stream with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", self.0)
    }
}

/// An operation on one of a machine's streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamOutput {
    /// Write the bytes that were appended to the buffer.
    Write(StreamId),
    /// Close the stream after writing all earlier bytes. The machine receives no further bytes of the stream, and no
    /// [`Machine::handle_close`](crate::Machine::handle_close). Nothing was appended to the buffer.
    Close(StreamId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_shows_as_its_number() {
        assert_eq!(StreamId::new(7).to_string(), "#7");
        assert_eq!(StreamId::new(7).number(), 7);
        assert!(StreamId::new(7) < StreamId::new(8));
    }
}
