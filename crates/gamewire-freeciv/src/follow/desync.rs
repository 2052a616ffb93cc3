//! Reports decode errors.

use std::sync::Arc;

use gamewire_wire::{Layer, Span, Trace, Value};

use super::handshake::{self, JOIN_REQUEST};
use super::shared_state::SharedState;
use crate::delta::{DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, EncodeOptions};
use crate::frame::{CompressionLevel, FrameWriter, JOIN_REPLY, Packet, TypeWidth};

/// Reports all details of a decode error, and a short stream that reproduces it.
#[cold]
pub(super) fn trace_desync<T: Trace>(
    error: &DeltaError,
    shared: &SharedState,
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
    trace.field("fault", nowhere, Value::Text(error.kind.to_string().as_bytes()));
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
    if let crate::delta::DeltaErrorKind::Codec(error) = &error.kind {
        trace.field("offset", nowhere, number(error.offset));
    }
    if let Some(previous) = &error.previous {
        trace.field("packet_before", nowhere, Value::Text(previous.as_bytes()));
    }
    trace.field("replay", nowhere, Value::Bytes(&replay(shared, decoder, direction, packet)));
    trace.exit();
}

/// Returns a stream that reproduces the error: a join with the same capabilities, the baseline as a packet, and the
/// packet itself.
fn replay(
    shared: &SharedState,
    decoder: &DeltaDecoder,
    direction: Direction,
    packet: &Packet<'_>,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = FrameWriter::new(CompressionLevel::NONE);
    let words = [shared.version.as_str()].into_iter().chain(shared.active.iter().map(String::as_str));
    let capabilities = words.collect::<Vec<_>>().join(" ");
    // These bodies fit in a packet, and their types in one byte.
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
    let baseline = decoder.previous_baseline();
    let mut body = Vec::new();
    let mut encoder = DeltaEncoder::new(Arc::clone(decoder.variants()), direction, DeltaLimits::DEFAULT);
    let encoded = !baseline.is_empty()
        && encoder.encode(packet.number, baseline, EncodeOptions::default(), &mut body).unwrap_or(false);
    // Leave out a baseline that cannot be encoded: the packet alone shows most of it.
    if written.is_ok() && encoded && writer.write(packet.number, &body, &mut out).is_err() {
        out.clear();
    }
    out.extend_from_slice(packet.bytes);
    out
}
