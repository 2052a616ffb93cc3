//! Headers as data, and the macro by which their fields are written down once for both versions.

use gamewire_wire::{CodecError, Trace, Value};
pub use gamewire_wire::{Definition, FieldDefinition};

use super::message::{Reader, Writer};
use super::version::Version;
use super::warning;

/// What a field of a header is: how it stands on the wire and how it is told.
pub(crate) trait HeaderField {
    /// Its type.
    type Value;

    fn read<V: Version, T: Trace>(
        from: &mut Reader<'_, V>,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self::Value, CodecError>;

    fn write<V: Version>(value: Self::Value, to: &mut Writer<'_, V>) -> Result<(), CodecError>;
}

/// Numbers of fixed width, and how a trace is told of them.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident: $number:ident, $version:ident, $value:ident => $told:expr;)+) => {$(
        $(#[doc = $doc])+
        pub(crate) enum $kind {}

        impl HeaderField for $kind {
            type Value = $number;

            #[inline]
            fn read<$version: Version, T: Trace>(
                from: &mut Reader<'_, $version>,
                name: &'static str,
                trace: &mut T,
            ) -> Result<$number, CodecError> {
                let start = from.position();
                let $value = from.$number()?;
                trace.field(name, from.span_since(start), $told);
                Ok($value)
            }

            #[inline]
            fn write<$version: Version>(value: $number, to: &mut Writer<'_, $version>) -> Result<(), CodecError> {
                to.$number(value)
            }
        }
    )+};
}

kinds! {
    /// A byte.
    Byte: u8, V, value => Value::Int(value.into());
    /// An unsigned 16-bit number.
    Ushort: u16, V, value => Value::Int(value.into());
    /// A signed 16-bit number.
    Short: i16, V, value => Value::Int(value.into());
    /// 8 flags of messages.
    Bits8: u8, V, value => Value::Hex { value: value.into(), digits: 2 };
    /// 16 flags of messages.
    Bits16: u16, V, value => Value::Hex { value: value.into(), digits: 4 };
    /// Why a client is refused.
    RejectReason: u8, V, value => named(value, V::reject_reason(value));
    /// Why a connection ends.
    DisconnectReason: u8, V, value => named(value, V::disconnect_reason(value));
}

const fn named(value: u8, name: Option<&'static str>) -> Value<'static> {
    let value = value as i64;
    match name {
        Some(name) => Value::Named { value, name },
        None => Value::Int(value),
    }
}

/// Which message of the application it is: of variable length in 2.1.
pub(crate) enum MessageId {}

impl HeaderField for MessageId {
    type Value = u16;

    #[inline]
    fn read<V: Version, T: Trace>(
        from: &mut Reader<'_, V>,
        name: &'static str,
        trace: &mut T,
    ) -> Result<u16, CodecError> {
        let start = from.position();
        let number = V::read_id(from)?;
        let [low, high, ..] = number.to_le_bytes();
        let id = u16::from_le_bytes([low, high]);
        let span = from.span_since(start);
        trace.field(name, span, Value::Int(id.into()));
        if number > u16::MAX.into() {
            trace.warning(span, &warning::LARGE_ID);
        } else if from.position().saturating_sub(start) > V::id_bits(id) {
            trace.warning(span, &warning::OVERLONG_NUMBER);
        }
        Ok(id)
    }

    #[inline]
    fn write<V: Version>(id: u16, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        V::write_id(id, to)
    }
}

/// Headers whose fields are the same in both versions: type, reader, writer and definition of
/// each, from one row. The last field is what follows, and `tell` how a trace is told of it.
macro_rules! headers {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $text:literal {
            $($(#[doc = $field_doc:literal])+ $field:ident: $value:ty as $kind:ident,)*
            then $rest:ident by $tell:ident: $rest_doc:literal
        }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name<'a> {
            $($(#[doc = $field_doc])+ pub $field: $value,)*
            #[doc = $rest_doc]
            pub $rest: Payload<'a>,
        }

        impl<'a> $name<'a> {
            /// It as data.
            pub const DEFINITION: &'static Definition = &Definition {
                layer: Layer::Message,
                name: $text,
                doc: &[$($doc),+],
                fields: &[
                    $(FieldDefinition::new(stringify!($field), stringify!($kind), &[$($field_doc),+]),)*
                    FieldDefinition::new(stringify!($rest), "Payload", &[$rest_doc]),
                ],
            };

            /// Reads the fields behind the header.
            #[inline]
            pub(super) fn read<V: Version, T: Trace>(
                #[allow(unused_mut, reason = "some have no fields")] mut from: Reader<'a, V>,
                trace: &mut T,
            ) -> Result<Self, CodecError> {
                $(let $field = $kind::read(&mut from, stringify!($field), trace)
                    .map_err(|error| error.in_field(stringify!($field)))?;)*
                let $rest = from.remaining();
                tail::$tell(stringify!($rest), &$rest, trace);
                Ok(Self { $($field,)* $rest })
            }

            /// Writes the fields behind the header.
            #[inline]
            pub(super) fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
                $($kind::write(self.$field, to).map_err(|error| error.in_field(stringify!($field)))?;)*
                to.payload(&self.$rest).map_err(|error| error.in_field(stringify!($rest)))
            }
        }
    )+};
}

pub(crate) use headers;
