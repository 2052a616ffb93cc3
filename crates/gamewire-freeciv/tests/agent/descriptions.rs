//! Descriptions of the world and of events, as programs read them.

use gamewire_freeciv::agent::Event;
use gamewire_freeciv::agent::view::{
    EventView, MapLayers, Part, WorldView, city_columns, player_columns, unit_columns,
};
use serde_json::{Value as Json, json};

use super::{entered, execute};
use crate::play::support::run;

#[test]
fn columns_have_the_numbers_of_the_views() {
    let (table, alice, _) = entered();
    let world = table.client(alice).unwrap().world();
    let view = serde_json::to_value(WorldView::new(world, &[Part::Units, Part::Players])).unwrap();
    let values = |columns: &[(&str, Vec<i32>)], name: &str| -> Json {
        json!(columns.iter().find(|(of, _)| *of == name).unwrap().1)
    };
    let of = |part: &str, field: &str| -> Json {
        view[part].as_array().unwrap().iter().map(|it| it[field].clone()).collect()
    };
    let units = unit_columns(world);
    for name in ["id", "owner", "tile", "hp", "veteran", "moves_left"] {
        assert_eq!(values(&units, name), of("units", name), "{name}");
    }
    assert_eq!(values(&player_columns(world), "gold"), of("players", "gold"));
    assert!(city_columns(world).iter().all(|(_, column)| column.is_empty()), "there is no city yet");
}

#[test]
fn layers_have_a_number_for_each_tile() {
    let (table, alice, _) = entered();
    let world = table.client(alice).unwrap().world();
    let map = MapLayers::new(world).unwrap();
    assert!(map.layers.iter().all(|(_, layer)| layer.len() == map.columns * map.rows));
    let layer = |name: &str| &map.layers.iter().find(|(of, _)| *of == name).unwrap().1;
    for (index, units) in layer("units").iter().enumerate() {
        let tile = i32::try_from(index).unwrap();
        assert_eq!(usize::try_from(*units).unwrap(), world.units_at(tile).count());
        let known = world.map().tile(tile);
        assert_eq!(layer("known")[index], known.map_or(0, |tile| tile.known.0.into()));
        assert_eq!(layer("terrain")[index], known.and_then(|it| it.terrain).map_or(-1, i32::from));
    }
    assert_eq!(layer("units").iter().sum::<i32>(), i32::try_from(world.units().iter().len()).unwrap());
}

#[test]
fn events_are_described_by_the_names_of_the_command() {
    let (mut table, alice, mut events) = entered();
    execute(&mut table, alice, r#"{"end_turn":{}}"#);
    run(&mut table, 1);
    events.extend(table.take_events(alice));
    let world = table.client(alice).unwrap().world();
    let views: Vec<Json> = events
        .iter()
        .filter_map(|event| EventView::new(world, event))
        .map(|view| serde_json::to_value(view).unwrap())
        .collect();
    let find = |name: &str| views.iter().find(|view| view["event"] == name).unwrap();
    assert_eq!(find("state")["game"]["state"], "running");
    assert_eq!(find("turn")["turn"], 2);
    assert_eq!(
        find("reply"),
        &json!({"event": "reply", "id": 0, "outcome": "done", "text": null, "answer": null})
    );
    assert!(events.iter().any(|event| matches!(event, Event::PhaseBegan { .. })));
    assert!(views.iter().all(|view| view["event"] != "phase"), "all players move at the same time");
}
