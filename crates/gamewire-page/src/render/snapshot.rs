use gamewire_tee::game_map::GameMap;
use serde_json::{Value as Json, json};

use crate::traffic::{Conversation, PresentTee, SnapshotField, SnapshotView};

/// Returns a snapshot: the changes from its base, and the items with a position. `map` has the tiles of its map.
pub(crate) fn snapshot(
    view: &SnapshotView,
    conversation: Option<&Conversation>,
    map: Option<&GameMap>,
) -> Json {
    let player = |id: i64| conversation.and_then(|known| known.players.get(&id)).cloned();
    let changed = view.changed.iter().filter_map(|key| {
        let after = view.items.get(key)?;
        let before = view.before.get(key);
        let fields = after.fields.iter().map(|SnapshotField { name, text, .. }| {
            let old = before.and_then(|old| old.fields.iter().find(|known| known.name == *name));
            (name, old.map(|old| &old.text), text)
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
    let tees = view.present_tees(map);
    let positions = view.items.iter().filter_map(|(key, item)| {
        let tee = tees.iter().find(|tee| item.name == "character" && tee.id == key.1);
        Some(match tee {
            Some(PresentTee { id, position: (x, y), age }) => {
                json!({"item": item.name, "id": id, "name": player(*id), "x": x, "y": y, "age": age})
            }
            None => {
                let (x, y) = item.position?;
                json!({"item": item.name, "id": key.1, "name": null, "x": x, "y": y, "age": 0})
            }
        })
    });
    let announced = view.map.as_ref();
    json!({
        "tick": view.tick,
        "base": view.base,
        "is_complete": view.is_complete,
        "items": view.items.len(),
        "changed": changed.collect::<Vec<_>>(),
        "deleted": deleted.collect::<Vec<_>>(),
        "positions": positions.collect::<Vec<_>>(),
        "map": announced.map(|announced| json!({"name": announced.info.name.to_string(), "is_known": map.is_some()})),
    })
}

/// Returns the tiles of a map, row by row: two hexadecimal digits for the index of each tile of the game layer or, where
/// that is air, of the front layer of DDNet.
pub(crate) fn game_map(map: &GameMap) -> Json {
    let layers = map.grid().layers();
    let front = layers.front.iter().map(|tile| tile.index).chain(std::iter::repeat(0));
    let tiles: Vec<u8> = layers
        .game
        .iter()
        .zip(front)
        .map(|(game, front)| if game.index == 0 { front } else { game.index })
        .collect();
    json!({"width": layers.width, "height": layers.height, "tiles": super::tree::hex(&tiles)})
}
