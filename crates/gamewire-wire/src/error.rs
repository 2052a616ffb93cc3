use core::fmt;

/// An error of reading bytes or writing values: its location, the expected data, and the data found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError {
    /// Packet that was read or written; empty until a caller sets it.
    pub packet: &'static str,
    /// Field of the packet; empty until a caller sets it.
    pub field: &'static str,
    /// Byte offset in the source.
    pub offset: usize,
    /// Description of the value that is allowed at `offset`.
    pub expected: &'static str,
    /// Data at `offset`.
    pub found: Found,
}

/// The data found instead of the expected data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// End of the data.
    End,
    /// A number that is not allowed.
    Value(i64),
    /// A number of bytes.
    Bytes(usize),
    /// A number of bits.
    Bits(usize),
}

impl CodecError {
    /// Creates an error at byte `offset`, without packet and field.
    #[cold]
    pub const fn new(offset: usize, expected: &'static str, found: Found) -> Self {
        Self { packet: "", field: "", offset, expected, found }
    }

    /// Sets the field, unless an inner call has set it.
    #[cold]
    #[must_use]
    pub const fn in_field(mut self, field: &'static str) -> Self {
        if self.field.is_empty() {
            self.field = field;
        }
        self
    }

    /// Sets the packet, unless an inner call has set it.
    #[cold]
    #[must_use]
    pub const fn in_packet(mut self, packet: &'static str) -> Self {
        if self.packet.is_empty() {
            self.packet = packet;
        }
        self
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.packet, self.field) {
            ("", "") => {}
            ("", name) | (name, "") => write!(f, "{name}: ")?,
            (packet, field) => write!(f, "{packet}.{field}: ")?,
        }
        write!(f, "expected {} at byte {}, found {}", self.expected, self.offset, self.found)
    }
}

impl core::error::Error for CodecError {}

/// The result of reading or writing a value.
pub type Result<T, E = CodecError> = core::result::Result<T, E>;

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("the end of the data"),
            Self::Value(value) => write!(f, "{value}"),
            Self::Bytes(1) => f.write_str("1 byte"),
            Self::Bytes(count) => write!(f, "{count} bytes"),
            Self::Bits(1) => f.write_str("1 bit"),
            Self::Bits(count) => write!(f, "{count} bits"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_packet_field_offset_expected_and_found() {
        let error = CodecError::new(7, "an integer", Found::End).in_field("team").in_packet("chat");
        assert_eq!(error.to_string(), "chat.team: expected an integer at byte 7, found the end of the data");
        assert_eq!(
            CodecError::new(0, "7 bytes of header", Found::Bytes(1)).to_string(),
            "expected 7 bytes of header at byte 0, found 1 byte"
        );
    }

    #[test]
    fn the_innermost_field_is_kept() {
        let error = CodecError::new(0, "x", Found::Value(3)).in_field("inner").in_field("outer");
        assert_eq!(error.field, "inner");
    }
}
