//! Fields that are neither plain numbers nor strings: raw bytes, fixed-size values, decimal text, player inputs, and lists.

use core::fmt;

use gamewire_wire::{CodecError, Found, Reader, Result, Shape, Span, Trace, Value, Writer};

pub use super::list::{List, Names, Numbers, Texts};
use crate::shared::field::{ANY, Field, IntFields};
use crate::shared::pack::{FifthByte, Sanitize, Text, Unpacker, pack_int};
use crate::shared::warning;

/// Reads all unread bytes of `from` and reports them as one field. Returns them with their span.
#[inline]
pub(crate) fn trace_rest<'a, T: Trace>(name: &str, from: &mut Reader<'a>, trace: &mut T) -> (&'a [u8], Span) {
    let start = from.offset();
    let rest = from.take_rest();
    let span = from.span_since(start);
    trace.field(name, span, Value::Bytes(rest));
    (rest, span)
}

/// All bytes up to the end of the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rest<'a>(pub &'a [u8]);

impl<'a> Field<'a> for Rest<'a> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        Shape::Rest
    }

    #[inline]
    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), name: &'static str, trace: &mut T) -> Result<Self> {
        Ok(Self(trace_rest(name, &mut from.reader, trace).0))
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.bytes(self.0)
    }
}

/// Bytes after their count, which is a packed integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SizedData<'a>(pub &'a [u8]);

impl<'a> Field<'a> for SizedData<'a> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        Shape::SizedBytes
    }

    #[inline(always)]
    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), name: &'static str, trace: &mut T) -> Result<Self> {
        let at = from.reader.offset();
        let size = from.int("a size", trace).map_err(|error| error.in_field(name))?;
        let Ok(count) = usize::try_from(size) else {
            return Err(CodecError::new(at, "a size of 0 or more", Found::Value(size.into())).in_field(name));
        };
        let start = from.reader.offset();
        let bytes = from
            .reader
            .take(count, "as many bytes as the size says")
            .map_err(|error| error.in_field(name))?;
        trace.field(name, from.span_since(start), Value::Bytes(bytes));
        Ok(Self(bytes))
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        let size = i32::try_from(self.0.len())
            .map_err(|_| CodecError::new(to.len(), "data below 2 GiB", Found::Bytes(self.0.len())))?;
        pack_int(size, to)?;
        to.bytes(self.0)
    }
}

/// A SHA-256 hash.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sha256(pub [u8; 32]);

/// A UUID in network order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Uuid(pub [u8; 16]);

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// A big-endian 32-bit token of a control message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Token(pub u32);

impl Token {
    /// The value for "no token yet" in 0.7 and "unknown" in DDNet.
    pub const NONE: Self = Self(u32::MAX);
}

/// Implements `Field` for types with a fixed number of bytes.
macro_rules! fixed {
    ($($Type:ident: $count:literal, $expected:literal, $shape:expr, |$value:ident| $show:expr, $from:expr, $to:expr;)+) => {$(
        impl<'a> Field<'a> for $Type {
            type Rule = ();
            const RULE: () = ();

            fn shape((): &()) -> Shape {
                $shape
            }

            #[inline]
            fn read<T: Trace>(
                from: &mut Unpacker<'a>,
                (): &(),
                name: &'static str,
                trace: &mut T,
            ) -> Result<Self> {
                let start = from.reader.offset();
                let bytes = from.reader.array::<$count>($expected).map_err(|error| error.in_field(name))?;
                let $value = Self($from(bytes));
                trace.field(name, from.span_since(start), $show);
                Ok($value)
            }

            #[inline]
            fn write(&self, to: &mut Writer<'_>) -> Result<()> {
                to.bytes(&$to(self.0))
            }
        }
    )+};
}

fixed! {
    Sha256: 32, "the 32 bytes of a SHA-256 hash", Shape::Bytes(32), |hash| Value::Bytes(&hash.0), core::convert::identity, core::convert::identity;
    Uuid: 16, "the 16 bytes of a UUID", Shape::Uuid, |uuid| Value::Uuid(uuid.0), core::convert::identity, core::convert::identity;
    Token: 4, "the 4 bytes of a token", Shape::Token,
        |token| Value::Hex { value: token.0.into(), digits: 8 }, u32::from_be_bytes, u32::to_be_bytes;
    BigEndian16: 2, "a 16-bit number", Shape::Unsigned(2), |number| Value::Int(number.0.into()), u16::from_be_bytes, u16::to_be_bytes;
    Byte: 1, "a byte", Shape::Unsigned(1), |byte| Value::Int(byte.0.into()), |[byte]: [u8; 1]| byte, |byte: u8| [byte];
}

/// A big-endian 16-bit number (ports and counts of the master servers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BigEndian16(pub u16);

/// A byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Byte(pub u8);

/// A number in decimal text, as 0.6 sends all numbers of its server info.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Decimal<'a>(pub Text<'a>);

impl Decimal<'_> {
    /// Returns the number that a game reads: the leading digits with a sign, saturated, or 0 without
    /// digits.
    pub fn value(&self) -> i32 {
        let bytes = self.0.as_bytes();
        let (digits, sign) = match bytes.split_first() {
            Some((b'-', digits)) => (digits, -1_i64),
            _ => (bytes, 1),
        };
        let number =
            digits.iter().map_while(|byte| (*byte as char).to_digit(10)).fold(0_i64, |number, digit| {
                number.saturating_mul(10).saturating_add(digit.into()).min(i64::from(u32::MAX))
            });
        i32::try_from(number.saturating_mul(sign)).unwrap_or(if sign < 0 { i32::MIN } else { i32::MAX })
    }
}

