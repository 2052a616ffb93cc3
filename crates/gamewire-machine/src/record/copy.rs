//! Copies of parts of a record.

use gamewire_wire::{Span, Trace as _, Value};

use super::{Node, NodeKind, NodeRef, Record, StoredValue};

impl Record {
    /// Returns the approximate heap memory of the content in bytes, without spare capacity.
    pub const fn held_bytes(&self) -> usize {
        let nodes = self.nodes.len().saturating_mul(size_of::<Node>());
        let text = self.names.len().saturating_add(self.arena.len());
        nodes.saturating_add(text)
    }

    /// Appends a source named `name` that contains only the bytes of `node`, and in it a copy of `node` and its
    /// descendants.
    pub fn copy_as_source(&mut self, name: &str, node: NodeRef<'_>) {
        let source = node.record.source(node.source());
        let bytes = source.and_then(|source| source.get(node.span().byte_range()));
        self.enter_source(name, bytes.unwrap_or_default());
        self.copy(node, (node.source(), node.span().start_bit()), &|_| true);
        self.exit();
    }

    /// Appends a copy of `node` and its descendants. If `keep` returns false, it leaves out the node and its
    /// descendants.
    pub fn copy_where(&mut self, node: NodeRef<'_>, keep: impl Fn(NodeRef<'_>) -> bool) {
        self.copy(node, (usize::MAX, 0), &keep);
    }

    /// Copies a node. `origin` is the index of a source and the position of a bit in it: spans in this source become
    /// relative to that bit.
    fn copy(&mut self, node: NodeRef<'_>, origin: (usize, u32), keep: &dyn Fn(NodeRef<'_>) -> bool) {
        if !keep(node) {
            return;
        }
        let mut span = node.span();
        if node.source() == origin.0 {
            let length = span.end_bit().saturating_sub(span.start_bit());
            span = Span::bits(0, span.start_bit().saturating_sub(origin.1), length);
        }
        match (node.kind(), node.value()) {
            (NodeKind::Group(layer), _) => self.enter(layer, node.name(), span),
            (NodeKind::Source, Some(Value::Bytes(bytes))) => self.enter_source(node.name(), bytes),
            (kind, value) => {
                self.warnings = self.warnings.saturating_add(matches!(kind, NodeKind::Warning(_)).into());
                self.errors = self.errors.saturating_add((kind == NodeKind::Error).into());
                let value = value.map_or(StoredValue::None, |value| StoredValue::store(self, value));
                self.push(kind, node.name(), span, value);
                return;
            }
        }
        node.children().for_each(|child| self.copy(child, origin, keep));
        self.exit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_node_counts_its_bytes_from_its_start() {
        let record = super::super::tests::sample();
        let chat = record.nodes().find(|node| node.name() == "chat").unwrap();
        let mut copy = Record::new();
        copy.copy_as_source("message", chat);
        let shown: Vec<_> =
            copy.nodes().map(|node| format!("{} {} {}", node.depth(), node.name(), node.span())).collect();
        assert_eq!(shown, ["0 message 0..3", "1 chat 0..3", "2 text 0..3", "2 odd 2..3"]);
        assert_eq!((copy.warnings(), copy.source(0)), (1, Some(&b"hi\0"[..])));
        let packet = record.nodes().find(|node| node.name() == "packet").unwrap();
        copy.clear();
        copy.copy_where(packet, |node| node.name() != "chat");
        let names: Vec<_> = copy.nodes().map(|node| node.name()).collect();
        assert_eq!((names, copy.warnings()), (vec!["packet", "ack", "payload", "tail"], 0));
    }
}
