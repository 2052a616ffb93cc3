//! Fields that may be absent.

use gamewire_wire::{CodecError, Trace, Writer};

use crate::shared::definition::Definition;
use crate::shared::field::Field;
use crate::shared::pack::Unpacker;

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
