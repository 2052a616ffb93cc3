//! Frames on the wire (RFC 6455, section 5.2).

/// Maximum bytes of the content of a control frame (RFC 6455, section 5.5).
pub const MAX_CONTROL_BYTES: usize = 125;

/// Bit of the first byte: the last fragment of a message.
pub(crate) const FINAL: u8 = 0x80;
/// Bits of the first byte that only extensions use.
pub(crate) const RESERVED: u8 = 0x70;
/// Bit of the second byte: a mask follows the length.
pub(crate) const MASKED: u8 = 0x80;
/// Value of the length in the second byte if two more bytes have it.
pub(crate) const LENGTH_16: u8 = 126;
/// Value of the length in the second byte if eight more bytes have it.
pub(crate) const LENGTH_64: u8 = 127;

/// The type of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// A further fragment of a message.
    Continuation,
    /// A text message, or its first fragment.
    Text,
    /// A binary message, or its first fragment.
    Binary,
    /// The last frame of its sender.
    Close,
    /// A request for a pong.
    Ping,
    /// The answer to a ping.
    Pong,
}

impl Opcode {
    /// Returns the opcode with this number; `None` if RFC 6455 reserves it.
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return None,
        })
    }

    /// Returns the number in the first byte of a frame.
    pub const fn number(self) -> u8 {
        match self {
            Self::Continuation => 0,
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }

    /// Returns the name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continuation => "continuation",
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Close => "close",
            Self::Ping => "ping",
            Self::Pong => "pong",
        }
    }

    /// Returns whether this is a control frame, which may be between the fragments of a message.
    pub const fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// Appends a whole message or a control frame to `buffer`. A client must pass a mask, a server must not.
pub fn append_frame(opcode: Opcode, content: &[u8], mask: Option<[u8; 4]>, buffer: &mut Vec<u8>) {
    let masked = if mask.is_some() { MASKED } else { 0 };
    buffer.push(FINAL | opcode.number());
    if let Some(short) = u8::try_from(content.len()).ok().filter(|length| *length < LENGTH_16) {
        buffer.push(masked | short);
    } else if let Ok(length) = u16::try_from(content.len()) {
        buffer.push(masked | LENGTH_16);
        buffer.extend_from_slice(&length.to_be_bytes());
    } else {
        buffer.push(masked | LENGTH_64);
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        buffer.extend_from_slice(&length.to_be_bytes());
    }
    let Some(mask) = mask else { return buffer.extend_from_slice(content) };
    buffer.extend_from_slice(&mask);
    let start = buffer.len();
    buffer.extend_from_slice(content);
    apply_mask(buffer.get_mut(start..).unwrap_or_default(), mask, 0);
}

/// Masks or unmasks bytes of a content that begin `offset` bytes after its start.
pub(crate) fn apply_mask(bytes: &mut [u8], mut mask: [u8; 4], offset: usize) {
    mask.rotate_left(offset % 4);
    for four in bytes.chunks_mut(4) {
        for (byte, mask) in four.iter_mut().zip(mask) {
            *byte ^= mask;
        }
    }
}
