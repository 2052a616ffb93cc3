use std::fmt;

use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

/// A trace that tells two others.
#[derive(Debug)]
pub struct Tee<'a, A, B>(pub &'a mut A, pub &'a mut B);

impl<A: Trace, B: Trace> Trace for Tee<'_, A, B> {
    fn wants_details(&self) -> bool {
        self.0.wants_details() || self.1.wants_details()
    }

    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        self.0.enter(layer, name, span);
        self.1.enter(layer, name, span);
    }

    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        self.0.enter_source(name, bytes);
        self.1.enter_source(name, bytes);
    }

    fn exit(&mut self) {
        self.0.exit();
        self.1.exit();
    }

    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        self.0.field(name, span, value);
        self.1.field(name, span, value);
    }

    fn warning(&mut self, span: Span, warning: &Warning) {
        self.0.warning(span, warning);
        self.1.warning(span, warning);
    }

    fn error(&mut self, error: &CodecError) {
        self.0.error(error);
        self.1.error(error);
    }

    fn error_with_context(&mut self, error: &CodecError, sentence: &dyn fmt::Display) {
        self.0.error_with_context(error, sentence);
        self.1.error_with_context(error, sentence);
    }
}
