//! Actions of cities.

use super::entry::Entries;
use super::key::{LegalTarget, Part};
use super::kind::LegalKind;
use crate::codec::ProtocolVersion;
use crate::number::{EffectType, Production, ProductionKind};
use crate::packets::CityInfo;
use crate::rules::{self, Answer, BuildingGenus, Context, Evaluator, are_at_war};
use crate::world::{City, Tile, World};

/// Maximum number of items of a worklist.
const MAX_WORKLIST: usize = 64;
/// The flag of a building that turns shields into gold.
const GOLD: usize = 2;

/// Collects the actions of an own city.
pub(super) fn collect(world: &World, city: &City, entries: &mut Entries) {
    let Some(full) = city.full() else { return };
    productions(world, city, full, entries);
    entries.add_own(can_buy(world, city, full), LegalKind::Buy);
    if !full.did_sell {
        let genus = |genus| BuildingGenus::of(genus) == BuildingGenus::Other;
        let is_improvement = |kind: u8| genus(kind) && kind == IMPROVEMENT;
        for building in world.rulesets().buildings.iter() {
            let can_sell = city.has_building(building.id) && is_improvement(building.genus);
            entries.add(can_sell, LegalKind::Sell, LegalTarget::Itself, Part::Building(building.id));
        }
    }
    citizens(world, city, full, entries);
    rally(world, city, entries);
}

/// The genus of buildings that can be sold.
const IMPROVEMENT: u8 = 2;

fn productions(world: &World, city: &City, full: &CityInfo, entries: &mut Entries) {
    let is_bought = full.did_buy && full.shield_stock > 0;
    let worklist = &full.worklist.0;
    for (production, answer) in rules::productions(world, city).filter(|(_, answer)| answer.is_yes()) {
        let part = match production.kind {
            ProductionKind::UNIT => Part::UnitType(production.id),
            _ => Part::Building(production.id),
        };
        let is_new = city.production() != Some(production);
        entries.add(is_new && !is_bought, LegalKind::Produce, LegalTarget::Itself, part);
        if worklist.len() < MAX_WORKLIST {
            entries.add(answer, LegalKind::AddToWorklist, LegalTarget::Itself, part);
        }
    }
    entries.add_own(!worklist.is_empty(), LegalKind::ClearWorklist);
}

fn can_buy(world: &World, city: &City, full: &CityInfo) -> Answer {
    let gold = world.me().map_or(0, |me| me.gold);
    let is_possible =
        !full.did_buy && full.turn_founded != world.turn() && (1..=gold).contains(&full.buy_cost);
    Answer::from(is_possible).and(|| match city.production() {
        Some(Production { kind: ProductionKind::UNIT, .. }) => is_quiet(full).into(),
        Some(Production { id, .. }) => {
            let building = world.rulesets().buildings.get(id);
            building.map(|building| !building.flags.get(GOLD)).into()
        }
        None => Answer::Unknown,
    })
}

/// Returns whether the city is not in disorder.
fn is_quiet(full: &CityInfo) -> bool {
    let last = |moods: &[u8; 6]| u16::from(moods.last().copied().unwrap_or(0));
    let unhappy = last(&full.ppl_unhappy).saturating_add(last(&full.ppl_angry).saturating_mul(2));
    full.anarchy.map_or_else(|| last(&full.ppl_happy) >= unhappy, |turns| turns == 0)
}

fn citizens(world: &World, city: &City, full: &CityInfo, entries: &mut Entries) {
    let has_specialist = full.specialists.iter().any(|count| *count > 0);
    for tile in world.city_tiles(city).filter(|tile| tile.tile != city.tile()) {
        let target = LegalTarget::Tile(tile.tile);
        if tile.worked == Some(city.id()) {
            entries.add(Answer::Yes, LegalKind::MakeSpecialist, target, Part::None);
        } else if has_specialist && tile.worked.is_none() {
            entries.add(can_work(world, city, tile), LegalKind::MakeWorker, target, Part::None);
        }
    }
    let context = Context::of_city(world, city);
    for to in world.rulesets().specialists.iter() {
        let answer = Evaluator::new(world).are_active(&context, &to.reqs);
        for (from, count) in (0_u8..).zip(&full.specialists) {
            if *count > 0 && from != to.id {
                let part = Part::Specialist { from, to: to.id };
                entries.add(answer, LegalKind::ChangeSpecialist, LegalTarget::Itself, part);
            }
        }
    }
}

/// Returns whether a city can work a tile that no city works (Freeciv's `city_can_work_tile`).
fn can_work(world: &World, city: &City, tile: &Tile) -> Answer {
    let is_foreign = tile.owner.is_some_and(|owner| owner != city.owner());
    let is_occupied = world
        .units_at(tile.tile)
        .any(|unit| are_at_war(world, unit.owner(), city.owner()) && occupies(world, unit.type_id()));
    let context = Context { tile: Some(tile), ..Context::of_city(world, city) };
    Answer::from(!is_foreign && !is_occupied && tile.is_seen())
        .and(|| Evaluator::new(world).value(EffectType::TileWorkable, &context).map(|value| value > 0).into())
}

/// Returns whether an enemy unit of a type prevents cities from working its tile.
fn occupies(world: &World, unit_type: u16) -> bool {
    use crate::number::UnitClassFlag;
    let rulesets = world.rulesets();
    let Some(unit_type) = rulesets.unit_types.get(unit_type) else { return true };
    let class = rulesets.unit_classes.get(unit_type.unit_class_id);
    let bit = UnitClassFlag::DoesntOccupyTile.number(world.version()).map(usize::from);
    let is_harmless = class.zip(bit).is_some_and(|(class, bit)| class.flags.get(bit));
    !is_harmless
}

/// Servers of 3.0 do not report rally points, so these are not offered for them.
fn rally(world: &World, city: &City, entries: &mut Entries) {
    if world.version() < ProtocolVersion::V3_1 {
        return;
    }
    let point = world.city_details(city.id()).and_then(|details| details.rally_point.as_ref());
    entries.add_own(point.is_some(), LegalKind::ClearRally);
    let current: Option<Vec<i8>> = point.map(|point| point.orders.iter().map(|order| order.dir).collect());
    let here = world.map().tile(city.tile()).map(|tile| tile.continent);
    let Some(geometry) = world.map().geometry() else { return };
    for (direction, number) in geometry.neighbors(city.tile()) {
        let is_land = world.map().tile(number).is_some_and(|tile| Some(tile.continent) == here);
        let is_new = current.as_deref() != Some(&[direction.number()]);
        entries.add(is_land && is_new, LegalKind::Rally, LegalTarget::Tile(number), Part::None);
    }
}
