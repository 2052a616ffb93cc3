use gamewire_wire::{CodecError, Span};

use super::field::{FieldLayout, axes};
use super::kind::{Count, FieldType};
use super::layouts::StructLayout;
use super::scalar::Scalar;
use super::single::ScalarValue;
use crate::shared::message::{Bools, Reader};
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// What is told of the values of a message, one after the other. Names are empty inside a list.
pub(super) trait Visitor {
    /// A group of values begins. Its matching [`Visitor::leave`] comes also when an error ends it.
    fn enter(&mut self, part: Group, name: &'static str, span: Span);
    fn leave(&mut self);
    /// The number in front of a list or text.
    fn length(&mut self, length: usize);
    fn single(&mut self, name: &'static str, span: Span, value: ScalarValue);
    /// The bytes of a string; its length was told.
    fn text(&mut self, name: &'static str, span: Span, text: &Payload<'_>);
    /// All bytes of a list; their number was told if it stands in front.
    fn bytes(&mut self, name: &'static str, span: Span, bytes: &Payload<'_>);
    /// All bools of a list; their number was told if it stands in front.
    fn bools(&mut self, name: &'static str, span: Span, bools: Bools<'_>);
}

/// What a group of values is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    List,
    Struct,
    Vector,
}

/// Reads values and tells them. What was told before an error stays told.
pub(super) struct Walk<'l> {
    pub(super) structs: &'l [StructLayout],
}

impl Walk<'_> {
    pub(super) fn fields<V: Version>(
        &self,
        fields: &[FieldLayout],
        from: &mut Reader<'_, V>,
        to: &mut impl Visitor,
    ) -> Result<(), CodecError> {
        fields
            .iter()
            .try_for_each(|field| self.field(field, from, to).map_err(|error| error.in_field(field.name)))
    }

    fn field<V: Version>(
        &self,
        field: &FieldLayout,
        from: &mut Reader<'_, V>,
        to: &mut impl Visitor,
    ) -> Result<(), CodecError> {
        let start = from.position();
        let count = match field.count {
            Count::One => return self.one(field.kind, field.name, from, to),
            Count::Fixed(count) => count.into(),
            Count::Prefixed => {
                let count = from.length()?;
                to.length(count);
                count
            }
        };
        match field.kind {
            FieldType::Scalar(Scalar::Byte) => {
                let bytes = from.bytes_of(count)?;
                to.bytes(field.name, from.span_since(start), &bytes);
                return Ok(());
            }
            FieldType::Scalar(Scalar::Bool) => {
                let bools = from.bools_of(count)?;
                to.bools(field.name, from.span_since(start), bools);
                return Ok(());
            }
            // Every value takes a bit at least.
            _ if count > from.unread_bits() => return Err(from.ended("as many values as announced")),
            _ => {}
        }
        to.enter(Group::List, field.name, from.span_since(start));
        let read = (0..count).try_for_each(|_| self.one(field.kind, "", from, to));
        to.leave();
        read
    }

    fn one<V: Version>(
        &self,
        kind: FieldType,
        name: &'static str,
        from: &mut Reader<'_, V>,
        to: &mut impl Visitor,
    ) -> Result<(), CodecError> {
        let start = from.position();
        match kind {
            FieldType::Scalar(scalar) => {
                let value = scalar.read(from)?;
                to.single(name, from.span_since(start), value);
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
                let read = axes(count).iter().try_for_each(|axis| {
                    let start = from.position();
                    let value = from.f32()?;
                    to.single(axis, from.span_since(start), ScalarValue::Float(value));
                    Ok(())
                });
                to.leave();
                read
            }
            FieldType::Struct(index) => {
                let fields = self.structs.get(index).map_or(&[][..], |known| &known.fields);
                to.enter(Group::Struct, name, from.span_since(start));
                let read = self.fields(fields, from, to);
                to.leave();
                read
            }
        }
    }
}
