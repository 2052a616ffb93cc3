use crate::delta::DeltaError;
use crate::frame::{CompressionLevel, FrameWriter, WriteError};

/// The packets of one direction of a connection until they are polled.
#[derive(Debug)]
pub(super) struct PacketQueue {
    writer: FrameWriter,
    /// Bytes that are ready to be polled.
    out: Vec<u8>,
    /// Body of the packet that is being written; kept for its memory.
    body: Vec<u8>,
    /// True if packets are compressed together when they are polled.
    batches: bool,
}

/// Why a packet was not queued.
#[derive(Debug)]
pub(super) enum QueueError {
    /// Too many bytes wait. Nothing was written.
    Full { limit: usize },
    /// The packet cannot be encoded. Nothing was written.
    Packet(Box<DeltaError>),
    /// The encoded packet is too long. The encoder's baseline has changed all the same, so the connection is unusable.
    Unsendable(WriteError),
}

impl From<Box<DeltaError>> for QueueError {
    fn from(error: Box<DeltaError>) -> Self {
        Self::Packet(error)
    }
}

/// Converts a [`QueueError`] to a public error, by the names of its variants.
macro_rules! impl_from_queue_error {
    ($error:ident { $full:ident, $packet:ident, $unsendable:ident }) => {
        impl From<$crate::session::packet_queue::QueueError> for $error {
            fn from(error: $crate::session::packet_queue::QueueError) -> Self {
                use $crate::session::packet_queue::QueueError;
                match error {
                    QueueError::Full { limit } => Self::$full { limit },
                    QueueError::Packet(error) => Self::$packet(error),
                    QueueError::Unsendable(error) => Self::$unsendable(error),
                }
            }
        }
    };
}

pub(super) use impl_from_queue_error;

impl PacketQueue {
    pub(super) const fn new(level: CompressionLevel) -> Self {
        Self { writer: FrameWriter::new(level), out: Vec::new(), body: Vec::new(), batches: false }
    }

    /// Switches to two-byte packet types, which follow an accepting join reply. With `batches`, packets are compressed
    /// together when they are polled.
    pub(super) const fn joined(&mut self, batches: bool) {
        self.writer.use_wide_types();
        if batches {
            self.batches = true;
            self.writer.freeze();
        }
    }

    /// Writes the packet that `encode` makes: its body, and the number that it returns. Returns whether it made one.
    pub(super) fn write(
        &mut self,
        limit: usize,
        encode: impl FnOnce(&mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<bool, QueueError> {
        if self.waiting() >= limit {
            return Err(QueueError::Full { limit });
        }
        self.body.clear();
        let Some(number) = encode(&mut self.body)? else { return Ok(false) };
        self.writer.write(number, &self.body, &mut self.out).map_err(QueueError::Unsendable)?;
        Ok(true)
    }

    /// Holds packets back until the matching thaw.
    pub(super) const fn freeze(&mut self) {
        self.writer.freeze();
    }

    /// Ends the last freeze.
    pub(super) fn thaw(&mut self) {
        self.writer.thaw(&mut self.out);
    }

    /// Releases all packets, frozen or not.
    pub(super) fn flush(&mut self) {
        self.writer.flush(&mut self.out);
    }

    /// Returns the bytes that wait to be polled.
    pub(super) fn waiting(&self) -> usize {
        self.out.len().saturating_add(self.writer.waiting())
    }

    /// Moves the released bytes to the end of `buffer`. Returns whether there were any.
    pub(super) fn poll(&mut self, buffer: &mut Vec<u8>) -> bool {
        if self.batches {
            self.flush();
        }
        let is_something = !self.out.is_empty();
        buffer.append(&mut self.out);
        is_something
    }

    /// Returns all packets as bytes, for a connection that closes.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.flush();
        self.out
    }
}
