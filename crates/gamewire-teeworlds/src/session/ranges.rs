use gamewire_wire::Consequence;
use gamewire_wire::{CodecError, Found, Span, Trace, Value, Warning};

/// Listens for numbers that games drop a message for.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// The last number that was told.
    number: Option<i64>,
    refused: Option<CodecError>,
}

impl Ranges {
    /// Fails if there was such a number.
    pub(super) fn check(self, packet: &'static str) -> Result<(), CodecError> {
        self.refused.map_or(Ok(()), |error| Err(error.in_packet(packet)))
    }
}

impl Trace for Ranges {
    #[inline]
    fn field(&mut self, _: &str, _: Span, value: Value<'_>) {
        self.number = value.number();
    }

    fn warning(&mut self, span: Span, warning: &Warning) {
        if warning.consequence == Consequence::Dropped && self.refused.is_none() {
            let found = self.number.map_or(Found::End, Found::Value);
            self.refused = Some(CodecError::new(span.byte_range().start, "a number in its range", found));
        }
    }
}
