use core::fmt;

use gamewire_wire::{CodecError, Found, Reader, Span, Trace, Value, Writer};

use crate::shared::field::Field;
use crate::shared::pack::{Unpacker, pack_int};

/// Takes everything that is left of `from` and tells it as one field; where it stood, too.
#[inline]
pub(crate) fn trace_rest<'a, T: Trace>(name: &str, from: &mut Reader<'a>, trace: &mut T) -> (&'a [u8], Span) {
    let start = from.offset();
    let rest = from.take_rest();
    let span = from.span_since(start);
    trace.field(name, span, Value::Bytes(rest));
    (rest, span)
}

/// All bytes to the end of the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest<'a>(pub &'a [u8]);

impl<'a> Field<'a> for Rest<'a> {
    type Rule = ();
    const RULE: () = ();

    #[inline]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        Ok(Self(trace_rest(name, &mut from.reader, trace).0))
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        to.bytes(self.0)
    }
}

/// Bytes behind their number, which is a packed integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizedData<'a>(pub &'a [u8]);

impl<'a> Field<'a> for SizedData<'a> {
    type Rule = ();
    const RULE: () = ();

    #[inline(always)]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let at = from.reader.offset();
        let size = from.int("a size", trace).map_err(|error| error.in_field(name))?;
        let Ok(count) = usize::try_from(size) else {
            return Err(CodecError::new(at, "a size of 0 or more", Found::Value(size.into())).in_field(name));
        };
        let start = from.reader.offset();
        let bytes =
            from.reader.take(count, "as many bytes as announced").map_err(|error| error.in_field(name))?;
        trace.field(name, from.span_since(start), Value::Bytes(bytes));
        Ok(Self(bytes))
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        let size = i32::try_from(self.0.len())
            .map_err(|_| CodecError::new(to.len(), "data below 2 GiB", Found::Bytes(self.0.len())))?;
        pack_int(size, to)?;
        to.bytes(self.0)
    }
}

/// A SHA-256 sum.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Sha256(pub [u8; 32]);

/// A UUID in network order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
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

/// A token in a control message: 32 bits, most significant byte first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Token(pub u32);

impl Token {
    /// The value that stands for "no token yet" in 0.7, and for "unknown" in DDNet.
    pub const NONE: Self = Self(u32::MAX);
}

/// Fields of a fixed number of bytes.
macro_rules! fixed {
    ($($Type:ident: $count:literal, $expected:literal, |$value:ident| $show:expr, $from:expr, $to:expr;)+) => {$(
        impl<'a> Field<'a> for $Type {
            type Rule = ();
            const RULE: () = ();

            #[inline]
            fn read<T: Trace>(
                from: &mut Unpacker<'a>,
                (): &(),
                name: &'static str,
                trace: &mut T,
            ) -> Result<Self, CodecError> {
                let start = from.reader.offset();
                let bytes = from.reader.array::<$count>($expected).map_err(|error| error.in_field(name))?;
                let $value = Self($from(bytes));
                trace.field(name, from.span_since(start), $show);
                Ok($value)
            }

            #[inline]
            fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
                to.bytes(&$to(self.0))
            }
        }
    )+};
}

fixed! {
    Sha256: 32, "the 32 bytes of a SHA-256 sum", |sum| Value::Bytes(&sum.0), core::convert::identity, core::convert::identity;
    Uuid: 16, "the 16 bytes of a UUID", |uuid| Value::Uuid(uuid.0), core::convert::identity, core::convert::identity;
    Token: 4, "the 4 bytes of a token",
        |token| Value::Hex { value: token.0.into(), digits: 8 }, u32::from_be_bytes, u32::to_be_bytes;
    BigEndian16: 2, "a 16-bit number", |number| Value::Int(number.0.into()), u16::from_be_bytes, u16::to_be_bytes;
    Byte: 1, "a byte", |byte| Value::Int(byte.0.into()), |[byte]: [u8; 1]| byte, |byte: u8| [byte];
}

/// A 16-bit number, most significant byte first (ports and counts of the master servers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BigEndian16(pub u16);

/// A plain byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte(pub u8);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::pack::FifthByte;

    fn from(bytes: &[u8]) -> Unpacker<'_> {
        Unpacker::new(Reader::new(bytes), FifthByte::Teeworlds)
    }

    #[test]
    fn data_longer_than_the_message_are_refused_without_being_reserved() {
        let huge = [0xbf, 0xff, 0xff, 0xff, 0x0f, 1, 2];
        let error = SizedData::read(&mut from(&huge), &(), "data", &mut ()).unwrap_err();
        assert_eq!((error.field, error.found), ("data", Found::Bytes(2)));
        let negative = [0x40, 1];
        let error = SizedData::read(&mut from(&negative), &(), "data", &mut ()).unwrap_err();
        assert_eq!(error.found, Found::Value(-1));
    }
}
