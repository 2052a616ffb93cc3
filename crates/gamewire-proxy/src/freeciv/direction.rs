use gamewire_freeciv::delta::{self, DeltaLimits, EncodeOptions};
use gamewire_freeciv::frame::{CompressionLevel, FrameLimits, FrameSplitter, FrameWriter};
use gamewire_freeciv::session::codec::{Decoder, Definition, Encoder, PacketBuf};

/// The connection cannot continue: its bytes are not packets, or a packet cannot be decoded or encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken;

/// One direction: reads packets from one connection and writes them to the other.
#[derive(Debug)]
pub(super) struct Direction {
    pub(super) splitter: FrameSplitter,
    pub(super) decoder: Decoder,
    pub(super) encoder: Encoder,
    pub(super) writer: FrameWriter,
    /// Body of the packet that is being written.
    body: Vec<u8>,
    out: Vec<u8>,
}

impl Direction {
    pub(super) fn new(
        definition: &Definition,
        direction: delta::Direction,
        compression: CompressionLevel,
    ) -> Self {
        let mut writer = FrameWriter::new(compression);
        // Packets that were read together are sent together and compressed.
        if direction == delta::Direction::ToClient {
            writer.freeze();
        }
        Self {
            splitter: FrameSplitter::new(FrameLimits { depth: 1, ..FrameLimits::DEFAULT }),
            decoder: Decoder::new(definition, direction, DeltaLimits::DEFAULT),
            encoder: Encoder::new(definition, direction, DeltaLimits::DEFAULT),
            writer,
            body: Vec::new(),
            out: Vec::new(),
        }
    }

    /// Writes a packet as a delta to the packets already sent on this connection. Returns false if nothing was
    /// written, because the packet equals the previous one.
    pub(super) fn write(&mut self, packet: &PacketBuf) -> Result<bool, Broken> {
        self.body.clear();
        let encoded = self.encoder.encode_buf(packet, EncodeOptions::default(), &mut self.body);
        if !encoded.map_err(|_| Broken)? {
            return Ok(false);
        }
        self.writer.write(packet.number(), &self.body, &mut self.out).map_err(|_| Broken)?;
        Ok(true)
    }

    /// Writes a packet without fields.
    pub(super) fn write_empty(&mut self, name: &str) -> Result<(), Broken> {
        self.body.clear();
        let number = self.encoder.definition().number(name).ok_or(Broken)?;
        let encoded = self.encoder.encode_fields(number, &[], EncodeOptions::default(), &mut self.body);
        encoded.map_err(|_| Broken)?;
        self.writer.write(number, &self.body, &mut self.out).map_err(|_| Broken)
    }

    /// Replaces the content of `buffer` with the bytes to send. Returns whether there are any.
    pub(super) fn poll(&mut self, buffer: &mut Vec<u8>) -> bool {
        self.writer.flush(&mut self.out);
        buffer.clear();
        buffer.append(&mut self.out);
        !buffer.is_empty()
    }
}
