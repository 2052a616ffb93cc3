use crate::frame::{CompressionLevel, FrameWriter, WriteError};

/// Packets on their way to being polled.
#[derive(Debug)]
pub(super) struct PacketQueue {
    pub(super) writer: FrameWriter,
    /// What is to be sent.
    out: Vec<u8>,
    /// The body of the packet at hand.
    pub(super) body: Vec<u8>,
    /// Whether packets wait for each other to be compressed until they are polled.
    batches: bool,
}

impl PacketQueue {
    pub(super) const fn new(level: CompressionLevel) -> Self {
        Self { writer: FrameWriter::new(level), out: Vec::new(), body: Vec::new(), batches: false }
    }

    /// A client was let in: types are long now, and packets may be gathered.
    pub(super) const fn joined(&mut self, gathers: bool) {
        self.writer.widen();
        if gathers {
            self.batches = true;
            self.writer.freeze();
        }
    }

    /// Sends the body at hand as a packet.
    pub(super) fn write(&mut self, number: u16) -> Result<(), WriteError> {
        self.writer.write(number, &self.body, &mut self.out)
    }

    /// Lets packets wait until the matching thaw.
    pub(super) const fn freeze(&mut self) {
        self.writer.freeze();
    }

    /// Ends the last freeze.
    pub(super) fn thaw(&mut self) {
        self.writer.thaw(&mut self.out);
    }

    /// Lets all that waits go.
    pub(super) fn flush(&mut self) {
        self.writer.flush(&mut self.out);
    }

    /// How many bytes wait to be polled.
    pub(super) fn waiting(&self) -> usize {
        self.out.len().saturating_add(self.writer.waiting())
    }

    /// Moves what is to be sent to the end of `buffer`; whether there was anything.
    pub(super) fn poll(&mut self, buffer: &mut Vec<u8>) -> bool {
        if self.batches {
            self.flush();
        }
        let is_something = !self.out.is_empty();
        buffer.append(&mut self.out);
        is_something
    }
}
