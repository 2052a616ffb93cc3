use gamewire_wire::CodecError;

use super::draft::ensure;
use crate::Format;
use crate::shared::payload::Payload;

/// Values of a received message: a copy of the bytes of its packet that contain them, unshifted, because
/// readers start at any bit. A zero byte follows, so that the last byte can be padded.
#[derive(Clone, Default)]
pub(super) struct ReceivedBits {
    bytes: Box<[u8]>,
    /// Bits of the buffer that are values.
    start: usize,
    end: usize,
    /// Error of sending it.
    error: Option<CodecError>,
}

impl ReceivedBits {
    /// Replaces the values.
    #[inline(always)]
    pub(super) fn set(&mut self, payload: &Payload<'_>) {
        let first = payload.start() / 8;
        let bytes = payload.source().get(first..payload.end().div_ceil(8)).unwrap_or_default();
        (self.error, self.start) = (None, payload.start() % 8);
        ensure(&mut self.bytes, bytes.len().saturating_add(1));
        self.end = self.start.saturating_add(payload.bit_len());
        if payload.end().is_multiple_of(8) {
            if let Some((target, rest)) = self.bytes.split_at_mut_checked(bytes.len()) {
                target.copy_from_slice(bytes);
                if let Some(next) = rest.first_mut() {
                    *next = 0;
                }
            }
        } else {
            self.set_shifted(payload);
        }
    }

    /// Replaces the values with a payload that ends within a byte.
    fn set_shifted(&mut self, payload: &Payload<'_>) {
        payload.copy_to(&mut self.bytes);
        (self.start, self.end) = (0, payload.bit_len());
    }

    /// Returns the size of its buffer in bytes.
    #[inline]
    pub(super) const fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the received bits, with padding.
    pub(super) fn payload(&self) -> Payload<'_> {
        Payload::known(&self.bytes, self.start, self.end)
    }

    /// Returns the bits to send to a peer of `format`.
    pub(super) fn payload_for(&self, format: Format) -> Result<Payload<'_>, CodecError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        Ok(match format {
            Format::V21 => self.payload(),
            // The last byte is padded with zeros.
            Format::V20 => {
                let bits = without_padding(self.payload()).bit_len().next_multiple_of(8);
                Payload::within(&self.bytes, self.start, self.start.saturating_add(bits))
            }
        })
    }

    /// Makes sending fail, because a value was added.
    pub(super) const fn set_error(&mut self, error: CodecError) {
        self.error = Some(error);
    }
}

/// Returns `payload` without the bits of an incomplete byte at its end if they are zeros. They are padding
/// for 2.0, which has whole bytes only.
pub(super) fn without_padding(payload: Payload<'_>) -> Payload<'_> {
    let (source, start, end) = (payload.source(), payload.start(), payload.end());
    let whole = end.saturating_sub(payload.bit_len() % 8);
    let is_padding = Payload::within(source, whole, end).is_zero();
    if is_padding { Payload::within(source, start, whole) } else { payload }
}
