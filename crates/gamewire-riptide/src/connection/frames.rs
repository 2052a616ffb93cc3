use gamewire_wire::CodecError;

use super::by_format;
use crate::Format;
use crate::shared::frame::FrameSplitter;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// A splitter of a stream of either format into packets.
#[derive(Debug)]
pub(crate) enum Frames {
    V20(FrameSplitter<V20>),
    V21(FrameSplitter<V21>),
}

impl Frames {
    /// Creates a splitter at the start of a stream of packets of at most `max_size` bytes.
    pub(crate) const fn new(format: Format, max_size: usize) -> Self {
        match format {
            Format::V20 => Self::V20(FrameSplitter::new(max_size)),
            Format::V21 => Self::V21(FrameSplitter::new(max_size)),
        }
    }

    /// Returns the next packet, as [`FrameSplitter::next`] does.
    pub(crate) fn next<'s, 'd: 's>(
        &'s mut self,
        data: &mut &'d [u8],
    ) -> Result<Option<&'s [u8]>, CodecError> {
        match self {
            Self::V20(frames) => frames.next(data),
            Self::V21(frames) => frames.next(data),
        }
    }
}

/// Appends the frame of a packet to `buffer`; nothing if the packet is too long for a frame.
pub(crate) fn write_frame(format: Format, packet: &[u8], buffer: &mut Vec<u8>) {
    by_format!(format, V => {
        let prefix = V::frame_prefix(packet.len());
        if let Some(prefix) = prefix.as_ref().and_then(|prefix| prefix.get(..V::FRAME_PREFIX)) {
            buffer.extend_from_slice(prefix);
            buffer.extend_from_slice(packet);
        }
    });
}
