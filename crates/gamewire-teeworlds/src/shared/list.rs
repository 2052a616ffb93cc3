use core::marker::PhantomData;

use gamewire_wire::{Layer, Reader, Result, Shape, Trace, Value, Writer};

use crate::shared::field::{Field, IntSource};
use crate::shared::pack::{FifthByte, Sanitize, Text, Unpacker};

/// Fields of one type up to the end of the message. Decoding checks all of them, and
/// [`List::iter`] reads them again without an allocation.
#[derive(Clone, Copy, Debug)]
pub struct List<'a, F>(Source<'a, F>);

#[derive(Clone, Copy, Debug)]
enum Source<'a, F> {
    Wire { bytes: &'a [u8], fifth_byte: FifthByte, kind: PhantomData<F> },
    Values(&'a [F]),
}

impl<'a, F: Field<'a> + Copy> List<'a, F> {
    /// Creates a list to send.
    pub const fn new(values: &'a [F]) -> Self {
        Self(Source::Values(values))
    }

    /// Returns the first `count` elements.
    pub fn first(&self, count: usize) -> Self {
        Self(match self.0 {
            Source::Values(values) => Source::Values(values.get(..count).unwrap_or(values)),
            Source::Wire { bytes, fifth_byte, kind } => {
                let mut from = Unpacker::new(Reader::new(bytes), fifth_byte);
                let mut left = count;
                while left > 0 && F::read(&mut from, &F::RULE, "", &mut ()).is_ok() {
                    left = left.saturating_sub(1);
                }
                let bytes = bytes.get(..from.reader.offset()).unwrap_or(bytes);
                Source::Wire { bytes, fifth_byte, kind }
            }
        })
    }

    /// Returns the elements.
    pub fn iter(&self) -> impl Iterator<Item = F> + use<'a, F> {
        let (bytes, fifth_byte, values) = match self.0 {
            Source::Wire { bytes, fifth_byte, .. } => (bytes, fifth_byte, [].as_slice()),
            Source::Values(values) => (&[] as &[u8], FifthByte::default(), values),
        };
        let mut from = Unpacker::new(Reader::new(bytes), fifth_byte);
        let wire = core::iter::from_fn(move || {
            if from.reader.is_empty() { None } else { F::read(&mut from, &F::RULE, "", &mut ()).ok() }
        });
        wire.chain(values.iter().copied())
    }
}

impl<'a, F: Field<'a> + Copy + PartialEq> PartialEq for List<'a, F> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, F: Field<'a> + Copy> Field<'a> for List<'a, F> {
    type Rule = F::Rule;
    const RULE: Self::Rule = F::RULE;

    fn shape(rule: &Self::Rule) -> Shape {
        Shape::List(Box::new(F::shape(rule)))
    }

    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Self::Rule,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        let (bytes, fifth_byte) = (from.reader.remaining(), from.fifth_byte());
        trace.enter(Layer::List, name, from.here());
        let mut read = Ok(());
        while read.is_ok() && !from.reader.is_empty() {
            read = F::read(from, rule, "", trace).map(|_| ());
        }
        trace.exit();
        read.map_err(|error| error.in_field(name))?;
        Ok(Self(Source::Wire { bytes, fifth_byte, kind: PhantomData }))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        match self.0 {
            Source::Wire { bytes, .. } => to.bytes(bytes),
            Source::Values(values) => values.iter().try_for_each(|value| value.write(to)),
        }
    }
}

/// `N` strings. Decoding checks all of them, and [`Texts::iter`] reads them again.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a, const N: usize>(List<'a, Text<'a>>);

impl<'a, const N: usize> Texts<'a, N> {
    /// Creates strings to send.
    pub const fn new(texts: &'a [Text<'a>; N]) -> Self {
        Self(List::new(texts))
    }

    /// Returns the strings as a list.
    pub const fn list(&self) -> List<'a, Text<'a>> {
        self.0
    }

    /// Returns the strings.
    pub fn iter(&self) -> impl Iterator<Item = Text<'a>> + use<'a, N> {
        self.0.iter()
    }
}

impl<const N: usize> PartialEq for Texts<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<'a, const N: usize> Field<'a> for Texts<'a, N> {
    type Rule = Sanitize;
    const RULE: Sanitize = Sanitize::Strict;

    fn shape(_: &Sanitize) -> Shape {
        Shape::Array(N, Box::new(Shape::Text))
    }

    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Sanitize,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        let (bytes, fifth_byte) = (from.reader.remaining(), from.fifth_byte());
        let start = from.reader.offset();
        trace.enter(Layer::List, name, from.here());
        let mut read = Ok(());
        for _ in 0..N {
            read = read.and_then(|()| Text::read(from, rule, "", trace).map(|_| ()));
        }
        trace.exit();
        read.map_err(|error| error.in_field(name))?;
        let taken = from.reader.offset().saturating_sub(start);
        let bytes = bytes.get(..taken).unwrap_or_default();
        Ok(Self(List(Source::Wire { bytes, fifth_byte, kind: PhantomData })))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.0.write(to)
    }
}

/// Named numbers up to the end of the message. Their count depends on the server's release. Each number is reported
/// under its name. Numbers after the known names are reported as `further`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Numbers<'a>(pub List<'a, i32>);

/// The names of [`Numbers`], and their scale.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Names in wire order.
    pub names: &'static [&'static str],
    /// Wire value of one unit.
    pub scale: u32,
}

impl<'a> Field<'a> for Numbers<'a> {
    type Rule = Names;
    const RULE: Names = Names { names: &[], scale: 1 };

    fn shape(rule: &Names) -> Shape {
        Shape::Scaled { names: rule.names, scale: rule.scale }
    }

    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Names,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        let (bytes, fifth_byte) = (from.reader.remaining(), from.fifth_byte());
        let mut names = rule.names.iter();
        while !from.reader.is_empty() {
            let (raw, span) = from.next_int(trace).map_err(|error| error.in_field(name))?;
            let name = names.next().copied().unwrap_or("further");
            trace.field(name, span, Value::Decimal { raw: raw.into(), scale: rule.scale });
        }
        Ok(Self(List(Source::Wire { bytes, fifth_byte, kind: PhantomData })))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.0.write(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(bytes: &[u8]) -> Unpacker<'_> {
        Unpacker::new(Reader::new(bytes), FifthByte::Teeworlds)
    }

    #[test]
    fn the_first_elements_of_a_list_are_a_list() {
        let wire =
            List::<i32>::read(&mut from(&[1, 0x40, 0x80, 1]), &(i32::MIN..=i32::MAX), "x", &mut ()).unwrap();
        assert_eq!(wire.first(2), List::new(&[1, -1]));
        assert_eq!((wire.first(9), wire.first(0)), (wire, List::new(&[])));
        assert_eq!(List::new(&[1, 2, 3]).first(1), List::new(&[1]));
    }

    #[test]
    fn a_list_from_the_wire_equals_a_list_of_values() {
        let wire = List::<i32>::read(&mut from(&[1, 0x40, 0x80, 1]), &(i32::MIN..=i32::MAX), "x", &mut ());
        assert_eq!(wire, Ok(List::new(&[1, -1, 64])));
        let broken = List::<i32>::read(&mut from(&[1, 0x80]), &(i32::MIN..=i32::MAX), "x", &mut ());
        assert_eq!(broken.unwrap_err().field, "x");
    }
}
