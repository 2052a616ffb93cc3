//! The world and answers as JSON, with the names of the ruleset.

use gamewire_freeciv::number::{Output, Production, ProductionKind};
use gamewire_freeciv::packets::{CityInfo, PlayerInfo};
use gamewire_freeciv::rules::{self, Growth};
use gamewire_freeciv::world::{
    ActionTarget, City, GameState, LegalAction, Rule, SubTarget, Table, Tile, Unit, World,
};
use serde_json::{Map, Value as Json, json};

use super::request::Part;

/// The parts of the world that are described if a command names none.
const USUAL: [Part; 5] = [Part::Game, Part::Me, Part::Players, Part::Cities, Part::Units];

/// Returns parts of the world as JSON.
pub(super) fn world(world: &World, parts: Option<&[Part]>) -> Json {
    let mut object = Map::new();
    for part in parts.unwrap_or(&USUAL) {
        let (name, value) = match part {
            Part::Game => ("game", game(world)),
            Part::Me => ("me", me(world)),
            Part::Players => ("players", world.players().map(|it| player(world, it)).collect()),
            Part::Cities => ("cities", world.cities().iter().map(|it| city(world, it)).collect()),
            Part::Units => ("units", world.units().iter().map(|it| unit(world, it)).collect()),
            Part::Tiles => ("tiles", world.map().tiles().map(|it| tile(world, it)).collect()),
            Part::Rules => ("rules", ruleset(world)),
            Part::Meetings => ("meetings", meetings(world)),
        };
        object.insert(name.to_owned(), value);
    }
    Json::Object(object)
}

fn game(world: &World) -> Json {
    let size = world.map().geometry().map(|geometry| [geometry.xsize(), geometry.ysize()]);
    let state = match world.state() {
        GameState::Pregame => "pregame",
        GameState::Running => "running",
        GameState::Over => "over",
    };
    json!({
        "version": world.version().to_string(),
        "state": state,
        "turn": world.turn(),
        "year": world.year(),
        "size": size,
        "seconds_left": world.seconds_left(),
    })
}

fn me(world: &World) -> Json {
    let (Some(me), research) = (world.me(), world.my_research()) else { return Json::Null };
    let advance = |id: u16| world.rulesets().advances.get(id).map(|advance| advance.rule_name.to_str_lossy());
    let known = world.rulesets().advances.iter().filter(|advance| world.has_advance(me.playerno, advance.id));
    let mut object = player(world, me);
    if let Some(fields) = object.as_object_mut() {
        fields.insert("tax".into(), me.tax.into());
        fields.insert("luxury".into(), me.luxury.into());
        fields.insert("science".into(), me.science.into());
        fields
            .insert("researching".into(), json!(research.and_then(|research| advance(research.researching))));
        fields
            .insert("research_goal".into(), json!(research.and_then(|research| advance(research.tech_goal))));
        fields.insert("bulbs".into(), json!(research.map(|research| research.bulbs_researched)));
        fields.insert("bulbs_needed".into(), json!(research.map(|research| research.researching_cost)));
        fields.insert("revolution_finishes".into(), me.revolution_finishes.into());
        fields.insert(
            "can_research".into(),
            rules::researchable(world).map(|it| json!(it.rule_name.to_str_lossy())).collect(),
        );
        fields.insert("advances".into(), known.map(|it| json!(it.rule_name.to_str_lossy())).collect());
    }
    object
}

pub(super) fn player(world: &World, player: &PlayerInfo) -> Json {
    let rules = world.rulesets();
    let government = rules.governments.get(player.government).map(|it| it.rule_name.to_str_lossy());
    let nation = rules.nations.get(player.nation).map(|it| it.rule_name.to_str_lossy());
    let relation = world.my_number().and_then(|me| world.diplomacy().relation(me, player.playerno));
    json!({
        "player": player.playerno,
        "name": player.name.to_str_lossy(),
        "nation": nation,
        "government": government,
        "is_alive": player.is_alive,
        "score": player.score,
        "gold": player.gold,
        "team": player.team,
        "turns_alive": player.turns_alive,
        "love": world.my_number().and_then(|me| player.love.get(usize::from(me))),
        "relation": relation.and_then(|relation| relation.state.name()),
    })
}

