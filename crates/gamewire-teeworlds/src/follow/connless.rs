use gamewire_wire::{CodecError, Found, Layer, Reader, Trace, Value};

use crate::shared::connless::PREFIX;
use crate::shared::data::trace_rest;
use crate::shared::definition::MessageSet;
use crate::shared::pack::{FifthByte, Unpacker};
use crate::shared::version::Version;
use crate::shared::warning;

/// Tells a browsing message, which fills `payload`.
pub(super) fn connless<V: Version, T: Trace>(mut payload: Reader<'_>, trace: &mut T) {
    let start = payload.offset();
    let head = payload.array::<4>("four bytes ff").and_then(|prefix| {
        let letters = payload.take(4, "four letters")?;
        match (prefix == PREFIX, letters.first_chunk::<4>()) {
            (true, Some(letters)) => Ok(letters),
            _ => Err(CodecError::new(start, "four bytes ff", Found::Value(prefix[0].into()))),
        }
    });
    let letters = match head {
        Ok(letters) => letters,
        Err(error) => return trace.error(&error.in_packet("connless")),
    };
    let span = payload.span_since(start);
    let name = V::Connless::definition_of(letters).map_or("unknown_connless", |definition| definition.name);
    trace.enter(Layer::Message, name, span);
    trace.field("letters", span, Value::Text(letters));
    let mut from = Unpacker::new(payload, FifthByte::Teeworlds);
    match V::Connless::decode(letters, &mut from, trace, |_| ()) {
        // It has been told.
        Err(_) => {}
        Ok(Some(_)) if from.reader.is_empty() => {}
        Ok(known) => {
            let (name, warning) = match known {
                Some(()) => ("extra_bytes", &warning::EXTRA_BYTES),
                None => ("body", &warning::UNKNOWN_MESSAGE),
            };
            let (_, span) = trace_rest(name, &mut from.reader, trace);
            trace.warning(span, warning);
        }
    }
    trace.exit();
}
