use core::fmt;

use crate::{CodecError, Span, Value, Warning};

/// The kind of a group of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// A packet or frame: its header and its content.
    Packet,
    /// A message in a packet.
    Message,
    /// An item of a set in a message, such as an object of a snapshot.
    Item,
    /// A structure in one of the above.
    Group,
    /// A list of values of the same type; its fields have no names.
    List,
    /// Values of the enclosing group that these bytes do not contain: they are unchanged since an
    /// earlier packet.
    Baseline,
}

/// A visitor of a decoder. It receives groups, fields, spans, warnings and errors.
///
/// Every method does nothing by default; `()` overrides none. Calls nest: each `enter` and `enter_source` has an
/// `exit`, even if decoding fails in between.
pub trait Trace {
    /// Returns whether the decoder must report the items of sets, and warnings about the encoding of single integers.
    /// Otherwise it may leave them out.
    #[inline]
    fn wants_details(&self) -> bool {
        false
    }

    /// Handles the start of a group. `span` may be empty, because a group grows with its content.
    #[inline]
    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        let _ = (layer, name, span);
    }

    /// Handles the start of another source of bytes, such as an inflated payload or a reassembled message. All spans up
    /// to the matching `exit` are positions in `bytes`.
    #[inline]
    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        let _ = (name, bytes);
    }

    /// Handles the end of the innermost open group or source.
    #[inline]
    fn exit(&mut self) {}

    /// Handles a field of the innermost group. `name` is empty in a list.
    #[inline]
    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        let _ = (name, span, value);
    }

    /// Handles a warning: the bytes at `span` are unusual, but could be decoded.
    #[inline]
    fn warning(&mut self, span: Span, warning: &Warning) {
        let _ = (span, warning);
    }

    /// Handles an error: the innermost group cannot be decoded further.
    #[inline]
    fn error(&mut self, error: &CodecError) {
        let _ = error;
    }

    /// Handles an error with its explanation `sentence`: the innermost group cannot be decoded further.
    #[inline]
    fn error_with_context(&mut self, error: &CodecError, sentence: &dyn fmt::Display) {
        let _ = sentence;
        self.error(error);
    }
}

impl Trace for () {}

impl<T: Trace + ?Sized> Trace for &mut T {
    #[inline]
    fn wants_details(&self) -> bool {
        (**self).wants_details()
    }
    #[inline]
    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        (**self).enter(layer, name, span);
    }
    #[inline]
    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        (**self).enter_source(name, bytes);
    }
    #[inline]
    fn exit(&mut self) {
        (**self).exit();
    }
    #[inline]
    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        (**self).field(name, span, value);
    }
    #[inline]
    fn warning(&mut self, span: Span, warning: &Warning) {
        (**self).warning(span, warning);
    }
    #[inline]
    fn error(&mut self, error: &CodecError) {
        (**self).error(error);
    }
    #[inline]
    fn error_with_context(&mut self, error: &CodecError, sentence: &dyn fmt::Display) {
        (**self).error_with_context(error, sentence);
    }
}
