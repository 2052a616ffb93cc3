use super::error::OrderError;
use super::table::orders;
use crate::codec::ProtocolVersion;
use crate::number::Activity;
use crate::packets::{
    OwnedPacket, Packet, RulesetExtra, RulesetTerrain, UnitAutosettlers, UnitChangeActivity,
    UnitServerSideAgentSet,
};
use crate::world::{Tile, World};

/// The number for no extra.
const NO_EXTRA: i8 = -1;
/// The bits in `causes` of an extra, by the activity that builds it.
const MADE_BY: [(Activity, usize); 4] =
    [(Activity::IRRIGATE, 0), (Activity::MINE, 1), (Activity::ROAD, 2), (Activity::BASE, 3)];

/// Sets the activity of a unit, with the id of an extra for activities that need one.
pub fn set_activity(unit: u32, activity: Activity, extra: Option<u8>) -> UnitChangeActivity {
    let target = extra.and_then(|extra| i8::try_from(extra).ok()).unwrap_or(NO_EXTRA);
    UnitChangeActivity { unit_id: unit, activity: activity.0, target }
}

orders! {
    /// Fortifies a unit: from the next turn on it defends better.
    fortify(unit: u32) -> UnitChangeActivity = set_activity(unit, Activity::FORTIFYING, None);

    /// Lets a unit sleep until another unit comes near.
    sentry(unit: u32) -> UnitChangeActivity = set_activity(unit, Activity::SENTRY, None);

    /// Ends the activity of a unit, and its orders.
    stop(unit: u32) -> UnitChangeActivity = set_activity(unit, Activity::IDLE, None);

    /// Lets the server move a unit to explore the map.
    explore(unit: u32) -> UnitChangeActivity = set_activity(unit, Activity::EXPLORE, None);
}

/// Lets the server choose the work of a unit until it gets another order.
///
/// # Errors
/// [`OrderError::NoUnit`] if a server of 3.0 cannot have the unit.
pub fn auto_work(world: &World, unit: u32) -> Result<OwnedPacket, OrderError> {
    /// The part of the server that lets units work.
    const AUTO_WORKER: u8 = 1;
    Ok(match world.version() {
        ProtocolVersion::V3_0 => {
            let unit_id = u16::try_from(unit).map_err(|_| OrderError::NoUnit(unit))?;
            Packet::from(&UnitAutosettlers { unit_id }).into()
        }
        _ => Packet::from(&UnitServerSideAgentSet { unit_id: unit, agent: AUTO_WORKER }).into(),
    })
}

/// Cleans pollution on the tile of a unit.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn clean_pollution(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    clean(world, unit, Activity::CLEAN_POLLUTION, "Pollution")
}

/// Cleans fallout on the tile of a unit.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn clean_fallout(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    clean(world, unit, Activity::CLEAN_FALLOUT, "Fallout")
}

orders! {
    /// Transforms the terrain on the tile of a unit.
    transform_terrain(unit: u32) -> UnitChangeActivity = set_activity(unit, Activity::TRANSFORM, None);
}

/// Pillages the tile of a unit: an extra by its rule name, or the server's choice.
///
/// # Errors
/// [`OrderError::NoRule`] if the ruleset has no such extra.
pub fn pillage(world: &World, unit: u32, extra: Option<&str>) -> Result<UnitChangeActivity, OrderError> {
    let extra = extra.map(|name| extra_named(world, name)).transpose()?;
    Ok(set_activity(unit, Activity::PILLAGE, extra.map(|extra| extra.id)))
}

/// Builds an extra by its rule name, such as `Road`, `Mine` or `Fortress`, on the tile of a unit.
///
/// # Errors
/// [`OrderError::NoRule`] if the ruleset has no such extra, or units cannot build it.
pub fn build(world: &World, unit: u32, extra: &str) -> Result<UnitChangeActivity, OrderError> {
    let rule = extra_named(world, extra)?;
    let made = MADE_BY.iter().find(|(_, bit)| rule.causes.get(*bit));
    let (activity, _) =
        made.filter(|_| rule.buildable).ok_or_else(|| OrderError::NoRule(extra.to_owned()))?;
    Ok(set_activity(unit, *activity, Some(rule.id)))
}

/// Irrigates the tile of a unit: converts the terrain if irrigation does that, otherwise builds the next extra of
/// irrigation.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn irrigate(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    improve(world, unit, Activity::IRRIGATE, |terrain| terrain.irrigation_result)
}

/// Mines the tile of a unit: converts the terrain if mining does that, otherwise builds the next extra of mining.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn mine(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    improve(world, unit, Activity::MINE, |terrain| terrain.mining_result)
}

fn improve(
    world: &World,
    unit: u32,
    activity: Activity,
    result: impl Fn(&RulesetTerrain) -> u8,
) -> Result<UnitChangeActivity, OrderError> {
    let tile = tile_of(world, unit)?;
    let converts = world.terrain_of(tile).is_some_and(|terrain| result(terrain) != terrain.id);
    let bit = MADE_BY.iter().find(|(of, _)| *of == activity).map(|(_, bit)| *bit);
    let is_next = |extra: &&RulesetExtra| {
        extra.buildable && bit.is_some_and(|bit| extra.causes.get(bit)) && !tile.has_extra(extra.id)
    };
    let extra = world.rulesets().extras.iter().find(is_next).filter(|_| !converts);
    Ok(set_activity(unit, activity, extra.map(|extra| extra.id)))
}

fn clean(
    world: &World,
    unit: u32,
    activity: Activity,
    extra: &str,
) -> Result<UnitChangeActivity, OrderError> {
    tile_of(world, unit)?;
    Ok(set_activity(unit, activity, world.rulesets().extras.named(extra).map(|extra| extra.id)))
}

fn tile_of(world: &World, unit: u32) -> Result<&Tile, OrderError> {
    let tile = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    world.map().tile(tile).ok_or(OrderError::NoTile)
}

fn extra_named<'a>(world: &'a World, extra: &str) -> Result<&'a RulesetExtra, OrderError> {
    world.rulesets().extras.named(extra).ok_or_else(|| OrderError::NoRule(extra.to_owned()))
}
