use std::fmt;

use gamewire_wire::{CodecError, Layer, Oddity, Span, Trace, Value};

/// A trace that tells two others.
#[derive(Debug)]
pub struct Tee<'a, A, B>(pub &'a mut A, pub &'a mut B);

impl<A: Trace, B: Trace> Trace for Tee<'_, A, B> {
    fn is_watching(&self) -> bool {
        self.0.is_watching() || self.1.is_watching()
    }

    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        self.0.enter(layer, name, span);
        self.1.enter(layer, name, span);
    }

    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        self.0.enter_source(name, bytes);
        self.1.enter_source(name, bytes);
    }

    fn leave(&mut self) {
        self.0.leave();
        self.1.leave();
    }

    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        self.0.field(name, span, value);
        self.1.field(name, span, value);
    }

    fn oddity(&mut self, span: Span, oddity: &Oddity) {
        self.0.oddity(span, oddity);
        self.1.oddity(span, oddity);
    }

    fn error(&mut self, error: &CodecError) {
        self.0.error(error);
        self.1.error(error);
    }

    fn explained_error(&mut self, error: &CodecError, sentence: &dyn fmt::Display) {
        self.0.explained_error(error, sentence);
        self.1.explained_error(error, sentence);
    }
}
