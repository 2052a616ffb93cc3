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
        if let Some(error) = self.error {
            return Err(error);
        }
        Ok(match format {
            Format::V21 => self.payload(),
            // Behind the last bit its byte is filled up with zeros.
            Format::V20 => {
                let bits = without_padding(self.payload()).bit_len();
                Payload::with_bits(self.buffer.bytes(), bits.next_multiple_of(8))
            }
        })
    }

    /// Keeps why it cannot be sent on: something was added to it.
    pub(super) const fn refuse(&mut self, error: CodecError) {
        self.error = Some(error);
    }
}

/// `payload` without odd bits at its end that are zeros: padding, as far as 2.0 is concerned,
/// which has whole bytes only.
pub(super) fn without_padding(payload: Payload<'_>) -> Payload<'_> {
    let (source, start, end) = (payload.source(), payload.start(), payload.end());
    let whole = end.saturating_sub(payload.bit_len() % 8);
    let says_nothing = Payload::within(source, whole, end).is_zero();
    if says_nothing { Payload::within(source, start, whole) } else { payload }
}
