//! Fields of messages and objects: how each type is read, written and reported to a trace.

use core::fmt;
use core::ops::RangeInclusive;

use gamewire_wire::{CodecError, Encoding, Found, Layer, Result, Shape, Span, Trace, Value, Writer};

use crate::shared::pack::{Unpacker, pack_int};
use crate::shared::warning;

/// A field of a message.
pub trait Field<'a>: Sized {
    /// Type of the rule that a definition may add: a range, a sanitizer.
    type Rule: 'static;
    /// Rule that applies if a definition does not name one.
    const RULE: Self::Rule;

    /// Returns the encoding as data.
    fn shape(rule: &Self::Rule) -> Shape;

    /// Reads the field and reports it to `trace`.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not a valid field of this type.
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self>;

    /// Writes the field.
    ///
    /// # Errors
    /// [`CodecError`] if the buffer is full or the value has no encoding.
    fn write(&self, to: &mut Writer<'_>) -> Result<()>;
}

/// A field that consists of integers, so that snapshot objects can have it as well.
pub trait IntFields: Sized {
    /// Type of the rule that a definition may add.
    type Rule: 'static;
    /// Rule that applies if a definition does not name one.
    const RULE: Self::Rule;
    /// Number of integers.
    const COUNT: usize;

    /// Returns the encoding as data.
    fn shape(rule: &Self::Rule) -> Shape;

    /// Reads the integers and reports them to `trace`.
    ///
    /// # Errors
    /// [`CodecError`] if there are too few, or if they are not a valid field of this type.
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self>;

    /// Writes the integers to `to`, in order.
    ///
    /// # Errors
    /// [`CodecError`] if `to` is full.
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<()>;
}

/// The encoding of a field that depends on its rule.
#[derive(Debug)]
pub(crate) struct RuleEncoding<R: 'static> {
    pub(crate) rule: &'static R,
    pub(crate) shape: fn(&R) -> Shape,
}

impl<R: fmt::Debug + Sync> Encoding for RuleEncoding<R> {
    fn shape(&self) -> Shape {
        (self.shape)(self.rule)
    }
}

/// A source of integers: packed in a message, or plain in a snapshot object.
pub trait IntSource {
    /// Returns the next integer and its span.
    ///
    /// # Errors
    /// [`CodecError`] if there are no more.
    fn next_int<T: Trace>(&mut self, trace: &mut T) -> Result<(i32, Span)>;

    /// Returns the empty span before the next integer.
    fn here(&self) -> Span;

    /// Returns whether the data have ended, so that the next integer is a substitute.
    #[inline]
    fn is_padding(&self) -> bool {
        false
    }
}

/// A destination of integers.
pub trait IntSink {
    /// Appends an integer.
    ///
    /// # Errors
    /// [`CodecError`] if the destination is full.
    fn put_int(&mut self, value: i32) -> Result<()>;
}

impl IntSource for Unpacker<'_> {
    #[inline(always)]
    fn next_int<T: Trace>(&mut self, trace: &mut T) -> Result<(i32, Span)> {
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
    fn put_int(&mut self, value: i32) -> Result<()> {
        pack_int(value, self)
    }
}

impl<'a, F: IntFields> Field<'a> for F {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;

    fn shape(rule: &Self::Rule) -> Shape {
        F::shape(rule)
    }

    #[inline]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        F::read_ints(from, rule, name, trace)
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.write_ints(to)
    }
}

/// The range of an integer field without limits.
pub const ANY: RangeInclusive<i32> = i32::MIN..=i32::MAX;

/// Reads an integer, reports it in the form that `value` returns, and warns if it is out of range.
#[inline(always)]
pub(crate) fn read_number<S: IntSource, T: Trace>(
    from: &mut S,
    range: &RangeInclusive<i32>,
    name: &'static str,
    trace: &mut T,
    value: impl FnOnce(i32) -> Value<'static>,
) -> Result<i32> {
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

/// Any integer. A value outside of the definition's range is kept and causes a warning.
impl IntFields for i32 {
    type Rule = RangeInclusive<Self>;
    const RULE: Self::Rule = ANY;
    const COUNT: usize = 1;

    fn shape(rule: &Self::Rule) -> Shape {
        Shape::Int { min: *rule.start(), max: *rule.end() }
    }

    #[inline]
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        read_number(from, rule, name, trace, |number| Value::Int(number.into()))
    }

    #[inline]
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<()> {
        to.put_int(*self)
    }
}

/// 0 or 1. Any other number is an error, since the games drop the message.
impl IntFields for bool {
    type Rule = ();
    const RULE: () = ();
    const COUNT: usize = 1;

    fn shape((): &()) -> Shape {
        Shape::Bool
    }

    #[inline]
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
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
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<()> {
        to.put_int(i32::from(*self))
    }
}

/// `N` fields of one type, reported as a list.
impl<F: IntFields + Copy + Default, const N: usize> IntFields for [F; N] {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;
    #[allow(clippy::arithmetic_side_effects, reason = "evaluated at compile time")]
    const COUNT: usize = N * F::COUNT;

    fn shape(rule: &Self::Rule) -> Shape {
        Shape::Array(N, Box::new(F::shape(rule)))
    }

    #[inline]
    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        let mut fields = [F::default(); N];
        trace.enter(Layer::List, name, from.here());
        let read = fields
            .iter_mut()
            .try_for_each(|field| F::read_ints(from, rule, "", trace).map(|read| *field = read));
        trace.exit();
        read.map(|()| fields).map_err(|error| error.in_field(name))
    }

    #[inline]
    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<()> {
        self.iter().try_for_each(|field| field.write_ints(to))
    }
}

/// A field that is absent if the data end before it.
impl<'a, F: Field<'a>> Field<'a> for Option<F> {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;

    fn shape(rule: &Self::Rule) -> Shape {
        Shape::Optional(Box::new(F::shape(rule)))
    }

    #[inline]
    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        if from.reader.is_empty() { Ok(None) } else { F::read(from, rule, name, trace).map(Some) }
    }

    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |field| field.write(to))
    }
}
