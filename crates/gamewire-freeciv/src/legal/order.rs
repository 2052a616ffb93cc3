//! Packets of legal actions.

use super::key::{Actor, LegalKey, LegalTarget, Part};
use super::kind::LegalKind;
use crate::number::{Action, Activity, Clause, Production, ProductionKind};
use crate::orders::{self, OrderError};
use crate::packets::{OwnedPacket, Packet, UnitDoAction};
use crate::world::map::Direction8;
use crate::world::{TreatyClause, World};

/// Returns the packet that performs a legal action.
///
/// # Errors
/// [`OrderError`] if the key does not fit the world, for example because the unit is gone or the target is not of the
/// kind that the action needs.
pub fn order(world: &World, key: &LegalKey) -> Result<OwnedPacket, OrderError> {
    match key.actor {
        Actor::Unit(unit) => of_unit(world, unit, key),
        Actor::City(city) => of_city(world, city, key),
        Actor::Player => of_player(world, key),
    }
}

fn own<'a>(packet: impl Into<Packet<'a>>) -> OwnedPacket {
    packet.into().into()
}

fn unfit(key: &LegalKey) -> OrderError {
    OrderError::Unfit(key.kind.name())
}

fn of_unit(world: &World, unit: u32, key: &LegalKey) -> Result<OwnedPacket, OrderError> {
    world.unit(unit).ok_or(OrderError::NoUnit(unit))?;
    Ok(match (key.kind, key.target, key.part) {
        (LegalKind::Move, LegalTarget::Tile(tile), _) => {
            own(&orders::step(world, unit, direction_to(world, unit, tile)?)?)
        }
        (LegalKind::Fortify, ..) => own(&orders::fortify(world, unit)),
        (LegalKind::Sentry, ..) => own(&orders::sentry(world, unit)),
        (LegalKind::Stop, ..) => orders::halt(world, unit)?,
        (LegalKind::Explore, ..) => orders::explore(world, unit),
        (LegalKind::AutoWork, ..) => orders::auto_work(world, unit)?,
        (LegalKind::Convert, ..) => own(&orders::convert(world, unit)),
        (LegalKind::Transform, ..) => own(&orders::transform_terrain(world, unit)),
        (LegalKind::Build, _, Part::Extra(extra)) => own(&orders::build_extra(world, unit, extra)?),
        (LegalKind::Clean, _, Part::Extra(extra)) => own(&orders::clean_extra(world, unit, extra)?),
        (LegalKind::Pillage, _, Part::Extra(extra)) => {
            own(&orders::set_activity(world, unit, Activity::Pillage, Some(extra))?)
        }
        (LegalKind::Pillage, ..) => own(&orders::set_activity(world, unit, Activity::Pillage, None)?),
        (LegalKind::Cultivate, ..) => own(&conversion(world, unit, Activity::Cultivate, Activity::Irrigate)?),
        (LegalKind::Plant, ..) => own(&conversion(world, unit, Activity::Plant, Activity::Mine)?),
        (LegalKind::Load, LegalTarget::Unit(carrier), _) => orders::load(world, unit, carrier)?,
        (LegalKind::Unload, LegalTarget::Unit(carrier), _) => orders::unload(world, unit, carrier)?,
        (LegalKind::Act(action), ..) => own(&act(world, unit, action, key)?),
        _ => return Err(unfit(key)),
    })
}

/// Returns the packet of an action. A city gets the name that the packet leaves empty from
/// [`query_city_name`](orders::query_city_name).
fn act(world: &World, unit: u32, action: Action, key: &LegalKey) -> Result<UnitDoAction, OrderError> {
    let number = |id: u32| i32::try_from(id).unwrap_or(i32::MAX);
    let target = match key.target {
        LegalTarget::Itself => number(unit),
        LegalTarget::City(id) | LegalTarget::Unit(id) => number(id),
        LegalTarget::Tile(tile) | LegalTarget::UnitsOn(tile) | LegalTarget::ExtrasOn(tile) => tile,
        LegalTarget::Player(_) => return Err(unfit(key)),
    };
    let sub_tgt_id = match key.part {
        Part::None => default_part(action),
        Part::Extra(id) | Part::Building(id) => id.into(),
        Part::Advance(id) => i16::try_from(id).map_err(|_| unfit(key))?,
        _ => return Err(unfit(key)),
    };
    Ok(UnitDoAction { sub_tgt_id, ..orders::do_action(world, unit, action, target)? })
}

/// Returns the number that lets the server choose the part of a target, or 0 if the action has no part.
const fn default_part(action: Action) -> i16 {
    match action {
        Action::TargetedSabotageCity
        | Action::TargetedSabotageCityEscape
        | Action::TargetedStealTech
        | Action::TargetedStealTechEscapeExpected
        | Action::SurgicalStrikeBuilding => -1,
        _ => 0,
    }
}

