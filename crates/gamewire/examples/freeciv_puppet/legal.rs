//! Commands that compare the client's evaluation of the rules with the server's behavior.

use gamewire::freeciv::number::{Event, Output, Production};
use gamewire::freeciv::rules::{self, Answer};
use gamewire::freeciv::world::{Change, City, Fighter, World};
use gamewire::freeciv::{Player, orders, path};
use serde_json::{Value, json};

use super::Failure;

/// Maximum number of tiles that a unit considers as its target.
const MAX_TARGETS: usize = 12;
/// Maximum number of turns of a path that a unit takes.
const MAX_TURNS: u32 = 4;

/// Executes a line.
pub(crate) fn obey(player: &mut Player, verb: &str, rest: &str) -> Result<Value, Failure> {
    match verb {
        "productions" => productions(player),
        "researches" => researches(player),
        "cities" => Ok(player.world().my_cities().map(|city| city_forecast(player.world(), city)).collect()),
        "build" => build(player, rest),
        "colonize" => colonize(player, rest),
        "wander" => wander(player, rest),
        "units" => Ok(units(player.world())),
        "aborts" => Ok(aborts(player)),
        "fights" => Ok(fights(player)),
        "ground" => ground(player.world(), rest),
        "obstacle" => obstacle(player.world(), rest),
        _ => Err(format!("no command {verb} {rest}").into()),
    }
}

/// The requests with one kind of evaluation, by the reaction of the server.
#[derive(Default)]
struct Tally {
    accepted: Vec<String>,
    refused: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: String, is_accepted: bool) {
        let list = if is_accepted { &mut self.accepted } else { &mut self.refused };
        list.push(name);
    }
}

/// Tallies for the evaluations yes, no and unknown.
#[derive(Default)]
struct Tallies([Tally; 3]);

impl Tallies {
    fn add(&mut self, answer: Answer, name: String, is_accepted: bool) {
        let [yes, no, unknown] = &mut self.0;
        let tally = match answer {
            Answer::Yes => yes,
            Answer::No => no,
            Answer::Unknown => unknown,
        };
        tally.add(name, is_accepted);
    }

    fn report(self) -> Value {
        let list = |tally: Tally| json!({ "accepted": tally.accepted, "refused": tally.refused });
        let [yes, no, unknown] = self.0;
        json!({ "yes": list(yes), "no": list(no), "unknown": list(unknown) })
    }
}

/// Requests every production of the ruleset in every own city, and finally restores the city's production.
fn productions(player: &mut Player) -> Result<Value, Failure> {
    let mut tallies = Tallies::default();
    let cities: Vec<u32> = player.world().my_cities().map(City::id).collect();
    for city in cities {
        let Some(old) = player.world().city(city).and_then(City::production) else { continue };
        let all: Vec<Production> = all_productions(player.world(), city);
        for production in all {
            let Some(before) = player.world().city(city) else { break };
            if before.production() == Some(production) {
                continue;
            }
            // Evaluate before each request, because a change of the production changes the city.
            let answer = rules::can_build(player.world(), before, production);
            player.perform(&orders::set_production(city, production))?;
            let after = player.world().city(city).and_then(City::production);
            tallies.add(answer, name_of(player.world(), production), after == Some(production));
        }
        player.perform(&orders::set_production(city, old))?;
    }
    Ok(tallies.report())
}

fn all_productions(world: &World, city: u32) -> Vec<Production> {
    let city = world.city(city);
    city.map(|city| rules::productions(world, city).map(|(production, _)| production).collect())
        .unwrap_or_default()
}

fn name_of(world: &World, production: Production) -> String {
    let rulesets = world.rulesets();
    let name = if production == Production::unit(production.id) {
        rulesets.unit_types.get(production.id).map(|rule| rule.rule_name.to_str_lossy().into_owned())
    } else {
        rulesets.buildings.get(production.id).map(|rule| rule.rule_name.to_str_lossy().into_owned())
    };
    name.unwrap_or_default()
}

