use core::fmt;

use gamewire_wire::{CodecError, Found, Result, Shape, Trace, Value, Writer};

use super::Unpacker;
use crate::shared::field::Field;
use crate::shared::warning;

/// The way in which a game sanitizes a received string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sanitize {
    /// Control characters except line breaks and tabs become spaces.
    Lines,
    /// All control characters become spaces.
    Controls,
    /// All control characters become spaces, and leading white space is dropped.
    #[default]
    Strict,
}

/// A string as on the wire, without the zero byte at its end.
///
/// The bytes are stored unchanged, so that they can be forwarded. [`Text::chars`] and `Display`
/// show them as the receiving game does.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Text<'a> {
    bytes: &'a [u8],
    sanitize: Sanitize,
}

impl<'a> Text<'a> {
    /// Creates a string to send. A string with a zero byte cannot be encoded.
    pub const fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), sanitize: Sanitize::Strict }
    }

    /// Creates a received string. The game sanitizes it as `sanitize` describes.
    pub const fn received(bytes: &'a [u8], sanitize: Sanitize) -> Self {
        Self { bytes, sanitize }
    }

    /// Returns the bytes on the wire.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns how the receiving game sanitizes the string.
    pub const fn sanitize(&self) -> Sanitize {
        self.sanitize
    }

    /// Returns the characters that the game shows. Invalid UTF-8 becomes U+FFFD, as in DDNet.
    /// Escape them for terminals and pages.
    pub fn chars(&self) -> impl Iterator<Item = char> + use<'a> {
        let sanitize = self.sanitize;
        self.bytes
            .utf8_chunks()
            .flat_map(|chunk| {
                chunk
                    .valid()
                    .chars()
                    .chain((!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER))
            })
            .map(move |c| match c {
                '\r' | '\n' | '\t' if sanitize == Sanitize::Lines => c,
                '\0'..' ' => ' ',
                c => c,
            })
            .skip_while(move |c| sanitize == Sanitize::Strict && c.is_whitespace())
    }
}

/// Returns the longest start of `bytes` with at most `max` bytes that does not cut a character.
pub(crate) fn cut(bytes: &[u8], max: usize) -> &[u8] {
    let mut end = max;
    // A byte 10xxxxxx continues a character.
    while end > 0 && bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
        end = end.saturating_sub(1);
    }
    bytes.get(..end).unwrap_or(bytes)
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Text<'_> {}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.bytes == other.as_bytes()
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        self.chars().try_for_each(|c| f.write_char(c))
    }
}

/// Reads up to the zero byte and skips it. A missing string at the end of the data is a warning: Teeworlds reads it as
/// an empty string, and DDNet rejects it.
impl<'a> Field<'a> for Text<'a> {
    type Rule = Sanitize;
    const RULE: Sanitize = Sanitize::Strict;

    fn shape(_: &Sanitize) -> Shape {
        Shape::Text
    }

    #[inline]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Sanitize,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        let start = from.reader.offset();
        let rest = from.reader.remaining();
        let bytes = match rest.iter().position(|&byte| byte == 0) {
            Some(end) => {
                from.reader.advance(end.saturating_add(1));
                rest.get(..end).unwrap_or_default()
            }
            None if rest.is_empty() => {
                trace.warning(from.span_since(start), &warning::MISSING_STRING);
                rest
            }
            None => {
                return Err(CodecError::new(
                    start,
                    "a zero byte at the end of the string",
                    Found::Bytes(rest.len()),
                )
                .in_field(name));
            }
        };
        trace.field(name, from.span_since(start), Value::Text(bytes));
        Ok(Self { bytes, sanitize: *rule })
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        if self.bytes.contains(&0) {
            return Err(CodecError::new(
                to.len(),
                "a string without a zero byte",
                Found::Bytes(self.bytes.len()),
            ));
        }
        to.bytes(self.bytes)?;
        to.u8(0)
    }
}

#[cfg(test)]
mod tests {
    use gamewire_machine::Record;
    use gamewire_wire::Reader;

    use super::super::FifthByte;
    use super::*;

    fn show(bytes: &[u8], sanitize: Sanitize) -> String {
        Text::received(bytes, sanitize).to_string()
    }

    #[test]
    fn each_sanitizer_works_as_in_the_game() {
        let bytes = b"\t a\x01b\r\nc\x7f";
        assert_eq!(show(bytes, Sanitize::Lines), "\t a b\r\nc\x7f");
        assert_eq!(show(bytes, Sanitize::Controls), "  a b  c\x7f");
        assert_eq!(show(bytes, Sanitize::Strict), "a b  c\x7f");
        assert_eq!(show("\u{3000}\u{a0}x".as_bytes(), Sanitize::Strict), "x");
    }

    #[test]
    fn t12_invalid_utf8_is_kept_and_shown_as_a_replacement() {
        let text = Text::received(b"a\xff\xfeb\xc3", Sanitize::Strict);
        assert_eq!(text.as_bytes(), b"a\xff\xfeb\xc3");
        assert_eq!(text.to_string(), "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    #[test]
    fn t12_a_string_without_its_zero_byte_is_rejected() {
        let mut from = Unpacker::new(Reader::new(b"no end"), FifthByte::Teeworlds);
        let error = Text::read(&mut from, &Sanitize::Strict, "text", &mut ()).unwrap_err();
        assert_eq!((error.field, error.found), ("text", Found::Bytes(6)));
    }

    #[test]
    fn a_string_missing_at_the_end_reads_as_empty_with_a_warning() {
        let mut record = Record::new();
        let mut from = Unpacker::new(Reader::new(b""), FifthByte::Teeworlds);
        let text = Text::read(&mut from, &Sanitize::Strict, "text", &mut record).unwrap();
        assert_eq!((text.as_bytes(), record.warnings()), (b"".as_slice(), 1));
    }

    #[test]
    fn a_zero_byte_inside_cannot_be_sent() {
        let mut buffer = [0; 16];
        assert!(Text::new("a\0b").write(&mut Writer::new(&mut buffer)).is_err());
    }
}
