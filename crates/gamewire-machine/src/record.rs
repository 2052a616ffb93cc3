//! A [`Record`]: the packets, messages and fields of one datagram, as a flat tree.
//!
//! [`Record::clear`] empties its buffers but does not free them: once warm, a record is filled
//! without an allocation.

mod arena;
mod copy;
mod packed;

use core::fmt;
use std::io::Write as _;

use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

use arena::{ArenaRange, saturating_u32};
pub use packed::{PackedRecord, RecordPacker};

/// A trace that stores everything, in order, as a tree.
#[derive(Clone, Debug, Default)]
pub struct Record {
    nodes: Vec<Node>,
    /// Names. They are separate from the bytes of peers, so that reading a name needs no UTF-8 check.
    names: String,
    /// Bytes of sources and values.
    arena: Vec<u8>,
    sources: Vec<ArenaRange>,
    open: Vec<OpenNode>,
    warnings: u32,
    errors: u32,
}

#[derive(Clone, Debug)]
struct Node {
    kind: NodeKind,
    depth: u16,
    source: u16,
    span: Span,
    /// Range in `names`.
    name: ArenaRange,
    /// One past the last node of this subtree.
    end: u32,
    value: StoredValue,
}

#[derive(Clone, Copy, Debug)]
struct OpenNode {
    node: u32,
    source_before: u16,
}

/// The kind of a record's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A group of nodes.
    Group(Layer),
    /// A further source of bytes. The spans of its descendants are relative to it.
    Source,
    /// A field with a value.
    Field,
    /// A warning. The name is its kind, and the value is its explanation.
    Warning(gamewire_wire::Consequence),
    /// The error that ended decoding. The value is its explanation.
    Error,
}

/// One node of a record, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'a> {
    record: &'a Record,
    node: &'a Node,
    index: usize,
}

impl Record {
    /// Creates an empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes everything but keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.names.clear();
        self.arena.clear();
        self.sources.clear();
        self.open.clear();
        self.warnings = 0;
        self.errors = 0;
    }

    /// Returns every node, parents before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeRef<'_>> {
        self.nodes.iter().enumerate().map(|(index, node)| NodeRef { record: self, node, index })
    }

    /// Returns the nodes that have no parent.
    pub fn roots(&self) -> impl Iterator<Item = NodeRef<'_>> {
        self.siblings(0, self.nodes.len())
    }

    /// Returns the bytes of source `index`; 0 is the datagram.
    pub fn source(&self, index: usize) -> Option<&[u8]> {
        self.sources.get(index).map(|piece| self.piece(*piece))
    }

    /// Returns the number of warnings.
    pub const fn warnings(&self) -> u32 {
        self.warnings
    }

    /// Returns the number of errors.
    pub const fn errors(&self) -> u32 {
        self.errors
    }

    fn siblings(&self, start: usize, end: usize) -> impl Iterator<Item = NodeRef<'_>> {
        let mut at = start;
        core::iter::from_fn(move || {
            let node = self.nodes.get(..end)?.get(at)?;
            let found = NodeRef { record: self, node, index: at };
            at = node.end as usize;
            Some(found)
        })
    }

    fn piece(&self, piece: ArenaRange) -> &[u8] {
        piece.bytes(&self.arena)
    }

    fn name(&self, name: ArenaRange) -> &str {
        name.name(&self.names)
    }

    fn push_name(&mut self, name: &str) -> ArenaRange {
        let start = saturating_u32(self.names.len());
        self.names.push_str(name);
        ArenaRange { start, end: saturating_u32(self.names.len()) }
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> ArenaRange {
        let start = saturating_u32(self.arena.len());
        self.arena.extend_from_slice(bytes);
        ArenaRange { start, end: saturating_u32(self.arena.len()) }
    }

    fn source_now(&self) -> u16 {
        self.open.last().and_then(|open| self.nodes.get(open.node as usize)).map_or(0, |node| node.source)
    }

    #[inline]
    fn push(&mut self, kind: NodeKind, name: &str, span: Span, value: StoredValue) {
        let source = self.source_now();
        self.push_in(source, kind, name, span, value);
    }

    /// Adds a node with a known source.
    #[inline]
    fn push_in(&mut self, source: u16, kind: NodeKind, name: &str, span: Span, value: StoredValue) {
        let name = self.push_name(name);
        let depth = u16::try_from(self.open.len()).unwrap_or(u16::MAX);
        let end = saturating_u32(self.nodes.len()).saturating_add(1);
        self.nodes.push(Node { kind, depth, source, span, name, end, value });
    }

    fn open(&mut self, source_before: u16) {
        self.open.push(OpenNode { node: saturating_u32(self.nodes.len().saturating_sub(1)), source_before });
    }
}

