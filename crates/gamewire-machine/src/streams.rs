use core::fmt;
use std::net::SocketAddr;

use crate::{Instant, Machine};

/// A stream of bytes that a driver has given a number; numbers are never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(u64);

impl StreamId {
    /// The stream that has this number.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
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

/// What a machine wants done with one of its streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamOutput {
    /// The bytes that were appended to the buffer are to be written to this stream.
    Write(StreamId),
    /// This stream is to be closed after what was written before. Nothing of it is handed in any
    /// more, [`Streams::handle_end`] included. Nothing was appended to the buffer.
    Close(StreamId),
}

/// A machine that speaks over streams of bytes, any number of them, which peers open.
///
/// A stream starts with [`handle_open`](Self::handle_open) and is over after
/// [`handle_end`](Self::handle_end) or [`StreamOutput::Close`], whichever is first. A machine that
/// is told of a stream that it does not know ignores it; so does a driver.
pub trait Streams: Machine {
    /// A peer at `from` opened a stream. A machine that does not want it closes it.
    fn handle_open(&mut self, now: Instant, stream: StreamId, from: SocketAddr);

    /// Bytes arrived, cut anywhere; never none.
    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]);

    /// The stream is gone, in both directions: its peer ended or reset it, or the driver gave it
    /// up because the peer read too slowly.
    fn handle_close(&mut self, now: Instant, stream: StreamId);

    /// The next thing to do with a stream. Bytes to write are appended to `buffer`.
    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput>;
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
