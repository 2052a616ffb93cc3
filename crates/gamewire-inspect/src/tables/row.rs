use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::schema::{OTHERS, column_name, is_reserved};
use super::table::Table;
use crate::render::JsonNode;

/// Sets the columns of a message or item: its fields, and the unchanged values of earlier packets.
pub(super) fn set_fields(table: &mut Table, message: NodeRef<'_>) {
    let mut others = Others(Vec::new());
    add(table, message, "", &mut others);
    if !others.0.is_empty()
        && let Ok(json) = serde_json::to_string(&others)
    {
        table.set(OTHERS, Value::Text(json.as_bytes()));
    }
}

fn add<'a>(table: &mut Table, group: NodeRef<'a>, prefix: &str, others: &mut Others<'a>) {
    for node in group.children() {
        let is_set = match (node.kind(), node.value()) {
            (NodeKind::Group(Layer::Message | Layer::Item) | NodeKind::Warning(_) | NodeKind::Error, _) => {
                true
            }
            (NodeKind::Source | NodeKind::Group(Layer::Baseline), _) => {
                add(table, node, prefix, others);
                true
            }
            (NodeKind::Field, Some(value)) => set(table, prefix, node.name(), value),
            (NodeKind::Group(Layer::Group), _) if holds_message(node) => {
                add(table, node, prefix, others);
                true
            }
            // A structure has one column, or a column for each of its fields.
            _ => set_json(table, prefix, node) || prefix.is_empty() && set_structure(table, node),
        };
        if !is_set {
            others.0.push(node);
        }
    }
}

fn set(table: &mut Table, prefix: &str, name: &str, value: Value<'_>) -> bool {
    // Most fields have the name of their column.
    if prefix.is_empty() && !is_reserved(name) {
        return table.set(name, value);
    }
    table.set(&column_name(prefix, name), value)
}

/// Sets the column of a list or structure, if it has one.
fn set_json(table: &mut Table, prefix: &str, node: NodeRef<'_>) -> bool {
    let name = column_name(prefix, node.name());
    table.has(&name)
        && serde_json::to_string(&JsonNode::new(node))
            .is_ok_and(|json| table.set(&name, Value::Text(json.as_bytes())))
}

/// Sets the columns of the fields of a structure, if each has one.
fn set_structure(table: &mut Table, node: NodeRef<'_>) -> bool {
    let name = column_name("", node.name());
    let mut fields = node.children();
    let is_known = fields.all(|field| table.has(&column_name(&name, field.name())));
    if is_known {
        for field in node.children() {
            match field.value() {
                Some(value) if field.kind() == NodeKind::Field => {
                    table.set(&column_name(&name, field.name()), value);
                }
                _ => {
                    set_json(table, &name, field);
                }
            }
        }
    }
    is_known
}

fn holds_message(node: NodeRef<'_>) -> bool {
    node.children().any(|child| child.kind() == NodeKind::Group(Layer::Message))
}

/// The fields without a column, by name.
struct Others<'a>(Vec<NodeRef<'a>>);

impl Serialize for Others<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for node in &self.0 {
            map.serialize_entry(node.name(), &JsonNode::new(*node))?;
        }
        map.end()
    }
}
