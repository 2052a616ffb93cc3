//! A world as JSON, field by field.

use std::collections::BTreeMap;

use gamewire::freeciv::world::{City, Tile, Unit, World};
use serde_json::json;

use super::details;

#[path = "../shared/fields.rs"]
mod fields;

pub(crate) use fields::fields;

/// Returns all data that a test compares.
pub(crate) fn world(world: &World) -> serde_json::Value {
    let shape = world.map().geometry();
    let rulesets = world.rulesets();
    let nations =
        rulesets.nations.iter().map(|nation| (nation.id.to_string(), nation.rule_name.to_str_lossy()));
    let advances =
        rulesets.advances.iter().map(|advance| (advance.id.to_string(), advance.rule_name.to_str_lossy()));
    let mut report = json!({
        "version": world.version().to_string(),
        "turn": world.turn(),
        "year": world.year(),
        "state": format!("{:?}", world.state()),
        "turn_started": world.turn_started(),
        "phase": world.phase(),
        "phase_mode": world.phase_mode().to_string(),
        "is_my_phase": world.is_my_phase(),
        "waiting_for": world.waiting_for().map(|player| player.playerno).collect::<Vec<_>>(),
        "loaded_game": world.loaded_game(),
        "computers": world.players().map(|it| it.playerno).filter(|it| world.is_ai(*it)).collect::<Vec<_>>(),
        "me": world.my_number(),
        "is_observer": world.is_observer(),
        "size": shape.map(|shape| [shape.xsize(), shape.ysize()]),
        "unit_types": rulesets.unit_types.iter().map(|kind| kind.rule_name.to_str_lossy()).collect::<Vec<_>>(),
        "full_hp": rulesets.unit_types.iter().map(|kind| kind.hp).collect::<Vec<_>>(),
        "buildings": rulesets.buildings.iter().map(|kind| kind.rule_name.to_str_lossy()).collect::<Vec<_>>(),
        "governments": rulesets.governments.iter().map(|kind| kind.rule_name.to_str_lossy()).collect::<Vec<_>>(),
        "nations": nations.collect::<BTreeMap<_, _>>(),
        "advances": advances.collect::<BTreeMap<_, _>>(),
        "research": world.my_research().map(|research| fields(research)),
        "relations": relations(world),
        "players": world.players().map(|player| fields(player)).collect::<Vec<_>>(),
        "cities": world.cities().iter().map(city).collect::<Vec<_>>(),
        "units": world.units().iter().map(unit).collect::<Vec<_>>(),
        "tiles": world.map().tiles().map(tile).collect::<Vec<_>>(),
    });
    details::add(world, &mut report);
    report
}

/// Returns the relations of the own player to the others, with the state names of saved games.
fn relations(world: &World) -> serde_json::Value {
    const STATES: [&str; 7] = ["Armistice", "War", "Cease-fire", "Peace", "Alliance", "Never met", "Team"];
    let Some(me) = world.my_number() else { return serde_json::Value::Null };
    let others = world.players().map(|player| player.playerno).filter(|number| *number != me);
    let known =
        others.filter_map(|number| Some((number.to_string(), world.diplomacy().relation(me, number)?)));
    let relation = known.map(|(number, relation)| {
        let state = STATES.get(usize::from(relation.state.0));
        let about = json!({
            "state": state,
            "turns_left": relation.turns_left,
            "contact_turns_left": relation.contact_turns_left,
            "reason_to_cancel": relation.reason_to_cancel,
        });
        (number, about)
    });
    relation.collect()
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
