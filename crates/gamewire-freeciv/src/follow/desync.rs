//! Where the two ends, or the definition, have come apart.

use std::sync::Arc;

use gamewire_wire::{Layer, Span, Trace, Value};

use super::handshake::{self, JOIN_REQUEST};
use super::talk::SharedState;
use crate::delta::{DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, EncodeOptions};
use crate::frame::{CompressionLevel, FrameWriter, JOIN_REPLY, Packet, TypeWidth};

/// Tells all that is known of an error, part by part, and a stream that shows it again.
#[cold]
pub(super) fn trace_desync<T: Trace>(
    error: &DeltaError,
    talk: &SharedState,
    (decoder, direction): (&DeltaDecoder, Direction),
    (packet, base): (&Packet<'_>, usize),
    trace: &mut T,
) {
    if !trace.wants_details() {
        return;
    }
    let nowhere = Span::bytes(base, base);
    let number = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    trace.enter(Layer::Group, "desync", nowhere);
    trace.field("packet", nowhere, Value::Text(error.packet.as_bytes()));
    trace.field("number", nowhere, Value::Int(error.number.into()));
    trace.field("place", nowhere, Value::Text(packet.offset.to_string().as_bytes()));
    trace.field("fault", nowhere, Value::Text(error.fault.to_string().as_bytes()));
    if let Some(field) = &error.field {
        trace.field("field", nowhere, Value::Text(field.name.as_bytes()));
        if let Some(bit) = field.bit {
            trace.field("bit", nowhere, number(bit));
        }
        if let Some(element) = field.element {
            trace.field("element", nowhere, number(element));
        }
        if let Some((before, start)) = &field.before {
            trace.field("field_before", nowhere, Value::Text(before.as_bytes()));
            trace.field("field_before_offset", nowhere, number(*start));
        }
        if let Some(after) = &field.after {
            trace.field("field_after", nowhere, Value::Text(after.as_bytes()));
        }
    }
    if let crate::delta::DeltaErrorKind::Codec(error) = &error.fault {
        trace.field("offset", nowhere, number(error.offset));
    }
    if let Some(previous) = &error.previous {
        trace.field("packet_before", nowhere, Value::Text(previous.as_bytes()));
    }
    trace.field("replay", nowhere, Value::Bytes(&replay(talk, decoder, direction, packet)));
    trace.exit();
}

/// A stream of the same direction: a beginning with the same capabilities, what was remembered as a
/// packet of its own, then the packet as it came.
fn replay(talk: &SharedState, decoder: &DeltaDecoder, direction: Direction, packet: &Packet<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = FrameWriter::new(CompressionLevel::NONE);
    let words = [talk.version.as_str()].into_iter().chain(talk.active.iter().map(String::as_str));
    let capabilities = words.collect::<Vec<_>>().join(" ");
    // A body of known texts fits in a packet, and a type of one byte in its header.
    let written = match direction {
        Direction::ToClient if packet.width == TypeWidth::Two => {
            writer.write(JOIN_REPLY, &handshake::reply(&capabilities), &mut out)
        }
        Direction::ToServer if packet.number != JOIN_REQUEST => {
            let written = writer.write(JOIN_REQUEST, &handshake::request(&capabilities), &mut out);
            if packet.width == TypeWidth::Two {
                writer.use_wide_types();
            }
            written
        }
        _ => Ok(()),
    };
    let before = decoder.remembered_before();
    let mut body = Vec::new();
    let mut encoder = DeltaEncoder::new(Arc::clone(decoder.variants()), direction, DeltaLimits::DEFAULT);
    let encoded = !before.is_empty()
        && encoder.encode(packet.number, before, EncodeOptions::default(), &mut body).unwrap_or(false);
    // What cannot be said again is left out: the packet itself still tells most of it.
    if written.is_ok() && encoded && writer.write(packet.number, &body, &mut out).is_err() {
        out.clear();
    }
    out.extend_from_slice(packet.bytes);
    out
}
