//! Reports of decode errors.

use std::sync::Arc;

use gamewire_wire::{Layer, Span, Trace, Value};

use super::definition::JOIN_REQUEST;
use super::shared_state::SharedState;
use crate::delta::{
    DeltaDecoder, DeltaEncoder, DeltaError, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions,
};
use crate::frame::{CompressionLevel, FrameWriter, JOIN_REPLY, Packet, TypeWidth};

/// A packet that cannot be decoded.
pub(super) struct Desync<'a> {
    pub(super) error: &'a DeltaError,
    pub(super) packet: &'a Packet<'a>,
    /// The sender of the packet.
    pub(super) direction: Direction,
    /// The decoder of this direction.
    pub(super) decoder: &'a DeltaDecoder,
    pub(super) shared: &'a SharedState,
}

/// Reports all details of a decode error, and a short stream that reproduces it. The packet starts at byte `base` of the
/// trace's source.
#[cold]
pub(super) fn trace_desync<T: Trace>(desync: &Desync<'_>, base: usize, trace: &mut T) {
    let Desync { error, packet, .. } = *desync;
    if !trace.wants_details() {
        return;
    }
    let number = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    let (place, kind) = (packet.offset.to_string(), error.kind.to_string());
    let replay = replay(desync);
    let field = error.field.as_ref();
    let before = field.and_then(|field| field.before.as_ref());
    let offset = match &error.kind {
        DeltaErrorKind::Codec(error) => Some(error.offset),
        _ => None,
    };
    let details = [
        ("packet", Some(text(&error.packet))),
        ("number", Some(Value::Int(error.number.into()))),
        ("place", Some(text(&place))),
        ("fault", Some(text(&kind))),
        ("field", field.map(|field| text(&field.name))),
        ("bit", field.and_then(|field| field.bit).map(number)),
        ("element", field.and_then(|field| field.element).map(number)),
        ("field_before", before.map(|(name, _)| text(name))),
        ("field_before_offset", before.map(|(_, start)| number(*start))),
        ("field_after", field.and_then(|field| field.after.as_deref()).map(text)),
        ("offset", offset.map(number)),
        ("packet_before", error.previous.as_deref().map(text)),
        ("replay", Some(Value::Bytes(&replay))),
    ];
    let nowhere = Span::bytes(base, base);
    trace.enter(Layer::Group, "desync", nowhere);
    for (name, value) in details {
        if let Some(value) = value {
            trace.field(name, nowhere, value);
        }
    }
    trace.exit();
}

fn text(text: &str) -> Value<'_> {
    Value::Text(text.as_bytes())
}

/// Returns a stream that reproduces the error: a join with the same capabilities, the baseline as a packet, and the
/// packet that failed.
fn replay(desync: &Desync<'_>) -> Vec<u8> {
    let Desync { packet, direction, decoder, shared, .. } = *desync;
    let mut out = Vec::new();
    let mut writer = FrameWriter::new(CompressionLevel::NONE);
    let words = [shared.version.as_str()].into_iter().chain(shared.active.iter().map(String::as_str));
    let capabilities = words.collect::<Vec<_>>().join(" ");
    // These bodies fit in a packet, and the packet numbers in one byte.
    let written = match direction {
        Direction::ToClient if packet.width == TypeWidth::Two => {
            writer.write(JOIN_REPLY, &reply_body(&capabilities), &mut out)
        }
        Direction::ToServer if packet.number != JOIN_REQUEST => {
            let written = writer.write(JOIN_REQUEST, &request_body(&capabilities), &mut out);
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
    // Omit a baseline that cannot be encoded, because the failed packet alone shows most of the error.
    if written.is_ok() && encoded && writer.write(packet.number, &body, &mut out).is_err() {
        out.clear();
    }
    out.extend_from_slice(packet.bytes);
    out
}

/// Returns the body of an accepting reply with these capabilities.
fn reply_body(capabilities: &str) -> Vec<u8> {
    let mut body = vec![1, 0];
    body.extend_from_slice(capabilities.as_bytes());
    body.extend([0, 0, 0, 0]);
    body
}

/// Returns the body of a join request with these capabilities.
fn request_body(capabilities: &str) -> Vec<u8> {
    let mut body = b"replay\0".to_vec();
    body.extend_from_slice(capabilities.as_bytes());
    body.extend([0; 14]);
    body
}
