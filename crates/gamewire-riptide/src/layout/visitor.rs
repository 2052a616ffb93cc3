use gamewire_wire::{Result, Span};

use super::field::{Count, FieldLayout, FieldType, vector_components};
use super::layouts::StructLayout;
use super::scalar::{Scalar, ScalarValue};
use crate::shared::message::Reader;
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// A receiver of the values of a message, in order. Names are empty inside a list.
pub(super) trait Visitor {
    /// Starts a group of values. [`Visitor::exit`] follows, also after an error.
    fn enter(&mut self, _: Group, _: &'static str, _: Span) {}
    fn exit(&mut self) {}
    /// Length prefix of a list or text.
    fn length(&mut self, _: usize) {}
    fn scalar(&mut self, name: &'static str, span: Span, value: ScalarValue);
    /// Bytes of a string, after its length.
    fn text(&mut self, name: &'static str, span: Span, text: &Payload<'_>);
    /// All bytes of a list, after its length if it has a prefix.
    fn bytes(&mut self, name: &'static str, span: Span, bytes: &Payload<'_>);
    /// All bools of a list, after its length if it has a prefix.
    fn bools(&mut self, name: &'static str, span: Span, bools: &Payload<'_>);
}

/// Kind of a group of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    List,
    Struct,
    Vector,
}

/// A reader that passes values to a [`Visitor`], up to the first error.
pub(super) struct Walker<'l> {
    pub(super) structs: &'l [StructLayout],
}

impl Walker<'_> {
    pub(super) fn fields<V: Version>(
        &self,
        fields: &[FieldLayout],
        from: &mut Reader<'_, V>,
        to: &mut impl Visitor,
    ) -> Result<()> {
        fields
            .iter()
            .try_for_each(|field| self.field(field, from, to).map_err(|error| error.in_field(field.name)))
    }

    fn field<V: Version>(
        &self,
        field: &FieldLayout,
        from: &mut Reader<'_, V>,
        to: &mut impl Visitor,
    ) -> Result<()> {
        let start = from.position();
        let count = match field.count {
            Count::One => return self.value(field.field_type, field.name, from, to),
            Count::Fixed(count) => count.into(),
            Count::Prefixed => {
                let count = from.length()?;
                to.length(count);
                count
            }
        };
        match field.field_type {
            FieldType::Scalar(Scalar::Byte) => {
                let bytes = from.bytes_of(count)?;
                to.bytes(field.name, from.span_since(start), &bytes);
                return Ok(());
            }
            FieldType::Scalar(Scalar::Bool) => {
                let bools = from.bools_of(count)?;
                to.bools(field.name, from.span_since(start), &bools);
                return Ok(());
            }
            // Every value takes at least one bit.
            _ if count > from.unread_bits() => return Err(from.ended("as many values as announced")),
            _ => {}
        }
        to.enter(Group::List, field.name, from.span_since(start));
        let read = (0..count).try_for_each(|_| self.value(field.field_type, "", from, to));
        to.exit();
        read
    }

    fn value<V: Version>(
        &self,
        field_type: FieldType,
        name: &'static str,
        from: &mut Reader<'_, V>,
        to: &mut impl Visitor,
    ) -> Result<()> {
        let start = from.position();
        match field_type {
            FieldType::Scalar(scalar) => {
                let value = scalar.read(from)?;
                to.scalar(name, from.span_since(start), value);
                Ok(())
            }
            FieldType::String => {
                let text = from.string()?;
                to.length(text.len());
                to.text(name, from.span_since(start), &text.payload());
                Ok(())
            }
            FieldType::Vector(count) => {
                to.enter(Group::Vector, name, from.span_since(start));
                let read = vector_components(count).iter().try_for_each(|component| {
                    let start = from.position();
                    let value = from.f32()?;
                    to.scalar(component, from.span_since(start), ScalarValue::Float(value));
                    Ok(())
                });
                to.exit();
                read
            }
            FieldType::Struct(index) => {
                let fields = self.structs.get(index).map_or(&[][..], |known| &known.fields);
                to.enter(Group::Struct, name, from.span_since(start));
                let read = self.fields(fields, from, to);
                to.exit();
                read
            }
        }
    }
}
