use crate::delta::DeltaError;
use crate::frame::{CompressionLevel, FrameWriter, WriteError};

/// The send queue of one connection: packets that are not polled yet.
#[derive(Debug)]
pub(super) struct PacketQueue {
    writer: FrameWriter,
    /// Bytes that are ready to be polled.
    out: Vec<u8>,
    /// Body of the packet that is being written. Its allocation is reused.
    body: Vec<u8>,
    /// True if packets are compressed together when they are polled.
    batches: bool,
}

/// The error for a packet that was not queued.
#[derive(Debug)]
pub(super) enum QueueError {
    /// The queue is full. Nothing was written.
    Full { limit: usize },
    /// The packet cannot be encoded. Nothing was written.
    Packet(Box<DeltaError>),
    /// The encoded packet is too long. The encoder's baseline has already changed, so the connection is unusable.
    Unsendable(WriteError),
}

impl From<Box<DeltaError>> for QueueError {
    fn from(error: Box<DeltaError>) -> Self {
        Self::Packet(error)
    }
}

/// Implements `From<QueueError>` for a public error with these variants.
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

    /// Switches to two-byte packet types, which are used after an accepting join reply. With `batches`, packets are
    /// compressed together when they are polled.
    pub(super) const fn joined(&mut self, batches: bool) {
        self.writer.use_wide_types();
        if batches {
            self.batches = true;
            self.writer.freeze();
        }
    }

    /// Queues the packet that `encode` writes. `encode` writes the body and returns the number, or `None` for no
    /// packet. Returns whether a packet was queued.
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

    /// Holds packets until the matching thaw.
    pub(super) const fn freeze(&mut self) {
        self.writer.freeze();
    }

    /// Ends the last freeze.
    pub(super) fn thaw(&mut self) {
        self.writer.thaw(&mut self.out);
    }

    /// Makes all packets ready to be polled, even if frozen.
    pub(super) fn flush(&mut self) {
        self.writer.flush(&mut self.out);
    }

    /// Returns the number of queued bytes.
    pub(super) fn waiting(&self) -> usize {
        self.out.len().saturating_add(self.writer.waiting())
    }

    /// Moves the ready bytes to the end of `buffer`. Returns whether there were any.
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
