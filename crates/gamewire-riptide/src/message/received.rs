use gamewire_wire::CodecError;

use super::pool::Buffer;
use crate::format::Format;
use crate::shared::payload::Payload;

/// The values of a message as a peer sent them.
#[derive(Clone)]
pub(super) struct Received {
    format: Format,
    buffer: Buffer,
    bits: usize,
    /// Why it cannot be sent on.
    error: Option<CodecError>,
}

impl Received {
    pub(super) fn new(format: Format, payload: &Payload<'_>) -> Self {
        let mut buffer = Buffer::with_size(payload.byte_len());
        let bits = payload.copy_to(buffer.bytes_mut()).map_or(0, |_| payload.bit_len());
        Self { format, buffer, bits, error: None }
    }

    pub(super) const fn format(&self) -> Format {
        self.format
    }

    /// The bits as they came, padding included.
    pub(super) fn payload(&self) -> Payload<'_> {
        Payload::with_bits(self.buffer.bytes(), self.bits)
    }

    /// The bits as a peer of `format` gets them.
    pub(super) fn payload_for(&self, format: Format) -> Result<Payload<'_>, CodecError> {
        self.error.map_or_else(|| Ok(whole_bytes_in(format, self.payload())), Err)
    }

    /// Keeps why it cannot be sent on: something was added to it.
    pub(super) const fn refuse(&mut self, error: CodecError) {
        self.error = Some(error);
    }
}

/// `payload` as a peer of `format` gets it: 2.0 has whole bytes only, so odd bits at the end are
/// filled up to a byte with the zeros behind them, or left out if they say nothing.
pub(super) fn whole_bytes_in(format: Format, payload: Payload<'_>) -> Payload<'_> {
    let odd = payload.bit_len() % 8;
    if format == Format::V21 || odd == 0 {
        return payload;
    }
    let (source, start, end) = (payload.source(), payload.start(), payload.end());
    let whole = end.saturating_sub(odd);
    let says_nothing = Payload::within(source, whole, end).is_zero();
    let end = if says_nothing { whole } else { whole.saturating_add(8) };
    Payload::within(source, start, end)
}