/// Requests the research of every advance, and finally restores the old one. Also returns the cost of the current
/// research as the client calculates it and as the server reports it.
fn researches(player: &mut Player) -> Result<Value, Failure> {
    let Some(old) = player.world().my_research().map(|research| research.researching) else {
        return Err("no research".into());
    };
    let mut tallies = Tallies::default();
    let mut costs = Vec::new();
    let all: Vec<u16> = player.world().rulesets().advances.iter().map(|advance| advance.id).collect();
    for advance in all {
        let world = player.world();
        if world.my_research().map(|research| research.researching) == Some(advance) {
            continue;
        }
        let (answer, cost) = (rules::can_research(world, advance), rules::bulbs_required(world, advance));
        let knew = world.has_advance(world.my_number().unwrap_or_default(), advance);
        player.perform(&orders::set_research(advance))?;
        let world = player.world();
        let Some(after) = world.my_research() else { return Err("no research".into()) };
        let is_accepted = after.researching == advance
            || !knew && world.has_advance(world.my_number().unwrap_or_default(), advance);
        if after.researching == advance {
            costs.push(json!({ "advance": advance, "expected": cost, "actual": after.researching_cost }));
        }
        tallies.add(answer, advance.to_string(), is_accepted);
    }
    player.perform(&orders::set_research(old))?;
    Ok(json!({ "tallies": tallies.report(), "costs": costs }))
}

/// Returns the forecast for an own city.
fn city_forecast(world: &World, city: &City) -> Value {
    let growth = match rules::growth(world, city) {
        Some(rules::Growth::Grows { turns }) => json!({ "grows": turns }),
        Some(rules::Growth::Shrinks { turns }) => json!({ "shrinks": turns }),
        Some(rules::Growth::Full) => json!("full"),
        Some(rules::Growth::Stays) => json!("stays"),
        None => Value::Null,
    };
    let production = city.production();
    let full = city.full();
    json!({
        "id": city.id(),
        "size": city.size(),
        "tile": city.tile(),
        "production": production.map(|production| name_of(world, production)),
        "turns": production.and_then(|production| rules::turns_to_build(world, city, production)),
        "cost": production.and_then(|production| rules::build_cost(world, city, production)),
        "growth": growth,
        "last_built": full.map(|city| city.turn_last_built),
        "surplus": full.map(|city| city.surplus),
        "worked": worked(world, city),
    })
}

/// Returns the output of the tiles that a city works, as the client calculates it, and the sums from the server.
fn worked(world: &World, city: &City) -> Value {
    let tiles = world.city_tiles(city).filter(|tile| tile.worked == Some(city.id()));
    let sums = tiles.fold([Some(0_i64); 3], |sums, tile| {
        let outputs = [0, 1, 2].map(|output| rules::tile_output(world, Some(city), tile, Output(output)));
        let [food, shield, trade] = outputs;
        let add = |sum: Option<i64>, output: Option<i64>| Some(sum?.saturating_add(output?));
        let [f, s, t] = sums;
        [add(f, food), add(s, shield), add(t, trade)]
    });
    json!({ "expected": sums, "actual": city.full().map(|city| city.citizen_base) })
}

/// Sets the production of a city: `build CITY NAME`.
fn build(player: &mut Player, rest: &str) -> Result<Value, Failure> {
    let (city, name) = rest.split_once(' ').ok_or("build CITY NAME")?;
    let city: u32 = city.parse()?;
    let production = player.world().rulesets().production(name).ok_or("no such production")?;
    player.perform(&orders::set_production(city, production))?;
    let after = player.world().city(city).and_then(City::production);
    let bought = player.perform(&orders::buy(city))?;
    Ok(json!({ "is_set": after == Some(production), "bought": format!("{:?}", bought.outcome) }))
}

/// Founds a city with each settlers unit at its tile, if the server allows it.
fn colonize(player: &mut Player, prefix: &str) -> Result<Value, Failure> {
    let settlers: Vec<u32> = player.world().my_units_of("Settlers").map(|unit| unit.id()).collect();
    for unit in &settlers {
        let name = format!("{prefix} {unit}");
        if let Ok(order) = orders::found_city(player.world(), *unit, &name) {
            player.perform(&order)?;
        }
    }
    Ok(json!({ "cities": player.world().my_cities().count() }))
}

