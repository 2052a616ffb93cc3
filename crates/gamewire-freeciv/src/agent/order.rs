//! Converts orders to packets.

use super::command::{ClauseValue, Command, RuleRef};
use crate::number::Clause;
use crate::orders::{self, OrderError};
use crate::packets::{OwnedPacket, Packet, SpaceshipLaunch, UnitTypeUpgrade, VoteSubmit};
use crate::world::map::Direction8;
use crate::world::{TreatyClause, World};

/// Returns the packet of an order, or an error message; `None` if the command needs more than one packet, or none.
pub(super) fn packet(command: &Command, world: &World) -> Result<Option<OwnedPacket>, String> {
    ok(check_ids(command, world))?;
    let packet = match command {
        Command::World { .. }
        | Command::Units {}
        | Command::Cities {}
        | Command::LegalActions { .. }
        | Command::Perform { .. }
        | Command::Act { .. }
        | Command::Price { .. }
        | Command::CityName { .. }
        | Command::FoundCity { name: None, .. }
        | Command::Packet { .. }
        | Command::Leave {} => return Ok(None),
        Command::EndTurn {} => own(&orders::end_turn(world)),
        Command::Say { text } => own(&ok(orders::chat(text))?),
        Command::Vote { vote, value } => own(&VoteSubmit { vote_no: *vote, value: *value }),
        Command::LaunchSpaceship {} => own(&SpaceshipLaunch),
        command => {
            return unit_order(command, world)
                .transpose()
                .map_or_else(|| player_order(command, world).map(Some), |order| order.map(Some));
        }
    };
    Ok(Some(packet))
}

/// Checks that the units and cities of a command exist, because the server ignores a packet about others.
fn check_ids(command: &Command, world: &World) -> Result<(), OrderError> {
    let units = match command {
        Command::LegalActions { unit: Some(unit), .. }
        | Command::Act { unit, .. }
        | Command::Price { unit, .. }
        | Command::CityName { unit }
        | Command::FoundCity { unit, .. }
        | Command::Move { unit, .. }
        | Command::GoTo { unit, .. }
        | Command::Fortify { unit }
        | Command::Sentry { unit }
        | Command::Stop { unit }
        | Command::Explore { unit }
        | Command::AutoWork { unit }
        | Command::Convert { unit }
        | Command::Transform { unit }
        | Command::Irrigate { unit }
        | Command::Mine { unit }
        | Command::CleanPollution { unit }
        | Command::CleanFallout { unit }
        | Command::Build { unit, .. }
        | Command::Pillage { unit, .. }
        | Command::Disband { unit } => [Some(*unit), None],
        Command::Load { unit, carrier } | Command::Unload { unit, carrier } => [Some(*unit), Some(*carrier)],
        _ => [None; 2],
    };
    let city = match command {
        Command::Produce { city, .. }
        | Command::Worklist { city, .. }
        | Command::Buy { city }
        | Command::Sell { city, .. }
        | Command::RenameCity { city, .. }
        | Command::MakeSpecialist { city, .. }
        | Command::MakeWorker { city, .. }
        | Command::ChangeSpecialist { city, .. }
        | Command::RallyPoint { city, .. } => Some(*city),
        _ => None,
    };
    if let Some(unit) = units.into_iter().flatten().find(|unit| world.unit(*unit).is_none()) {
        return Err(OrderError::NoUnit(unit));
    }
    match city.filter(|city| world.city(*city).is_none()) {
        Some(city) => Err(OrderError::NoCity(city)),
        None => Ok(()),
    }
}

