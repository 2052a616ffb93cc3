use core::fmt;

use crate::{CodecError, Span, Value, Warning};

/// What kind of thing a group of fields is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// The header of a packet or frame, and all that it carries.
    Packet,
    /// One message inside a packet.
    Message,
    /// One item of a set inside a message, such as an object of a snapshot.
    Item,
    /// A structure inside one of the above.
    Group,
    /// A row of values of the same kind; its fields have no names of their own.
    List,
    /// Values of the group around it that are not in these bytes: what came before has said them,
    /// and they have not changed since.
    Baseline,
}

/// Listens to a decoder: which groups and fields it met, where they stand, what was odd.
///
/// Every method does nothing unless it is overridden, so `()` is the trace that nobody watches.
/// Calls nest: each `enter` and `enter_source` has its `leave`, also when decoding fails between.
pub trait Trace {
    /// Whether this trace wants everything. To one that does not, a decoder need tell neither the
    /// items of a set nor what is odd about the form of a single integer.
    #[inline]
    fn wants_details(&self) -> bool {
        false
    }

    /// A group begins. `span` may end where it starts: groups grow with what is in them.
    #[inline]
    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        let _ = (layer, name, span);
    }

    /// A further source of bytes begins (an inflated payload, a reassembled message): all spans
    /// until the matching `leave` count in `bytes`.
    #[inline]
    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        let _ = (name, bytes);
    }

    /// The innermost group or source ends.
    #[inline]
    fn exit(&mut self) {}

    /// A field of the innermost group; `name` is empty inside a list.
    #[inline]
    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        let _ = (name, span, value);
    }

    /// Something unusual at `span` that could be decoded all the same.
    #[inline]
    fn warning(&mut self, span: Span, oddity: &Warning) {
        let _ = (span, oddity);
    }

    /// The innermost group cannot be decoded further.
    #[inline]
    fn error(&mut self, error: &CodecError) {
        let _ = error;
    }

    /// The same with a sentence that says more than the error itself.
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
    fn warning(&mut self, span: Span, oddity: &Warning) {
        (**self).warning(span, oddity);
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