pub(super) fn city(world: &World, city: &City) -> Json {
    let mut object = json!({
        "id": city.id(),
        "name": city.name(),
        "owner": city.owner(),
        "tile": city.tile(),
        "position": position(world, city.tile()),
        "size": city.size(),
    });
    let buildings = world.rulesets().buildings.iter().filter(|building| city.has_building(building.id));
    let buildings: Json = buildings.map(|building| json!(building.rule_name.to_str_lossy())).collect();
    if let Some(fields) = object.as_object_mut() {
        fields.insert("buildings".into(), buildings);
        if let Some(full) = city.full() {
            let outputs = ["food", "shield", "trade", "gold", "luxury", "science"];
            let surplus: Map<String, Json> = outputs
                .iter()
                .zip(full.surplus)
                .map(|(name, surplus)| ((*name).to_owned(), surplus.into()))
                .collect();
            fields.insert("production".into(), production(world, city));
            fields.insert("surplus".into(), surplus.into());
            fields.insert("food_stock".into(), full.food_stock.into());
            fields.insert("shield_stock".into(), full.shield_stock.into());
            fields.insert("granary_size".into(), json!(rules::granary_size(world, city.size())));
            fields.insert("growth".into(), growth(world, city));
            fields.insert(
                "turns_to_build".into(),
                json!(city.production().and_then(|it| rules::turns_to_build(world, city, it))),
            );
            fields.insert("can_build".into(), can_build(world, city));
            fields.insert("citizens".into(), citizens(full));
            fields.insert("specialists".into(), json!(full.specialists));
            fields.insert("worklist".into(), worklist(world, full));
            fields.insert("trade_routes".into(), trade_routes(world, city));
            fields.insert("pollution".into(), full.pollution.into());
            fields.insert("waste".into(), json!(full.waste));
            fields.insert("turn_last_built".into(), full.turn_last_built.into());
            fields.insert("buy_cost".into(), full.buy_cost.into());
            fields.insert("did_buy".into(), full.did_buy.into());
        }
    }
    object
}

/// Returns the number of turns until the size of a city changes, or the reason why it does not.
fn growth(world: &World, city: &City) -> Json {
    match rules::growth(world, city) {
        Some(Growth::Grows { turns }) => json!({ "grows_in": turns }),
        Some(Growth::Shrinks { turns }) => json!({ "shrinks_in": turns }),
        Some(Growth::Full) => json!("needs a building"),
        Some(Growth::Stays) => json!("stays"),
        None => Json::Null,
    }
}

/// Returns the names of the units and buildings that a city can build now.
fn can_build(world: &World, city: &City) -> Json {
    let legal = rules::productions(world, city).filter(|(_, answer)| answer.is_yes());
    legal.map(|(production, _)| name_of(world, production)).collect()
}

/// Returns the number of citizens in each mood, after all buildings and units.
fn citizens(city: &CityInfo) -> Json {
    let last = |moods: [u8; 6]| moods.last().copied();
    json!({
        "happy": last(city.ppl_happy),
        "content": last(city.ppl_content),
        "unhappy": last(city.ppl_unhappy),
        "angry": last(city.ppl_angry),
    })
}

/// Returns the trade routes of one of the player's cities.
fn trade_routes(world: &World, city: &City) -> Json {
    let details = world.city_details(city.id());
    let routes = details.into_iter().flat_map(|details| details.trade_routes.values());
    let goods = |id: u8| world.rulesets().goods.get(id).map(|goods| goods.rule_name.to_str_lossy());
    routes
        .map(|route| json!({ "city": route.partner, "value": route.value, "goods": goods(route.goods) }))
        .collect()
}

/// Returns the names of the productions that follow the current one of a city.
fn worklist(world: &World, city: &CityInfo) -> Json {
    let items = city.worklist.0.iter();
    items.map(|item| name_of(world, Production { kind: ProductionKind(item.kind), id: item.id })).collect()
}

fn production(world: &World, city: &City) -> Json {
    city.production().map_or(Json::Null, |made| name_of(world, made))
}

fn name_of(world: &World, made: Production) -> Json {
    let rules = world.rulesets();
    let name = match made.kind {
        ProductionKind::UNIT => rules.unit_types.get(made.id).map(|it| it.rule_name.to_str_lossy()),
        _ => rules.buildings.get(made.id).map(|it| it.rule_name.to_str_lossy()),
    };
    json!(name)
}