impl<'a> Field<'a> for Decimal<'a> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        Shape::DecimalText
    }

    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), name: &'static str, trace: &mut T) -> Result<Self> {
        let start = from.reader.offset();
        let text = Text::read(from, &Sanitize::Strict, name, &mut ())?;
        let number = Self(text);
        let span = from.span_since(start);
        trace.field(name, span, Value::Int(number.value().into()));
        if text.as_bytes().is_empty() || !is_whole(text.as_bytes()) {
            trace.warning(span, &warning::NOT_A_NUMBER);
        }
        Ok(number)
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.0.write(to)
    }
}

fn is_whole(text: &[u8]) -> bool {
    text.strip_prefix(b"-").unwrap_or(text).iter().all(u8::is_ascii_digit)
}

/// The input of a player after its size in bytes, as in INPUT.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SizedInput<'a, I> {
    /// The part of the input that this version knows.
    pub input: I,
    /// Packed integers that a later version appends; empty so far.
    pub extra: &'a [u8],
}

/// Maximum integers of an input in any game.
const MAX_INPUT_INTS: usize = 128;

impl<'a, I: IntFields<Rule = ()>> Field<'a> for SizedInput<'a, I> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        I::shape(&()).parts().map_or(Shape::Rest, Shape::SizedInput)
    }

    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), name: &'static str, trace: &mut T) -> Result<Self> {
        let at = from.reader.offset();
        let size = i32::read_ints(from, &ANY, "input_size", trace)?;
        let count = usize::try_from(size).map_or(0, |size| size / 4);
        if !(I::COUNT..=MAX_INPUT_INTS).contains(&count) {
            return Err(
                CodecError::new(at, "the size of an input", Found::Value(size.into())).in_field("input_size")
            );
        }
        let input = I::read_ints(from, &(), name, trace)?;
        let (start, bytes) = (from.reader.offset(), from.reader.remaining());
        for _ in I::COUNT..count {
            i32::read_ints(from, &ANY, "further", trace)?;
        }
        let taken = from.reader.offset().saturating_sub(start);
        Ok(Self { input, extra: bytes.get(..taken).unwrap_or_default() })
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        let mut further = Unpacker::new(Reader::new(self.extra), FifthByte::default());
        let mut count = I::COUNT;
        while further.int("an integer", &mut ()).is_ok() {
            count = count.saturating_add(1);
        }
        let size = i32::try_from(count.saturating_mul(4)).unwrap_or(i32::MAX);
        pack_int(size, to)?;
        self.input.write(to)?;
        to.bytes(self.extra)
    }
}

#[cfg(test)]
mod tests {
    use crate::shared::objects::Common;
    use crate::shared::pack::FifthByte;

    use super::*;

    fn from(bytes: &[u8]) -> Unpacker<'_> {
        Unpacker::new(Reader::new(bytes), FifthByte::Teeworlds)
    }

    #[test]
    fn data_longer_than_the_message_is_rejected_without_an_allocation() {
        let huge = [0xbf, 0xff, 0xff, 0xff, 0x0f, 1, 2];
        let error = SizedData::read(&mut from(&huge), &(), "data", &mut ()).unwrap_err();
        assert_eq!((error.field, error.found), ("data", Found::Bytes(2)));
        let negative = [0x40, 1];
        let error = SizedData::read(&mut from(&negative), &(), "data", &mut ()).unwrap_err();
        assert_eq!(error.found, Found::Value(-1));
    }

    #[test]
    fn decimal_text_is_read_as_in_the_games() {
        for (text, value) in [
            ("0", 0),
            ("-1", -1),
            ("12ab", 12),
            ("", 0),
            ("x", 0),
            ("99999999999999999999", i32::MAX),
            ("-99999999999", i32::MIN),
        ] {
            assert_eq!(Decimal(Text::new(text)).value(), value, "{text}");
        }
    }

    type Input<'a> = SizedInput<'a, Common>;

    fn read(bytes: &[u8]) -> Result<Input<'_>> {
        Input::read(&mut Unpacker::new(Reader::new(bytes), FifthByte::Teeworlds), &(), "input", &mut ())
    }

    #[test]
    fn extra_integers_of_a_later_version_round_trip() {
        let bytes = [12, 1, 2, 3];
        let input = read(&bytes).unwrap();
        assert_eq!((input.input, input.extra), (Common { x: 1, y: 2 }, [3].as_slice()));
        let mut buffer = [0; 8];
        let mut to = Writer::new(&mut buffer);
        input.write(&mut to).unwrap();
        assert_eq!(to.written(), bytes);
    }

    #[test]
    fn an_invalid_size_is_rejected() {
        for size in [0, 7, 0x40] {
            assert_eq!(read(&[size, 1, 2]).unwrap_err().field, "input_size");
        }
        let huge = read(&[0xbf, 0xff, 0xff, 0xff, 0x0f, 1]).unwrap_err();
        assert_eq!(huge.found, Found::Value(i64::from(i32::MAX)));
    }
}
