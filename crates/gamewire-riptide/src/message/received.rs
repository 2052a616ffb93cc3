use gamewire_wire::CodecError;

use super::pool::ensure;
use crate::Format;
use crate::shared::payload::Payload;

/// The values of a message as a peer sent them: the bytes of its packet that they are in, since
/// nothing needs to be shifted before it is read. Behind them the next byte is filled up with zeros.
#[derive(Clone, Default)]
pub(super) struct ReceivedBits {
    bytes: Box<[u8]>,
    /// The bits of the buffer that are values.
    start: usize,
    end: usize,
    /// Why it cannot be sent on.
    error: Option<CodecError>,
}

impl ReceivedBits {
    /// Begins anew with what a peer sent.
    #[inline(always)]
    pub(super) fn begin(&mut self, payload: &Payload<'_>) {
        let first = payload.start() / 8;
        let bytes = payload.source().get(first..payload.end().div_ceil(8)).unwrap_or_default();
        (self.error, self.start) = (None, payload.start() % 8);
        ensure(&mut self.bytes, bytes.len().saturating_add(1));
        self.end = self.start.saturating_add(payload.bit_len());
        if payload.end().is_multiple_of(8) {
            if let Some((place, behind)) = self.bytes.split_at_mut_checked(bytes.len()) {
                place.copy_from_slice(bytes);
                if let Some(behind) = behind.first_mut() {
                    *behind = 0;
                }
            }
        } else {
            self.begin_within_byte(payload);
        }
    }

    /// It ends within a byte, of which the rest is none of its own.
    fn begin_within_byte(&mut self, payload: &Payload<'_>) {
        payload.copy_to(&mut self.bytes);
        (self.start, self.end) = (0, payload.bit_len());
    }

    /// The size of its buffer, in bytes.
    #[inline]
    pub(super) const fn room(&self) -> usize {
        self.bytes.len()
    }

    /// The bits as they came, padding included.
    pub(super) fn payload(&self) -> Payload<'_> {
        Payload::known(&self.bytes, self.start, self.end)
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
                let bits = without_padding(self.payload()).bit_len().next_multiple_of(8);
                Payload::within(&self.bytes, self.start, self.start.saturating_add(bits))
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