pub(super) fn unit(world: &World, unit: &Unit) -> Json {
    let mut object = json!({
        "id": unit.id(),
        "type": world.type_of(unit).map(|it| it.rule_name.to_str_lossy()),
        "owner": unit.owner(),
        "tile": unit.tile(),
        "position": position(world, unit.tile()),
        "hp": unit.hp(),
        "veteran": unit.veteran(),
        "activity": world.activity_of(unit).map(|activity| activity.name()),
        "transported_by": unit.transported_by(),
    });
    if let (Some(fields), Some(full)) = (object.as_object_mut(), unit.full()) {
        fields.insert("moves_left".into(), full.movesleft.into());
        fields.insert("is_idle".into(), unit.is_idle().into());
        fields.insert("upkeep".into(), json!(full.upkeep));
        fields.insert("home_city".into(), json!((full.homecity != 0).then_some(full.homecity)));
    }
    object
}

pub(super) fn tile(world: &World, tile: &Tile) -> Json {
    let extras = world.rulesets().extras.iter().filter(|extra| tile.has_extra(extra.id));
    let outputs = [("food", Output::FOOD), ("shield", Output::SHIELD), ("trade", Output::TRADE)];
    let outputs =
        outputs.map(|(name, output)| (name.to_owned(), json!(rules::tile_output(world, None, tile, output))));
    let output: Map<String, Json> = outputs.into_iter().collect();
    json!({
        "tile": tile.tile,
        "position": position(world, tile.tile),
        "known": tile.known.name(),
        "terrain": world.terrain_of(tile).map(|terrain| terrain.rule_name.to_str_lossy()),
        "extras": extras.map(|extra| json!(extra.rule_name.to_str_lossy())).collect::<Vec<_>>(),
        "owner": tile.owner,
        "worked_by": tile.worked,
        "output": output,
    })
}

fn ruleset(world: &World) -> Json {
    let rules = world.rulesets();
    let units = rules.unit_types.iter().map(|it| {
        json!({
            "name": it.rule_name.to_str_lossy(),
            "cost": it.build_cost,
            "attack": it.attack_strength,
            "defense": it.defense_strength,
            "moves": it.move_rate,
            "hp": it.hp,
        })
    });
    let buildings = rules.buildings.iter();
    let buildings = buildings
        .map(|it| json!({ "name": it.rule_name.to_str_lossy(), "cost": it.build_cost, "upkeep": it.upkeep }));
    json!({
        "unit_types": units.collect::<Vec<_>>(),
        "buildings": buildings.collect::<Vec<_>>(),
        "advances": names(&rules.advances),
        "governments": names(&rules.governments),
        "terrains": names(&rules.terrains),
        "extras": names(&rules.extras),
        "specialists": names(&rules.specialists),
    })
}

/// Returns the names of all rules of a table.
fn names<T: Rule>(table: &Table<T>) -> Json {
    table.iter().map(|rule| json!(String::from_utf8_lossy(rule.rule_name()))).collect()
}

fn meetings(world: &World) -> Json {
    let meeting = world.diplomacy().meetings().map(|(with, meeting)| {
        let clauses = meeting.clauses.iter().map(
            |clause| json!({ "giver": clause.giver, "clause": clause.clause.name(), "value": clause.value }),
        );
        json!({
            "player": with,
            "clauses": clauses.collect::<Vec<_>>(),
            "i_accepted": meeting.i_accepted,
            "other_accepted": meeting.other_accepted,
        })
    });
    meeting.collect()
}

/// Returns the column and row of a tile.
fn position(world: &World, tile: i32) -> Json {
    json!(world.map().geometry().and_then(|geometry| geometry.column_and_row(tile)))
}

/// Returns a legal action as JSON. `tile` is the tile of the query.
pub(super) fn legal_action(action: &LegalAction, tile: i32) -> Json {
    let target = match action.target {
        ActionTarget::City(id) => json!({ "city": id }),
        ActionTarget::Unit(id) => json!({ "unit": id }),
        ActionTarget::Units(tile) => json!({ "units_on": tile }),
        ActionTarget::Tile(tile) => json!({ "tile": tile }),
        ActionTarget::Extras(tile) => json!({ "extras_on": tile }),
        ActionTarget::Itself => json!("itself"),
    };
    let sub_target = match action.sub_target {
        SubTarget::None => None,
        SubTarget::Building => Some("building"),
        SubTarget::Advance => Some("advance"),
        SubTarget::Extra => Some("extra"),
        SubTarget::NewExtra => Some("new extra"),
        SubTarget::Unknown(_) => Some("unknown"),
    };
    let percent = |half: u8| f64::from(half) / 2.0;
    json!({
        "action": action.action.map(|action| action.name()),
        "number": action.id,
        "name": action.name,
        "tile": tile,
        "target": target,
        "sub_target": sub_target,
        "extra": action.extra,
        "percent": action.probability.map(|it| [percent(it.min), percent(it.max)]),
    })
}