/// Returns the packet of an order for a unit; `None` for all other orders.
fn unit_order(command: &Command, world: &World) -> Result<Option<OwnedPacket>, String> {
    Ok(Some(match command {
        Command::Move { unit, direction } => {
            own(&ok(orders::step(world, *unit, direction_named(direction)?))?)
        }
        Command::FoundCity { unit, name: Some(name) } => own(&ok(orders::found_city(world, *unit, name))?),
        Command::GoTo { unit, tile } => own(&ok(orders::go_to(world, *unit, *tile))?),
        Command::Fortify { unit } => own(&orders::fortify(world, *unit)),
        Command::Sentry { unit } => own(&orders::sentry(world, *unit)),
        Command::Stop { unit } => ok(orders::halt(world, *unit))?,
        Command::Convert { unit } => own(&orders::convert(world, *unit)),
        Command::Transform { unit } => own(&orders::transform_terrain(world, *unit)),
        Command::Explore { unit } => orders::explore(world, *unit),
        Command::AutoWork { unit } => ok(orders::auto_work(world, *unit))?,
        Command::Irrigate { unit } => own(&ok(orders::irrigate(world, *unit))?),
        Command::Mine { unit } => own(&ok(orders::mine(world, *unit))?),
        Command::CleanPollution { unit } => own(&ok(orders::clean_pollution(world, *unit))?),
        Command::CleanFallout { unit } => own(&ok(orders::clean_fallout(world, *unit))?),
        Command::Build { unit, extra } => own(&ok(orders::build(world, *unit, extra))?),
        Command::Pillage { unit, extra } => own(&ok(orders::pillage(world, *unit, extra.as_deref()))?),
        Command::Disband { unit } => own(&ok(orders::disband(world, *unit))?),
        Command::Load { unit, carrier } => ok(orders::load(world, *unit, *carrier))?,
        Command::Unload { unit, carrier } => ok(orders::unload(world, *unit, *carrier))?,
        Command::UpgradeType { unit_type } => {
            let known = world.unit_type(unit_type).ok_or_else(|| unknown(unit_type))?;
            own(&UnitTypeUpgrade { r#type: known.id })
        }
        _ => return Ok(None),
    }))
}

/// Returns the packet of an order for a city, the nation, or a treaty.
fn player_order(command: &Command, world: &World) -> Result<OwnedPacket, String> {
    let rules = world.rulesets();
    let item = |name: &String| rules.production(name).ok_or_else(|| unknown(name));
    let advance = |name: &str| world.advance(name).map(|advance| advance.id).ok_or_else(|| unknown(name));
    let advance_of = |rule: &RuleRef| match rule {
        RuleRef::Id(id) => {
            rules.advances.get(*id).map(|it| it.id).ok_or_else(|| format!("the ruleset has no advance {id}"))
        }
        RuleRef::Name(name) => advance(name),
    };
    let clause = |giver: u16, name: &str, value: &ClauseValue| {
        let clause = Clause::named(name).ok_or_else(|| unknown(name))?;
        let value = match value {
            ClauseValue::Number(number) => *number,
            ClauseValue::Advance(name) => advance(name)?.into(),
        };
        Ok::<_, String>(TreatyClause { giver, clause, value })
    };
    Ok(match command {
        Command::Produce { city, item: name } => own(&orders::set_production(*city, item(name)?)),
        Command::Worklist { city, items } => {
            let items: Vec<_> = items.iter().map(item).collect::<Result<_, _>>()?;
            own(&ok(orders::set_worklist(*city, &items))?)
        }
        Command::Buy { city } => own(&orders::buy(*city)),
        Command::Sell { city, building } => {
            let known = world.building(building).ok_or_else(|| unknown(building))?;
            own(&orders::sell_building(*city, known.id))
        }
        Command::RenameCity { city, name } => own(&ok(orders::rename_city(*city, name))?),
        Command::MakeSpecialist { city, tile } => own(&orders::make_specialist(*city, *tile)),
        Command::MakeWorker { city, tile } => own(&orders::make_worker(*city, *tile)),
        Command::ChangeSpecialist { city, from, to } => own(&orders::change_specialist(*city, *from, *to)),
        Command::RallyPoint { city, path, persistent } => {
            let path: Vec<_> = path.iter().map(|name| direction_named(name)).collect::<Result<_, _>>()?;
            own(&ok(orders::set_rally_point(world, *city, &path, persistent.unwrap_or_default()))?)
        }
        Command::Research { advance } => own(&orders::set_research(advance_of(advance)?)),
        Command::ResearchGoal { advance } => own(&orders::set_research_goal(advance_of(advance)?)),
        Command::Government { government } => {
            let known = rules.governments.named(government).ok_or_else(|| unknown(government))?;
            own(&ok(orders::set_government(u8::try_from(known.id).map_err(|_| unknown(government))?))?)
        }
        Command::TaxRates { tax, luxury, science } => own(&orders::set_tax_rates(*tax, *luxury, *science)),
        Command::Meet { player } => own(&orders::init_meeting(*player)),
        Command::AddClause { player, giver, clause: name, value } => {
            own(&orders::add_clause(*player, clause(*giver, name, value)?))
        }
        Command::RemoveClause { player, giver, clause: name, value } => {
            own(&orders::remove_clause(*player, clause(*giver, name, value)?))
        }
        Command::AcceptTreaty { player } => own(&orders::accept_treaty(*player)),
        Command::CancelMeeting { player } => own(&orders::cancel_meeting(*player)),
        Command::CancelPact { player } => own(&orders::cancel_pact(*player)),
        Command::EndSharedVision { player } => own(&orders::end_shared_vision(*player)),
        Command::EndSharedTiles { player } => own(&orders::end_shared_tiles(*player)),
        other => return Err(format!("{other:?} is not an order")),
    })
}

fn own<'a>(packet: impl Into<Packet<'a>>) -> OwnedPacket {
    packet.into().into()
}

fn ok<T>(order: Result<T, OrderError>) -> Result<T, String> {
    order.map_err(|error| error.to_string())
}

fn unknown(name: &str) -> String {
    format!("the ruleset has no {name:?}")
}

fn direction_named(name: &str) -> Result<Direction8, String> {
    let words = ["northwest", "north", "northeast", "west", "east", "southwest", "south", "southeast"];
    let found = Direction8::ALL.into_iter().zip(words).find(|(_, word)| *word == name);
    found
        .map(|(direction, _)| direction)
        .ok_or_else(|| format!("expected one of {}, found {name:?}", words.join(", ")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn units_and_cities_that_do_not_exist_are_refused_in_the_same_words() {
        let world = World::new();
        let refused = |line: &str| {
            let command: Command = serde_json::from_str(line).unwrap();
            packet(&command, &world).map(|order| order.is_some())
        };
        for command in ["fortify", "explore", "disband", "legal_actions", "city_name", "found_city"] {
            for unit in [7_u32, 70_000] {
                let line = format!(r#"{{"{command}":{{"unit":{unit}}}}}"#);
                assert_eq!(refused(&line), Err(format!("unknown unit {unit}")), "{command}");
            }
        }
        let load = r#"{"load":{"unit":7,"carrier":8}}"#;
        assert_eq!(refused(load), Err("unknown unit 7".to_owned()));
        for line in [r#"{"buy":{"city":9}}"#, r#"{"produce":{"city":9,"item":"Settlers"}}"#] {
            assert_eq!(refused(line), Err("unknown city 9".to_owned()));
        }
    }

    #[test]
    fn names_of_an_earlier_format_are_accepted() {
        let parse = |line: &str| serde_json::from_str::<Command>(line).unwrap();
        let rates = r#"{"tax":10,"luxury":0,"science":90}"#;
        assert_eq!(
            parse(&format!(r#"{{"set_tax_rates":{rates}}}"#)),
            parse(&format!(r#"{{"tax_rates":{rates}}}"#))
        );
        let research = parse(r#"{"set_research":{"advance":7}}"#);
        assert_eq!(research, Command::Research { advance: RuleRef::Id(7) });
    }
}