/// Returns the packet that changes the terrain: with `activity`, or with `of_3_0`, the activity that does it in 3.0
/// (irrigation or mining).
fn conversion(
    world: &World,
    unit: u32,
    activity: Activity,
    of_3_0: Activity,
) -> Result<crate::packets::UnitChangeActivity, OrderError> {
    orders::set_activity(world, unit, activity, None)
        .or_else(|_| orders::set_activity(world, unit, of_3_0, None))
}

fn direction_to(world: &World, unit: u32, tile: i32) -> Result<Direction8, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    let geometry = world.map().geometry().ok_or(OrderError::NoTile)?;
    let found = geometry.neighbors(from).find(|(_, neighbor)| *neighbor == tile);
    found.map(|(direction, _)| direction).ok_or(OrderError::NoTile)
}

fn of_city(world: &World, id: u32, key: &LegalKey) -> Result<OwnedPacket, OrderError> {
    let city = world.city(id).ok_or(OrderError::NoCity(id))?;
    Ok(match (key.kind, key.target, key.part) {
        (LegalKind::Produce, _, part) => own(&orders::set_production(id, production(key, part)?)),
        (LegalKind::Buy, ..) => own(&orders::buy(id)),
        (LegalKind::Sell, _, Part::Building(building)) => own(&orders::sell_building(id, building)),
        (LegalKind::AddToWorklist, _, part) => {
            let full = city.full().ok_or(OrderError::NoCity(id))?;
            let old = full
                .worklist
                .0
                .iter()
                .map(|work| Production { kind: ProductionKind(work.kind), id: work.id });
            let items: Vec<_> = old.chain([production(key, part)?]).collect();
            own(&orders::set_worklist(id, &items)?)
        }
        (LegalKind::ClearWorklist, ..) => own(&orders::set_worklist(id, &[])?),
        (LegalKind::MakeSpecialist, LegalTarget::Tile(tile), _) => own(&orders::make_specialist(id, tile)),
        (LegalKind::MakeWorker, LegalTarget::Tile(tile), _) => own(&orders::make_worker(id, tile)),
        (LegalKind::ChangeSpecialist, _, Part::Specialist { from, to }) => {
            own(&orders::change_specialist(id, from, to))
        }
        (LegalKind::Rally, LegalTarget::Tile(tile), _) => {
            let geometry = world.map().geometry().ok_or(OrderError::NoTile)?;
            let found = geometry.neighbors(city.tile()).find(|(_, neighbor)| *neighbor == tile);
            let (direction, _) = found.ok_or(OrderError::NoTile)?;
            own(&orders::set_rally_point(world, id, &[direction], false)?)
        }
        (LegalKind::ClearRally, ..) => own(&orders::set_rally_point(world, id, &[], false)?),
        _ => return Err(unfit(key)),
    })
}

fn production(key: &LegalKey, part: Part) -> Result<Production, OrderError> {
    match part {
        Part::UnitType(id) => Ok(Production::unit(id)),
        Part::Building(id) => Ok(Production::building(id)),
        _ => Err(unfit(key)),
    }
}

fn of_player(world: &World, key: &LegalKey) -> Result<OwnedPacket, OrderError> {
    if let LegalTarget::Player(with) = key.target {
        return of_pair(with, key);
    }
    Ok(match (key.kind, key.part) {
        (LegalKind::Research, Part::Advance(id)) => own(&orders::set_research(id)),
        (LegalKind::ResearchGoal, Part::Advance(id)) => own(&orders::set_research_goal(id)),
        (LegalKind::TaxRates, Part::Rates { tax, luxury, science }) => {
            own(&orders::set_tax_rates(tax, luxury, science))
        }
        (LegalKind::Government, Part::Government(id)) => own(&orders::set_government(id)?),
        (LegalKind::EndTurn, _) => own(&orders::end_turn(world)),
        _ => return Err(unfit(key)),
    })
}

fn of_pair(with: u16, key: &LegalKey) -> Result<OwnedPacket, OrderError> {
    let clause = |giver, clause, value| TreatyClause { giver, clause: Clause(clause), value };
    Ok(match (key.kind, key.part) {
        (LegalKind::Meet, _) => own(&orders::init_meeting(with)),
        (LegalKind::CancelMeeting, _) => own(&orders::cancel_meeting(with)),
        (LegalKind::AcceptTreaty, _) => own(&orders::accept_treaty(with)),
        (LegalKind::CancelPact, _) => own(&orders::cancel_pact(with)),
        (LegalKind::EndSharedVision, _) => own(&orders::end_shared_vision(with)),
        (LegalKind::AddClause, Part::Clause { giver, clause: kind, value }) => {
            own(&orders::add_clause(with, clause(giver, kind, value)))
        }
        (LegalKind::RemoveClause, Part::Clause { giver, clause: kind, value }) => {
            own(&orders::remove_clause(with, clause(giver, kind, value)))
        }
        _ => return Err(unfit(key)),
    })
}
