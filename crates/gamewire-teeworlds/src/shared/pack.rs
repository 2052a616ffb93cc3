//! Integers, strings and raw data inside messages (docs/protocols/teeworlds.md, "Packing").

use core::fmt;

use gamewire_wire::{CodecError, Found, Reader, Result, Shape, Span, Trace, Value, Writer};

use crate::shared::field::Field;
use crate::shared::warning;

/// The bits that a game reads from the fifth byte of an integer. The games differ in the bits above the 32nd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FifthByte {
    /// Teeworlds 0.6 and 0.7 read seven bits. The fifth is the sign bit.
    #[default]
    Teeworlds = 0x7f,
    /// DDNet reads the four bits that fit.
    DdNet = 0x0f,
}

impl FifthByte {
    /// Returns the mask of the bits to read.
    const fn mask(self) -> u8 {
        self as u8
    }
}

/// A reader of the fields of a message.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    /// The bytes of the message.
    pub reader: Reader<'a>,
    fifth_byte: FifthByte,
}

impl<'a> Unpacker<'a> {
    /// Creates an unpacker of the unread bytes of `reader`.
    #[inline]
    pub const fn new(reader: Reader<'a>, fifth_byte: FifthByte) -> Self {
        Self { reader, fifth_byte }
    }

    /// Reads a packed integer of one to five bytes.
    ///
    /// Byte 0 is `extend sign data*6`, and the others are `extend data*7`, low groups first. A negative number is
    /// stored inverted. Overlong forms and bits above the 32nd are read as the game reads them, and cause warnings.
    ///
    /// # Errors
    /// [`CodecError`] if the data end within the integer.
    #[inline(always)]
    pub fn int<T: Trace>(&mut self, expected: &'static str, trace: &mut T) -> Result<i32> {
        let start = self.reader;
        let fifth_byte = self.fifth_byte;
        let Some(value) = self.reader.parse(|bytes| unpack(bytes, fifth_byte)) else {
            self.reader.take_rest();
            return Err(CodecError::new(self.reader.offset(), expected, Found::End));
        };
        if trace.wants_details() {
            self.trace_warnings(start.offset(), trace);
        }
        Ok(value)
    }

    /// Reports the warnings of the integer from `start` to the cursor.
    fn trace_warnings<T: Trace>(&self, start: usize, trace: &mut T) {
        let bytes = self.reader.source().get(start..self.reader.offset()).unwrap_or_default();
        match bytes {
            [_, .., 0] => trace.warning(self.span_since(start), &warning::OVERLONG_INT),
            [_, _, _, _, last] if last & 0xf0 != 0 => {
                trace.warning(self.span_since(start), &warning::PADDED_INT);
            }
            _ => {}
        }
    }

    /// Returns how the fifth byte of integers is read.
    pub const fn fifth_byte(&self) -> FifthByte {
        self.fifth_byte
    }

    /// Returns the span of the bytes from `start` up to the cursor.
    #[inline]
    pub fn span_since(&self, start: usize) -> Span {
        self.reader.span_since(start)
    }
}

/// Returns the integer at the start of `bytes` and the bytes after it, or `None` if the data end within the integer.
#[inline(always)]
fn unpack(bytes: &[u8], fifth_byte: FifthByte) -> Option<(i32, &[u8])> {
    // Combines a byte with its extend bit and the groups above it.
    let below = |byte: u8, above: i32| above.wrapping_shl(7).wrapping_add(byte.into()).wrapping_sub(0x80);
    let (first, above, rest) = match *bytes {
        // Most fields are one byte and not negative.
        [byte @ 0..=0x3f, ref rest @ ..] => return Some((byte.into(), rest)),
        [byte @ 0..=0x7f, ref rest @ ..] => return Some((!i32::from(byte & 0x3f), rest)),
        [a, b @ 0..=0x7f, ref rest @ ..] => (a, b.into(), rest),
        [a, b, c @ 0..=0x7f, ref rest @ ..] => (a, below(b, c.into()), rest),
        [a, b, c, d @ 0..=0x7f, ref rest @ ..] => (a, below(b, below(c, d.into())), rest),
        [a, b, c, d, e, ref rest @ ..] => {
            let last = i32::from(e & fifth_byte.mask());
            (a, below(b, below(c, below(d, last))), rest)
        }
        _ => return None,
    };
    let sign = i32::from(first) << 25 >> 31;
    Some(((above << 6 | i32::from(first & 0x3f)) ^ sign, rest))
}

/// Writes `value` in its shortest form.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "masked to 6 or 7 bits")]
pub fn pack_int(value: i32, to: &mut Writer<'_>) -> Result<()> {
    let sign = if value < 0 { 0x40 } else { 0 };
    let mut rest = (if value < 0 { !value } else { value }) as u32;
    let mut byte = sign | (rest & 0x3f) as u8;
    rest >>= 6;
    while rest != 0 {
        to.u8(byte | 0x80)?;
        byte = (rest & 0x7f) as u8;
        rest >>= 7;
    }
    to.u8(byte)
}

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
mod tests;
