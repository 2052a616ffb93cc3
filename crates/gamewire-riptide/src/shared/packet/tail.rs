//! What follows the fields of a header, and how a trace is told of it.

use gamewire_wire::{Trace, Value};

use crate::shared::payload::Payload;
use crate::shared::warning;

/// Enough for the largest packet; a trace sees no more of a larger one.
const SHOWN: usize = 1536;

/// Values or user data: their bytes, shifted down to the first bit.
pub(crate) fn payload<T: Trace>(name: &str, payload: &Payload<'_>, trace: &mut T) {
    if payload.is_empty() || !trace.wants_details() {
        return;
    }
    trace_payload(name, payload, trace);
}

/// What should be padding and nothing else.
pub(crate) fn trailing<T: Trace>(name: &str, trailing: &Payload<'_>, trace: &mut T) {
    if trailing.is_empty() || !trace.wants_details() {
        return;
    }
    if trailing.bit_len() >= 8 {
        trace_payload(name, trailing, trace);
        trace.warning(trailing.span(), &warning::EXTRA_BYTES);
    } else if !trailing.is_zero() {
        trace_payload(name, trailing, trace);
        trace.warning(trailing.span(), &warning::PADDING_BITS);
    }
}

fn trace_payload<T: Trace>(name: &str, payload: &Payload<'_>, trace: &mut T) {
    if let Some(bytes) = payload.as_bytes() {
        trace.field(name, payload.span(), Value::Bytes(bytes));
        return;
    }
    let mut buffer = [0; SHOWN];
    let shown = payload.bit_len().min(SHOWN.saturating_mul(8));
    let shown = Payload::within(payload.source(), payload.start(), payload.start().saturating_add(shown));
    if let Some(bytes) = shown.copy_to(&mut buffer) {
        trace.field(name, payload.span(), Value::Bytes(bytes));
    }
}