/// Sends every idle unit on a path to one of some tiles that `seed` selects. Returns the tile and the turn of each
/// arrival.
fn wander(player: &mut Player, seed: &str) -> Result<Value, Failure> {
    let mut random: u64 = seed.parse()?;
    let idle: Vec<u32> =
        player.world().my_units().filter(|unit| unit.is_idle()).map(|unit| unit.id()).collect();
    let mut sent = Vec::new();
    for id in idle {
        let world = player.world();
        let Some(unit) = world.unit(id) else { continue };
        let tiles: Vec<i32> = world.map().tiles().map(|tile| tile.tile).collect();
        let targets = (0..MAX_TARGETS).filter_map(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(random >> 33).unwrap_or_default().checked_rem(tiles.len())?;
            tiles.get(at).copied()
        });
        let paths = targets.filter_map(|to| Some((to, path::path(world, unit, to)?)));
        let paths = paths.filter(|(_, path)| !path.steps.is_empty() && path.turns() <= MAX_TURNS);
        let Some((to, path)) = paths.max_by_key(|(_, path)| (path.turns(), path.steps.len())) else {
            continue;
        };
        let directions: Vec<_> = path.directions().collect();
        let turn = i64::from(world.turn()).saturating_add(path.turns().into());
        let moves_left = path.steps.last().map(|step| step.moves_left);
        let unit_type = world.type_of(unit).map(|rule| rule.rule_name.to_str_lossy().into_owned());
        let tiles: Vec<_> = path.steps.iter().map(|step| (step.tile, step.turn, step.moves_left)).collect();
        let (from, unit_hp) = (unit.tile(), unit.hp());
        let order = orders::move_along(world, id, &directions)?;
        let reply = player.perform(&order)?;
        sent.push(json!({
            "unit": id, "type": unit_type, "hp": unit_hp, "from": from, "to": to, "turn": turn, "moves_left": moves_left, "steps": tiles,
            "outcome": format!("{:?}", reply.outcome),
        }));
    }
    Ok(Value::Array(sent))
}

/// Returns the obstacle to a step of a unit, according to the client's knowledge: `obstacle UNIT TILE`.
fn obstacle(world: &World, rest: &str) -> Result<Value, Failure> {
    let (unit, tile) = rest.split_once(' ').ok_or("obstacle UNIT TILE")?;
    let unit = world.unit(unit.parse()?).ok_or("no such unit")?;
    let (from, to) = (world.map().tile(unit.tile()), world.map().tile(tile.parse()?));
    let movement = path::Movement::of(world, unit);
    let checked = movement.zip(from.zip(to)).map(|(movement, (from, to))| movement.check_step(from, to));
    Ok(match checked {
        Some(Err(obstacle)) => json!(format!("{obstacle:?}")),
        Some(Ok(())) => Value::Null,
        None => json!("unknown"),
    })
}

/// Returns the server's messages about orders of units since the last call.
fn aborts(player: &mut Player) -> Value {
    let messages = player.changes().into_iter().filter_map(|change| match change {
        Change::Message(message) if message.event == Event::UNIT_ORDERS => Some(message.text),
        _ => None,
    });
    messages.map(Value::from).collect()
}

/// Returns the fights since the last call: the attacker and the defender of each.
fn fights(player: &mut Player) -> Value {
    let fights = player.changes().into_iter().filter_map(|change| match change {
        Change::Combat(fight) => Some([fight.attacker, fight.defender]),
        _ => None,
    });
    let side = |it: Fighter| json!({ "unit": it.unit, "owner": it.owner, "hp_before": it.hp_before, "hp": it.hp, "is_promoted": it.is_promoted });
    fights.map(|sides| Value::from_iter(sides.map(side))).collect()
}

/// Returns the extras of some tiles, and the diplomatic states with their owners. The cost of steps depends on both.
fn ground(world: &World, tiles: &str) -> Result<Value, Failure> {
    let mut found = Vec::new();
    for tile in tiles.split_whitespace() {
        let tile = world.map().tile(tile.parse()?).ok_or("unknown tile")?;
        let state = tile.owner.and_then(|owner| world.diplomacy().relation(owner, world.my_number()?));
        found.push(json!([
            tile.tile,
            tile.extras.iter_ones().collect::<Vec<_>>(),
            state.map(|it| it.state.0)
        ]));
    }
    Ok(Value::Array(found))
}

/// Returns the tiles of the player's units.
fn units(world: &World) -> Value {
    let units = world.my_units().map(|unit| {
        let has_orders = unit.full().is_some_and(|unit| unit.has_orders);
        json!({ "id": unit.id(), "tile": unit.tile(), "hp": unit.hp(), "moves_left": unit.moves_left(), "has_orders": has_orders })
    });
    units.collect()
}