/// A [`Value`] with its borrowed parts in the record.
#[derive(Clone, Copy, Debug)]
enum StoredValue {
    None,
    Plain(Value<'static>),
    Named { value: i64, name: ArenaRange },
    Text(ArenaRange),
    Bytes(ArenaRange),
}

impl StoredValue {
    fn store(record: &mut Record, value: Value<'_>) -> Self {
        match value {
            Value::Bool(value) => Self::Plain(Value::Bool(value)),
            Value::Int(value) => Self::Plain(Value::Int(value)),
            Value::Uint(value) => Self::Plain(Value::Uint(value)),
            Value::Float(value) => Self::Plain(Value::Float(value)),
            Value::Double(value) => Self::Plain(Value::Double(value)),
            Value::Hex { value, digits } => Self::Plain(Value::Hex { value, digits }),
            Value::Decimal { raw, scale } => Self::Plain(Value::Decimal { raw, scale }),
            Value::Flags { bits, names } => Self::Plain(Value::Flags { bits, names }),
            Value::Uuid(uuid) => Self::Plain(Value::Uuid(uuid)),
            Value::Named { value, name } => Self::Named { value, name: record.push_name(name) },
            Value::Text(text) => Self::Text(record.push_bytes(text)),
            Value::Bytes(bytes) => Self::Bytes(record.push_bytes(bytes)),
        }
    }

    fn get(self, record: &Record) -> Option<Value<'_>> {
        Some(match self {
            Self::None => return None,
            Self::Plain(value) => value,
            Self::Named { value, name } => Value::Named { value, name: record.name(name) },
            Self::Text(piece) => Value::Text(record.piece(piece)),
            Self::Bytes(piece) => Value::Bytes(record.piece(piece)),
        })
    }
}

impl Trace for Record {
    fn wants_details(&self) -> bool {
        true
    }

    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        let source = self.source_now();
        self.push_in(source, NodeKind::Group(layer), name, span, StoredValue::None);
        self.open(source);
    }

    fn enter_source(&mut self, name: &str, bytes: &[u8]) {
        let before = self.source_now();
        let bytes_kept = self.push_bytes(bytes);
        let index = u16::try_from(self.sources.len()).unwrap_or(u16::MAX);
        self.sources.push(bytes_kept);
        let (span, value) = (Span::bytes(0, bytes.len()), StoredValue::Bytes(bytes_kept));
        self.push_in(index, NodeKind::Source, name, span, value);
        self.open(before);
    }

    fn exit(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        let end = saturating_u32(self.nodes.len());
        let Some(node) = self.nodes.get_mut(closed.node as usize) else { return };
        node.end = end;
        let (span, same_source) = (node.span, node.source == closed.source_before);
        if let Some(parent) = self.open.last().and_then(|open| self.nodes.get_mut(open.node as usize))
            && same_source
        {
            parent.span = parent.span.join(span);
        }
    }

    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        let value = StoredValue::store(self, value);
        let parent = self.open.last().and_then(|open| self.nodes.get_mut(open.node as usize));
        let source = parent.map_or(0, |parent| {
            parent.span = parent.span.join(span);
            parent.source
        });
        self.push_in(source, NodeKind::Field, name, span, value);
    }

    fn warning(&mut self, span: Span, warning: &Warning) {
        self.warnings = self.warnings.saturating_add(1);
        let text = StoredValue::Plain(Value::Text(warning.text.as_bytes()));
        self.push(NodeKind::Warning(warning.consequence), warning.name, span, text);
    }

    fn error(&mut self, error: &CodecError) {
        self.error_with_context(error, error);
    }

    fn error_with_context(&mut self, error: &CodecError, sentence: &dyn fmt::Display) {
        self.errors = self.errors.saturating_add(1);
        let start = saturating_u32(self.arena.len());
        // Writing to a vector cannot fail. If the sentence fails to format, the text before the error is kept.
        let _ = write!(self.arena, "{sentence}");
        let text = ArenaRange { start, end: saturating_u32(self.arena.len()) };
        let span = Span::bytes(error.offset, error.offset.saturating_add(1));
        self.push(NodeKind::Error, "error", span, StoredValue::Text(text));
    }
}

