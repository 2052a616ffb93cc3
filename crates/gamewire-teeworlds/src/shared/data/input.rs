use gamewire_wire::{CodecError, Found, Reader, Trace, Value, Writer};

use crate::shared::definition::Definition;
use crate::shared::field::{Field, IntFields, IntSource};
use crate::shared::pack::{FifthByte, Unpacker, pack_int};

/// The input of a player behind its size in bytes, as INPUT carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SizedInput<'a, I> {
    /// The input that this version knows.
    pub input: I,
    /// Packed integers that a later version adds behind it; empty so far.
    pub extra: &'a [u8],
}

/// No game reads more input integers than this.
const MAX_INPUT_INTS: usize = 128;

impl<'a, I: IntFields<Rule = ()>> Field<'a> for SizedInput<'a, I> {
    type Rule = ();
    const RULE: () = ();
    const PARTS: Option<&'static Definition> = I::PARTS;

    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let at = from.reader.offset();
        let (size, span) = from.next_int(trace).map_err(|error| error.in_field("input_size"))?;
        trace.field("input_size", span, Value::Int(size.into()));
        let count = usize::try_from(size).map_or(0, |size| size / 4);
        if !(I::COUNT..=MAX_INPUT_INTS).contains(&count) {
            return Err(
                CodecError::new(at, "the size of an input", Found::Value(size.into())).in_field("input_size")
            );
        }
        let input = I::read_ints(from, &(), name, trace)?;
        let (start, bytes) = (from.reader.offset(), from.reader.remaining());
        for _ in I::COUNT..count {
            let (value, span) = from.next_int(trace).map_err(|error| error.in_field("further"))?;
            trace.field("further", span, Value::Int(value.into()));
        }
        let taken = from.reader.offset().saturating_sub(start);
        Ok(Self { input, extra: bytes.get(..taken).unwrap_or_default() })
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
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
    use super::*;

    use crate::v07::object::Common;

    type Input<'a> = SizedInput<'a, Common>;

    fn read(bytes: &[u8]) -> Result<Input<'_>, CodecError> {
        Input::read(&mut Unpacker::new(Reader::new(bytes), FifthByte::Teeworlds), &(), "input", &mut ())
    }

    #[test]
    fn what_a_later_version_adds_is_kept_and_written_again() {
        let bytes = [12, 1, 2, 3];
        let input = read(&bytes).unwrap();
        assert_eq!((input.input, input.extra), (Common { x: 1, y: 2 }, [3].as_slice()));
        let mut buffer = [0; 8];
        let mut to = Writer::new(&mut buffer);
        input.write(&mut to).unwrap();
        assert_eq!(to.written(), bytes);
    }

    #[test]
    fn a_size_that_cannot_be_is_refused() {
        for size in [0, 7, 0x40] {
            assert_eq!(read(&[size, 1, 2]).unwrap_err().field, "input_size");
        }
        let huge = read(&[0xbf, 0xff, 0xff, 0xff, 0x0f, 1]).unwrap_err();
        assert_eq!(huge.found, Found::Value(i64::from(i32::MAX)));
    }
}
