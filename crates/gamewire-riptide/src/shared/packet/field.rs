//! The types of header fields: their encoding, and their value in traces.

use gamewire_wire::{CodecError, Result, Trace, Value};

use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::shared::{reason, warning};

/// Maximum bytes of a payload in a trace; more than the largest packet has.
const MAX_TRACED: usize = 1536;

/// Type of a header's field.
pub(super) trait HeaderField {
    /// Type in Rust.
    type Value;

    fn read<V: Version, T: Trace>(
        from: &mut Reader<'_, V>,
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self::Value>;

    fn write<V: Version>(value: Self::Value, to: &mut Writer<'_, V>) -> Result<()>;

    /// Returns the number of bits of a value.
    fn bit_len<V: Version>(value: Self::Value) -> usize;
}

/// Defines types of fixed width.
macro_rules! field_types {
    ($($(#[doc = $doc:literal])+ $field_type:ident: $number:ty, $version:ident, $value:ident => $traced:expr;)+) => {$(
        $(#[doc = $doc])+
        pub(super) enum $field_type {}

        impl HeaderField for $field_type {
            type Value = $number;

            #[inline]
            fn read<$version: Version, T: Trace>(
                from: &mut Reader<'_, $version>,
                name: &'static str,
                trace: &mut T,
            ) -> Result<$number> {
                let start = from.position();
                let $value: $number = from.number().map_err(|error: CodecError| error.in_field(name))?;
                trace.field(name, from.span_since(start), $traced);
                Ok($value)
            }

            #[inline]
            fn write<$version: Version>(value: $number, to: &mut Writer<'_, $version>) -> Result<()> {
                to.number(value)
            }

            fn bit_len<$version: Version>(_: $number) -> usize {
                <$number>::BITS as usize
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
    RejectReason: u8, V, value => {
        let reasons = reason::RejectReason::numbered(V::FORMAT);
        named(value, reasons.get(usize::from(value)).and_then(|reason| reason.name()))
    };
    /// Reason of a `Disconnect`.
    DisconnectReason: u8, V, value => {
        let reasons = reason::DisconnectReason::numbered(V::FORMAT);
        named(value, reasons.get(usize::from(value)).and_then(|reason| reason.name()))
    };
}

const fn named(value: u8, name: Option<&'static str>) -> Value<'static> {
    let value = value as i64;
    match name {
        Some(name) => Value::Named { value, name },
        None => Value::Int(value),
    }
}

/// Id of a message type of the application: a variable-length number in 2.1, which may have up to 64 bits on the wire.
/// Only the lowest 16 bits are used.
pub(super) enum MessageId {}

impl HeaderField for MessageId {
    type Value = u16;

    #[inline]
    fn read<V: Version, T: Trace>(
        from: &mut Reader<'_, V>,
        name: &'static str,
        trace: &mut T,
    ) -> Result<u16> {
        let start = from.position();
        let number = if V::HAS_BITS { from.var_ulong() } else { from.u16().map(u64::from) };
        let number = number.map_err(|error| error.in_field(name))?;
        let [low, high, ..] = number.to_le_bytes();
        let id = u16::from_le_bytes([low, high]);
        let span = from.span_since(start);
        trace.field(name, span, Value::Int(id.into()));
        if number > u16::MAX.into() {
            trace.warning(span, &warning::LARGE_ID);
        } else if from.position().saturating_sub(start) > Self::bit_len::<V>(id) {
            trace.warning(span, &warning::OVERLONG_NUMBER);
        }
        Ok(id)
    }

    #[inline]
    fn write<V: Version>(id: u16, to: &mut Writer<'_, V>) -> Result<()> {
        let (id, bits) = V::encode_id(id);
        to.word(bits, id)
    }

    fn bit_len<V: Version>(id: u16) -> usize {
        V::encode_id(id).1
    }
}

/// Traces the bits after the fields, shifted down to the first bit. Bits that are not data are traced only if they are
/// not zero padding.
pub(crate) fn trace_rest<T: Trace>(name: &str, rest: &Payload<'_>, is_data: bool, trace: &mut T) {
    let is_padding = !is_data && rest.bit_len() < 8 && rest.is_zero();
    if rest.is_empty() || is_padding || !trace.wants_details() {
        return;
    }
    if let Some(bytes) = rest.as_bytes() {
        trace.field(name, rest.span(), Value::Bytes(bytes));
    } else {
        let mut buffer = [0; MAX_TRACED];
        let bits = rest.bit_len().min(MAX_TRACED.saturating_mul(8));
        let traced = Payload::within(rest.source(), rest.start(), rest.start().saturating_add(bits));
        let bytes = traced.copy_to(&mut buffer).unwrap_or_default();
        trace.field(name, rest.span(), Value::Bytes(bytes));
    }
    if !is_data {
        let warning = if rest.bit_len() >= 8 { &warning::EXTRA_BYTES } else { &warning::PADDING_BITS };
        trace.warning(rest.span(), warning);
    }
}
