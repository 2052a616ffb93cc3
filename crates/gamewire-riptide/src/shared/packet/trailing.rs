//! Tracing of the bits after the fields of a header.

use gamewire_wire::{Trace, Value};

use crate::shared::payload::Payload;
use crate::shared::warning;

/// Maximum bytes of a payload in a trace; more than the largest packet has.
const MAX_TRACED: usize = 1536;

/// Traces values or user data as bytes, shifted down to the first bit.
pub(crate) fn trace_payload<T: Trace>(name: &str, payload: &Payload<'_>, trace: &mut T) {
    if payload.is_empty() || !trace.wants_details() {
        return;
    }
    trace_bits(name, payload, trace);
}

/// Traces bits that should be padding only, if they are not.
pub(crate) fn trace_trailing<T: Trace>(name: &str, trailing: &Payload<'_>, trace: &mut T) {
    if trailing.is_empty() || !trace.wants_details() {
        return;
    }
    if trailing.bit_len() >= 8 {
        trace_bits(name, trailing, trace);
        trace.warning(trailing.span(), &warning::EXTRA_BYTES);
    } else if !trailing.is_zero() {
        trace_bits(name, trailing, trace);
        trace.warning(trailing.span(), &warning::PADDING_BITS);
    }
}

fn trace_bits<T: Trace>(name: &str, payload: &Payload<'_>, trace: &mut T) {
    if let Some(bytes) = payload.as_bytes() {
        trace.field(name, payload.span(), Value::Bytes(bytes));
        return;
    }
    let mut buffer = [0; MAX_TRACED];
    let bits = payload.bit_len().min(MAX_TRACED.saturating_mul(8));
    let traced = Payload::within(payload.source(), payload.start(), payload.start().saturating_add(bits));
    if let Some(bytes) = traced.copy_to(&mut buffer) {
        trace.field(name, payload.span(), Value::Bytes(bytes));
    }
}
