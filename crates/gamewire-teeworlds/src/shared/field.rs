//! What a field of a message or object can be: read, written and told in one place.

use core::ops::RangeInclusive;

use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value, Writer};

use crate::shared::definition::Definition;
use crate::shared::pack::{Unpacker, pack_int};
use crate::shared::warning;

/// A field of a message.
pub trait Field<'a>: Sized {
    /// What a definition may say beside the type: a range, a sanitizer.
    type Rule: 'static;
    /// The rule of a definition that says nothing.
    const RULE: Self::Rule;
    /// The fields that stand in place of this one, if it is made of several.
    const PARTS: Option<&'static Definition> = None;

    /// Reads the field and tells it.
    ///
    /// # Errors
    /// When the bytes cannot be such a field.
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError>;

    /// Writes the field.
    ///
    /// # Errors
    /// When the buffer is full or the value has no form on the wire.
    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError>;
}

/// A field that is made of integers only, so that it can stand in snapshot objects too.
pub trait IntFields: Sized {
    /// What a definition may say beside the type.
    type Rule: 'static;
    /// The rule of a definition that says nothing.
    const RULE: Self::Rule;
    /// How many integers it takes.
    const COUNT: usize;
    /// The fields that stand in place of this one, if it is made of several.
    const PARTS: Option<&'static Definition> = None;

    /// Reads the integers and tells what they are.
    ///
    /// # Errors
    /// When there are too few, or when they cannot be such a field.
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError>;

    /// Gives the integers to `to`, in order.
    ///
    /// # Errors
    /// Those of `to`.
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<(), CodecError>;
}

/// Where integers come from: packed in a message, or plain in a snapshot object.
pub trait IntSource {
    /// The next one, and where it stands.
    ///
    /// # Errors
    /// When there are no more.
    fn next_int<T: Trace>(&mut self, trace: &mut T) -> Result<(i32, Span), CodecError>;

    /// The empty span in front of the next one.
    fn here(&self) -> Span;

    /// Whether the next one is not there and will be made up.
    #[inline]
    fn is_padding(&self) -> bool {
        false
    }
}

/// Where integers go.
pub trait IntSink {
    /// Takes one.
    ///
    /// # Errors
    /// When there is no more room.
    fn put_int(&mut self, value: i32) -> Result<(), CodecError>;
}

impl IntSource for Unpacker<'_> {
    #[inline(always)]
    fn next_int<T: Trace>(&mut self, trace: &mut T) -> Result<(i32, Span), CodecError> {
        let start = self.reader.offset();
        let value = self.int("an integer", trace)?;
        Ok((value, self.span_since(start)))
    }

    #[inline]
    fn here(&self) -> Span {
        self.span_since(self.reader.offset())
    }
}

impl IntSink for Writer<'_> {
    #[inline]
    fn put_int(&mut self, value: i32) -> Result<(), CodecError> {
        pack_int(value, self)
    }
}

impl<'a, F: IntFields> Field<'a> for F {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;
    const PARTS: Option<&'static Definition> = F::PARTS;

    #[inline]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        F::read_ints(from, rule, name, trace)
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        self.write_ints(to)
    }
}

/// The range of an integer field that may be anything.
pub const ANY: RangeInclusive<i32> = i32::MIN..=i32::MAX;

/// Reads one integer, tells it as what `value` makes of it, and says so when it is out of range.
#[inline(always)]
pub(crate) fn read_number<S: IntSource, T: Trace>(
    from: &mut S,
    range: &RangeInclusive<i32>,
    name: &'static str,
    trace: &mut T,
    value: impl FnOnce(i32) -> Value<'static>,
) -> Result<i32, CodecError> {
    let padding = from.is_padding();
    let (number, span) = from.next_int(trace).map_err(|error| error.in_field(name))?;
    if padding {
        return Ok(number);
    }
    trace.field(name, span, value(number));
    if !range.contains(&number) {
        trace.warning(span, &warning::OUT_OF_RANGE);
    }
    Ok(number)
}

/// Any integer; outside of the range that the definition names it is odd, but kept.
impl IntFields for i32 {
    type Rule = RangeInclusive<Self>;
    const RULE: Self::Rule = ANY;
    const COUNT: usize = 1;

    #[inline]
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        read_number(from, rule, name, trace, |number| Value::Int(number.into()))
    }

    #[inline]
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<(), CodecError> {
        to.put_int(*self)
    }
}

/// 0 or 1; the games drop a message with anything else, and so does this.
impl IntFields for bool {
    type Rule = ();
    const RULE: () = ();
    const COUNT: usize = 1;

    #[inline]
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let (number, span) = from.next_int(trace).map_err(|error| error.in_field(name))?;
        if !matches!(number, 0 | 1) {
            trace.field(name, span, Value::Int(number.into()));
            let at = span.byte_range().start;
            return Err(CodecError::new(at, "0 or 1", Found::Value(number.into())).in_field(name));
        }
        trace.field(name, span, Value::Bool(number == 1));
        Ok(number == 1)
    }

    #[inline]
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<(), CodecError> {
        to.put_int(i32::from(*self))
    }
}

/// `N` fields of one kind, told as a list.
impl<F: IntFields + Copy + Default, const N: usize> IntFields for [F; N] {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;
    #[allow(clippy::arithmetic_side_effects, reason = "evaluated at compile time")]
    const COUNT: usize = N * F::COUNT;

    #[inline]
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let start = from.here();
        read_list(name, start, trace, |trace| F::read_ints(from, rule, "", trace))
    }

    #[inline]
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<(), CodecError> {
        self.iter().try_for_each(|field| field.write_ints(to))
    }
}

/// Reads an array as a list, with `one` for each of its members.
#[inline]
pub(crate) fn read_list<F: Copy + Default, T: Trace, const N: usize>(
    name: &'static str,
    start: Span,
    trace: &mut T,
    mut one: impl FnMut(&mut T) -> Result<F, CodecError>,
) -> Result<[F; N], CodecError> {
    let mut fields = [F::default(); N];
    trace.enter(Layer::List, name, start);
    let read = fields.iter_mut().try_for_each(|field| one(trace).map(|read| *field = read));
    trace.exit();
    read.map(|()| fields).map_err(|error| error.in_field(name))
}
/// A field that is absent when the data end in front of it.
impl<'a, F: Field<'a>> Field<'a> for Option<F> {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;
    const PARTS: Option<&'static Definition> = F::PARTS;

    #[inline]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        if from.reader.is_empty() { Ok(None) } else { F::read(from, rule, name, trace).map(Some) }
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        self.as_ref().map_or(Ok(()), |field| field.write(to))
    }
}
