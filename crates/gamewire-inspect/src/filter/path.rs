use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;

/// Maximum nesting of groups. No decoder nests as deeply.
const MAX_DEPTH: usize = 24;

/// The path of groups or fields: the protocol, the names of any number of enclosing groups, and the last name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) protocol: String,
    pub(super) names: Vec<String>,
}

impl Path {
    /// Returns the nodes of `record` with this path. Members of a list have the path of the list.
    pub(super) fn find<'a>(&'a self, record: &'a Record) -> impl Iterator<Item = NodeRef<'a>> {
        let mut open = OpenGroups::default();
        record.nodes().filter(move |node| match node.kind() {
            // Unchanged values count as fields of the enclosing group.
            NodeKind::Group(Layer::Baseline) => {
                open.close(node.depth());
                false
            }
            NodeKind::Group(_) => {
                open.close(node.depth());
                open.enter(node.depth(), node.name());
                !node.name().is_empty() && open.end_with(&self.names)
            }
            NodeKind::Field => {
                open.close(node.depth());
                match self.names.split_last() {
                    Some((last, groups)) if !node.name().is_empty() => {
                        node.name() == last && open.end_with(groups)
                    }
                    _ => open.end_with(&self.names),
                }
            }
            NodeKind::Source | NodeKind::Warning(_) | NodeKind::Error => false,
        })
    }
}

/// The named groups that enclose the current node of a walk over a record.
#[derive(Default)]
struct OpenGroups<'a> {
    groups: [(usize, &'a str); MAX_DEPTH],
    count: usize,
}

impl<'a> OpenGroups<'a> {
    /// Removes the groups that do not enclose a node at `depth`.
    fn close(&mut self, depth: usize) {
        while let Some(last) = self.count.checked_sub(1)
            && self.groups.get(last).is_some_and(|(opened_at, _)| *opened_at >= depth)
        {
            self.count = last;
        }
    }

    fn enter(&mut self, depth: usize, name: &'a str) {
        if !name.is_empty()
            && let Some(slot) = self.groups.get_mut(self.count)
        {
            *slot = (depth, name);
            self.count = self.count.saturating_add(1);
        }
    }

    fn end_with(&self, names: &[String]) -> bool {
        let open = self.groups.get(..self.count).unwrap_or_default();
        let Some(tail) = open.len().checked_sub(names.len()).and_then(|start| open.get(start..)) else {
            return false;
        };
        tail.iter().zip(names).all(|((_, open), name)| open == name)
    }
}

#[cfg(test)]
mod tests {
    use gamewire_machine::{ConversationSide, Follow, Instant};

    use super::*;
    use crate::protocol::test_protocol::TestProtocol;

    fn found(path: &str) -> Vec<String> {
        let mut record = Record::new();
        TestProtocol::default().follow(
            Instant::ZERO,
            ConversationSide::First,
            b"toy\0say hi\nworld 5\nsay ho",
            &mut record,
        );
        let names = path.split('.').map(str::to_owned).collect();
        let path = Path { protocol: "toy".into(), names };
        path.find(&record).map(|node| format!("{:?}", node.value())).collect()
    }

    #[test]
    fn a_field_is_found_by_its_group_and_by_longer_paths() {
        assert_eq!(found("say.text").len(), 2);
        assert_eq!(found("packet.chunk.say.text").len(), 2);
        assert_eq!(found("chunk.size").len(), 3);
        assert_eq!(found("packet.size").len(), 0);
        assert_eq!(found("world.player.x"), ["Some(Int(5))", "Some(Int(5))"]);
    }

    #[test]
    fn lists_and_their_members_are_found() {
        assert_eq!(found("world.sizes"), ["None", "Some(Int(7))", "Some(Int(9))"]);
    }

    #[test]
    fn groups_are_found_by_name() {
        assert_eq!(found("player").len(), 2);
        assert_eq!(found("say.player").len(), 0);
    }
}
