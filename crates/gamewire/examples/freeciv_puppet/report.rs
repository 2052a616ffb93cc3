//! A world as JSON, field by field.

use gamewire::freeciv::world::{City, Tile, Unit, World};
use serde_json::json;

#[path = "../shared/fields.rs"]
mod fields;

use fields::fields;

/// All that a test compares.
pub(crate) fn world(world: &World) -> serde_json::Value {
    let shape = world.map().geometry();
    json!({
        "turn": world.turn(),
        "year": world.year(),
        "me": world.my_number(),
        "is_observer": world.is_observer(),
        "size": shape.map(|shape| [shape.xsize(), shape.ysize()]),
        "unit_types": world.rulesets().unit_types.iter().map(|kind| kind.rule_name.to_str_lossy()).collect::<Vec<_>>(),
        "players": world.players().map(|player| fields(player)).collect::<Vec<_>>(),
        "cities": world.cities().iter().map(city).collect::<Vec<_>>(),
        "units": world.units().iter().map(unit).collect::<Vec<_>>(),
        "tiles": world.map().tiles().map(tile).collect::<Vec<_>>(),
    })
}

fn city(city: &City) -> serde_json::Value {
    match city {
        City::Full(city) => json!({ "is_full": true, "fields": fields(&**city) }),
        City::Short(city) => json!({ "is_full": false, "fields": fields(&**city) }),
    }
}

fn unit(unit: &Unit) -> serde_json::Value {
    match unit {
        Unit::Full(unit) => json!({ "is_full": true, "fields": fields(&**unit) }),
        Unit::Short(unit) => json!({ "is_full": false, "fields": fields(&**unit) }),
    }
}

fn tile(tile: &Tile) -> serde_json::Value {
    json!({
        "tile": tile.tile,
        "known": tile.known.0,
        "terrain": tile.terrain,
        "continent": tile.continent,
        "owner": tile.owner,
        "extras_owner": tile.extras_owner,
        "worked": tile.worked,
        "resource": tile.resource,
        "extras": tile.extras.iter_ones().collect::<Vec<_>>(),
        "label": tile.label,
    })
}
