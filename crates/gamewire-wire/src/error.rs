use core::fmt;

/// Why bytes could not be read, or values could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError {
    /// What was being read or written; empty until somebody up the call names it.
    pub packet: &'static str,
    /// The field in it; empty until somebody up the call names it.
    pub field: &'static str,
    /// Byte offset in the source.
    pub offset: usize,
    /// What should have been there.
    pub expected: &'static str,
    /// What was there.
    pub found: Found,
}

/// What was there instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The data end here.
    End,
    /// A number that is not allowed here.
    Value(i64),
    /// This many bytes.
    Bytes(usize),
    /// This many bits.
    Bits(usize),
}

impl CodecError {
    /// An error at `offset` that nobody has named yet.
    #[cold]
    #[must_use]
    pub const fn new(offset: usize, expected: &'static str, found: Found) -> Self {
        Self { packet: "", field: "", offset, expected, found }
    }

    /// Names the field, unless an inner one is named already.
    #[cold]
    #[must_use]
    pub const fn in_field(mut self, field: &'static str) -> Self {
        if self.field.is_empty() {
            self.field = field;
        }
        self
    }

    /// Names the packet, unless an inner one is named already.
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
    fn says_where_what_and_what_instead() {
        let error = CodecError::new(7, "an integer", Found::End).in_field("team").in_packet("chat");
        assert_eq!(error.to_string(), "chat.team: expected an integer at byte 7, found the end of the data");
        assert_eq!(
            CodecError::new(0, "7 bytes of header", Found::Bytes(1)).to_string(),
            "expected 7 bytes of header at byte 0, found 1 byte"
        );
    }

    #[test]
    fn the_innermost_name_stays() {
        let error = CodecError::new(0, "x", Found::Value(3)).in_field("inner").in_field("outer");
        assert_eq!(error.field, "inner");
    }
}
