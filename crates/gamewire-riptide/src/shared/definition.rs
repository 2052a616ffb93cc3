//! Headers as data, and the macro that defines the fields of a header once for both versions.

use gamewire_wire::{CodecError, Trace, Value};
pub(crate) use gamewire_wire::{Definition, FieldDefinition};

use super::header::Header;
use super::message::{Reader, Writer};
use super::packet::{
    ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Pending, Reject, Reliable, Unknown, Unreliable, Welcome,
};
use super::reason;
use super::version::Version;
use super::warning;

/// Returns the definitions of the packets of a version.
pub fn packets<V: Version>() -> impl Iterator<Item = &'static Definition> {
    let notify = V::number(Header::Notify).map(|_| Notify::DEFINITION);
    [
        Unreliable::DEFINITION,
        V::ACK,
        Connect::DEFINITION,
        Pending::DEFINITION,
        Reject::DEFINITION,
        Heartbeat::DEFINITION,
        HeartbeatReply::DEFINITION,
        Leave::DEFINITION,
        Disconnect::DEFINITION,
    ]
    .into_iter()
    .chain(notify)
    .chain([
        Reliable::DEFINITION,
        Welcome::DEFINITION,
        ClientConnected::DEFINITION,
        ClientDisconnected::DEFINITION,
        Unknown::DEFINITION,
    ])
}

/// Type of a header's field: its encoding, and its value in traces.
pub(crate) trait HeaderField {
    /// Type in Rust.
    type Value;

    fn read<V: Version, T: Trace>(
        from: &mut Reader<'_, V>,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self::Value, CodecError>;

    fn write<V: Version>(value: Self::Value, to: &mut Writer<'_, V>) -> Result<(), CodecError>;
}

/// Defines types of fixed width.
macro_rules! field_types {
    ($($(#[doc = $doc:literal])+ $field_type:ident: $number:ident, $version:ident, $value:ident => $traced:expr;)+) => {$(
        $(#[doc = $doc])+
        pub(crate) enum $field_type {}

        impl HeaderField for $field_type {
            type Value = $number;

            #[inline]
            fn read<$version: Version, T: Trace>(
                from: &mut Reader<'_, $version>,
                name: &'static str,
                trace: &mut T,
            ) -> Result<$number, CodecError> {
                let start = from.position();
                let $value = from.$number()?;
                trace.field(name, from.span_since(start), $traced);
                Ok($value)
            }

            #[inline]
            fn write<$version: Version>(value: $number, to: &mut Writer<'_, $version>) -> Result<(), CodecError> {
                to.$number(value)
            }
        }
    )+};
}

field_types! {
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
    /// Reason of a `Reject`.
    RejectReason: u8, V, value => named(value, name_in(V::REJECT_REASONS, value, reason::RejectReason::name));
    /// Reason of a `Disconnect`.
    DisconnectReason: u8, V, value => named(value, name_in(V::DISCONNECT_REASONS, value, reason::DisconnectReason::name));
}

fn name_in<R: Copy>(reasons: &[R], number: u8, name: fn(R) -> Option<&'static str>) -> Option<&'static str> {
    reasons.get(usize::from(number)).copied().and_then(name)
}

const fn named(value: u8, name: Option<&'static str>) -> Value<'static> {
    let value = value as i64;
    match name {
        Some(name) => Value::Named { value, name },
        None => Value::Int(value),
    }
}

/// Id of a message type of the application: a variable-length number in 2.1.
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

/// Defines headers whose fields are the same in both versions: the type, reader, writer and definition
/// of each. The last field is the rest of the packet, traced by the function after `by`.
macro_rules! headers {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $text:literal {
            $($(#[doc = $field_doc:literal])+ $field:ident: $value:ty as $field_type:ident,)*
            then $rest:ident by $trace:ident: $rest_doc:literal
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
            /// The packet as data.
            pub const DEFINITION: &'static Definition = &Definition {
                layer: Layer::Message,
                name: $text,
                doc: &[$($doc),+],
                fields: &[
                    $(FieldDefinition::new(stringify!($field), stringify!($field_type), &[$($field_doc),+]),)*
                    FieldDefinition::new(stringify!($rest), "Payload", &[$rest_doc]),
                ],
            };

            /// Reads the fields after the header.
            #[inline]
            pub(super) fn read<V: Version, T: Trace>(
                #[allow(unused_mut, reason = "some have no fields")] mut from: Reader<'a, V>,
                trace: &mut T,
            ) -> Result<Self, CodecError> {
                $(let $field = $field_type::read(&mut from, stringify!($field), trace)
                    .map_err(|error| error.in_field(stringify!($field)))?;)*
                let $rest = from.remaining();
                trailing::$trace(stringify!($rest), &$rest, trace);
                Ok(Self { $($field,)* $rest })
            }

            /// Writes the fields after the header.
            #[inline]
            pub(super) fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
                $($field_type::write(self.$field, to).map_err(|error| error.in_field(stringify!($field)))?;)*
                to.payload(&self.$rest).map_err(|error| error.in_field(stringify!($rest)))
            }
        }
    )+};
}

pub(crate) use headers;
