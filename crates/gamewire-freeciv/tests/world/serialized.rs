//! Serialization with the feature `serde`: packets, ids and the world as JSON.

use core::fmt::Debug;

use gamewire_freeciv::codec::{Bitvector, Text};
use gamewire_freeciv::number::{Activity, Production};
use gamewire_freeciv::packets::{CityInfo, PlayerInfo};
use gamewire_freeciv::play::Event;
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::CloseReason;
use gamewire_freeciv::session::server::ClientId;
use gamewire_freeciv::world::{Change, City};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::replay::{ALL, replay};

/// Serializes a value to JSON and back. Returns the JSON.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> serde_json::Value {
    let json = serde_json::to_value(value).unwrap();
    assert_eq!(serde_json::from_value::<T>(json.clone()).unwrap(), *value);
    json
}

#[test]
fn ids_numbers_and_changes_have_a_round_trip() {
    assert_eq!(round_trip(&ClientId(7)), 7);
    assert_eq!(round_trip(&Activity::Fortifying), "fortifying");
    assert_eq!(round_trip(&Production::unit(3))["id"], 3);
    assert_eq!(round_trip(&PlayerRole::playing(2))["player"], 2);
    let moved = Change::UnitMoved { unit: 5, from: 8, to: 9 };
    assert_eq!(round_trip(&moved), json!({ "UnitMoved": { "unit": 5, "from": 8, "to": 9 } }));
}

#[test]
fn a_city_has_a_round_trip_with_all_fields() {
    let mut city =
        CityInfo { id: 121, tile: 480, name: Text::try_from("Roma").unwrap(), ..CityInfo::default() };
    city.improvements.set(3, true);
    let json = round_trip(&City::Full(Box::new(city)));
    assert_eq!(json["Full"]["name"], "Roma");
    assert_eq!(json["Full"]["improvements"][0], 8);
    let odd = PlayerInfo { name: Text::try_from(&b"\xff"[..]).unwrap(), ..PlayerInfo::default() };
    assert_eq!(round_trip(&odd)["name"], json!([255]));
    assert_eq!(round_trip(&Bitvector::<2>([1, 128])), json!([1, 128]));
}

#[test]
fn wrong_fields_are_errors_and_missing_ones_are_zero() {
    let sparse: CityInfo = serde_json::from_value(json!({ "id": 9, "unknown": [1] })).unwrap();
    assert_eq!(sparse, CityInfo { id: 9, ..CityInfo::default() });
    for wrong in [json!({ "id": 5_000_000_000_u64 }), json!({ "id": "x" }), json!({ "name": "a\0b" })] {
        assert!(serde_json::from_value::<CityInfo>(wrong).is_err());
    }
}

#[test]
fn events_and_the_recorded_world_are_serialized() {
    let closed = Event::Closed(CloseReason::Left);
    assert_eq!(serde_json::to_value(&closed).unwrap()["Closed"], CloseReason::Left.to_string());
    let world = serde_json::to_value(replay("game", &ALL, |_, _| ())).unwrap();
    assert_eq!(world["state"], "Running");
    assert!(!world["rulesets"]["unit_types"].as_object().unwrap().is_empty());
}
