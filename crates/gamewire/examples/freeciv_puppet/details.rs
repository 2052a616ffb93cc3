//! Parts of a world as JSON that are not in the packets of players, cities and units.

use gamewire::freeciv::rules::governments;
use gamewire::freeciv::world::{City, CityDetails, SettingValue, World};
use serde_json::{Value, json};

use super::report::fields;

/// Adds the parts to the JSON of a world.
pub(crate) fn add(world: &World, report: &mut Value) {
    let rulesets = world.rulesets();
    let achievements = world.achievements().map(|(id, it)| json!([id, it.gained, it.first]));
    report["game"] = world.game().map(|game| fields(game)).into();
    report["terrains"] =
        rulesets.terrains.iter().map(|it| json!([it.id, it.rule_name.to_str_lossy()])).collect();
    report["extras"] = rulesets.extras.iter().map(|it| it.rule_name.to_str_lossy()).collect();
    report["styles"] = rulesets.styles.iter().map(|it| it.rule_name.to_str_lossy()).collect();
    report["city_styles"] = rulesets.city_styles.iter().map(|it| it.rule_name.to_str_lossy()).collect();
    report["goods"] = rulesets.goods.iter().map(|it| it.rule_name.to_str_lossy()).collect();
    report["achievement_names"] =
        rulesets.achievements.iter().map(|it| it.rule_name.to_str_lossy()).collect();
    report["achievements"] = achievements.collect();
    report["settings"] = world.settings().iter().map(|(name, value)| json!([name, setting(value)])).collect();
    report["max_rates"] = governments(world).map(|it| json!([it.rule_name(), it.max_rate()])).collect();
    report["researches"] = researches(world);
    report["spaceships"] = spaceships(world);
    report["city_details"] = world.cities().iter().map(|city| details(world, city)).collect();
}

/// Returns the known research of all players.
fn researches(world: &World) -> Value {
    let players = world.players().map(|player| player.playerno);
    players.filter_map(|number| Some(json!([number, fields(world.research(number)?)]))).collect()
}

fn spaceships(world: &World) -> Value {
    let players = world.players().map(|player| player.playerno);
    players.filter_map(|number| world.spaceship(number)).map(|ship| fields(ship)).collect()
}

fn setting(value: &SettingValue) -> Value {
    match value {
        SettingValue::Bool(it) => fields(it),
        SettingValue::Int(it) => fields(it),
        SettingValue::Str(it) => fields(&**it),
        SettingValue::Enum(it) => fields(&**it),
        SettingValue::Bitwise(it) => fields(&**it),
    }
}

/// Returns the data of a city that its own packet does not contain.
fn details(world: &World, city: &City) -> Value {
    let none = CityDetails::default();
    let details = world.city_details(city.id()).unwrap_or(&none);
    json!({
        "city": city.id(),
        "trade_routes": details.trade_routes.values().map(|it| fields(it)).collect::<Vec<_>>(),
        "nationalities": details.nationalities.as_ref().map(|it| fields(it)),
        "rally_point": details.rally_point.as_ref().map(|it| fields(it)),
        "counters": details.counters,
    })
}
