use serde_json::{Value as Json, json};

use crate::traffic::{Conversation, SnapshotView};

/// Returns a snapshot: the changes from its base, and the items with a position.
pub(crate) fn snapshot(view: &SnapshotView, conversation: Option<&Conversation>) -> Json {
    let player = |id: i64| conversation.and_then(|known| known.players.get(&id)).cloned();
    let changed = view.changed.iter().filter_map(|key| {
        let after = view.items.get(key)?;
        let before = view.before.get(key);
        let fields = after.fields.iter().map(|(name, value)| {
            let old = before.and_then(|old| old.fields.iter().find(|(known, _)| known == name));
            (name, old.map(|(_, value)| value), value)
        });
        let has_moved = before.is_none_or(|before| before.position != after.position);
        // If an item moved, list both coordinates, also the unchanged one.
        let fields: Vec<_> = fields
            .filter(|(name, old, new)| *old != Some(*new) || has_moved && matches!(name.as_str(), "x" | "y"))
            .map(|(name, old, new)| json!({"name": name, "before": old, "after": new}))
            .collect();
        Some(json!({
            "item": after.name, "id": key.1, "player": player(key.1),
            "is_new": before.is_none(), "fields": fields,
        }))
    });
    let deleted = view.deleted.iter().map(|key| {
        let name = view.before.get(key).map(|item| item.name.as_str());
        json!({"item": name, "type": key.0, "id": key.1})
    });
    let positions = view.items.iter().filter_map(|(key, item)| {
        let (x, y) = item.position?;
        let name = if item.name == "character" { player(key.1) } else { None };
        Some(json!({"item": item.name, "id": key.1, "name": name, "x": x, "y": y}))
    });
    json!({
        "tick": view.tick,
        "base": view.base,
        "is_complete": view.is_complete,
        "items": view.items.len(),
        "changed": changed.collect::<Vec<_>>(),
        "deleted": deleted.collect::<Vec<_>>(),
        "positions": positions.collect::<Vec<_>>(),
    })
}