impl<'a> NodeRef<'a> {
    /// Returns the kind of this node.
    pub const fn kind(&self) -> NodeKind {
        self.node.kind
    }

    /// Returns the number of groups and sources that contain the node.
    pub fn depth(&self) -> usize {
        usize::from(self.node.depth)
    }

    /// Returns the name. It is empty for the members of a list.
    pub fn name(&self) -> &'a str {
        self.record.name(self.node.name)
    }

    /// Returns the range of the node's bits in its [source](NodeRef::source).
    pub const fn span(&self) -> Span {
        self.node.span
    }

    /// Returns the index of the source that the span refers to.
    pub fn source(&self) -> usize {
        usize::from(self.node.source)
    }

    /// Returns the value of a field, the bytes of a source, or the explanation of a warning or error.
    pub fn value(&self) -> Option<Value<'a>> {
        self.node.value.get(self.record)
    }

    /// Returns the direct children of the node.
    pub fn children(&self) -> impl Iterator<Item = NodeRef<'a>> + use<'a> {
        self.record.siblings(self.index.saturating_add(1), self.node.end as usize)
    }

    /// Returns the first direct child with a name, such as a field of a message.
    pub fn child(&self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sample() -> Record {
        let mut record = Record::new();
        record.enter_source("datagram", &[1, 2, 3]);
        record.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        record.field("ack", Span::bits(0, 6, 10), Value::Int(258));
        record.enter_source("payload", b"hi\0");
        record.enter(Layer::Message, "chat", Span::bytes(0, 3));
        record.field("text", Span::bytes(0, 3), Value::Text(b"hi"));
        record.warning(Span::bytes(2, 3), &Warning::tolerated("odd", "It is odd."));
        record.exit();
        record.exit();
        record.field("tail", Span::bytes(2, 3), Value::Uuid([7; 16]));
        record.exit();
        record.exit();
        record
    }

    #[test]
    fn keeps_the_tree_in_the_order_of_the_calls() {
        let record = sample();
        let shown: Vec<_> =
            record.nodes().map(|node| format!("{} {} {}", node.depth(), node.name(), node.span())).collect();
        assert_eq!(
            shown,
            [
                "0 datagram 0..3",
                "1 packet 0..3",
                "2 ack 0.6..2.0",
                "2 payload 0..3",
                "3 chat 0..3",
                "4 text 0..3",
                "4 odd 2..3",
                "2 tail 2..3"
            ]
        );
        assert_eq!(record.warnings(), 1);
    }

    #[test]
    fn spans_count_in_the_source_that_was_open() {
        let record = sample();
        let text = record.nodes().find(|node| node.name() == "text").unwrap();
        assert_eq!(record.source(text.source()).unwrap(), b"hi\0");
        let tail = record.nodes().find(|node| node.name() == "tail").unwrap();
        assert_eq!(record.source(tail.source()).unwrap(), [1, 2, 3]);
        assert_eq!(tail.value(), Some(Value::Uuid([7; 16])));
    }

    #[test]
    fn children_are_the_direct_ones() {
        let record = sample();
        let packet = record.nodes().find(|node| node.name() == "packet").unwrap();
        let names: Vec<_> = packet.children().map(|node| node.name()).collect();
        assert_eq!(names, ["ack", "payload", "tail"]);
        assert_eq!(packet.child("payload").map(|node| node.name()), Some("payload"));
        assert!(packet.child("packet").is_none());
        assert_eq!(record.roots().count(), 1);
    }

    #[test]
    fn is_used_again_without_growing() {
        let mut record = sample();
        let capacity = (record.nodes.capacity(), record.arena.capacity());
        record.clear();
        assert_eq!(record.nodes().count(), 0);
        for _ in 0..3 {
            record.clear();
            record.enter(Layer::Packet, "packet", Span::bytes(0, 1));
            record.exit();
        }
        assert_eq!((record.nodes.capacity(), record.arena.capacity()), capacity);
    }

    #[test]
    fn a_second_leave_is_ignored() {
        let mut record = Record::new();
        record.exit();
        record.field("x", Span::default(), Value::Bool(true));
        assert_eq!(record.roots().count(), 1);
    }
}
