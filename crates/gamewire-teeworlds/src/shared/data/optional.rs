//! Fields that may be absent, and fixed numbers of strings.

use gamewire_wire::{CodecError, Trace, Writer};

use crate::shared::definition::Definition;
use crate::shared::field::{Field, IntSource, read_list};
use crate::shared::pack::{Sanitize, Text, Unpacker};

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

/// A fixed number of strings.
impl<'a, const N: usize> Field<'a> for [Text<'a>; N] {
    type Rule = Sanitize;
    const RULE: Sanitize = Sanitize::Strict;

    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        rule: &Sanitize,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let start = from.here();
        read_list(name, start, trace, |trace| Text::read(from, rule, "", trace))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        self.iter().try_for_each(|text| text.write(to))
    }
}
