use super::error::OrderError;
use crate::codec::ProtocolVersion;
use crate::number::Activity;
use crate::packets::{
    OwnedPacket, Packet, RulesetExtra, RulesetTerrain, UnitAutosettlers, UnitChangeActivity, UnitOrders,
    UnitServerSideAgentSet,
};
use crate::world::{Tile, World};

/// The number for no extra.
const NO_EXTRA: i8 = -1;
/// For each activity that builds extras, its bit in `causes` of an extra.
const MADE_BY: [(Activity, usize); 4] =
    [(Activity::Irrigate, 0), (Activity::Mine, 1), (Activity::Road, 2), (Activity::Base, 3)];

/// Sets the activity of a unit. `extra` is the id of an extra, for activities that need one.
///
/// # Errors
/// [`OrderError::Version`] if the version of the server has no such activity.
pub fn set_activity(
    world: &World,
    unit: u32,
    activity: Activity,
    extra: Option<u8>,
) -> Result<UnitChangeActivity, OrderError> {
    let activity = activity.number(world.version()).ok_or_else(|| OrderError::Version(world.version()))?;
    let target = extra.and_then(|extra| i8::try_from(extra).ok()).unwrap_or(NO_EXTRA);
    Ok(UnitChangeActivity { unit_id: unit, activity, target })
}

/// Defines orders for activities without a target that exist in every version.
macro_rules! activities {
    ($($(#[$doc:meta])* $name:ident = $activity:ident;)+) => {$(
        $(#[$doc])*
        pub fn $name(world: &World, unit: u32) -> UnitChangeActivity {
            let activity = Activity::$activity.number(world.version()).unwrap_or_default();
            UnitChangeActivity { unit_id: unit, activity, target: NO_EXTRA }
        }
    )+};
}

activities! {
    /// Fortifies a unit. From the next turn on it defends better.
    fortify = Fortifying;

    /// Lets a unit sleep until another unit approaches.
    sentry = Sentry;

    /// Ends the activity and the orders of a unit.
    stop = Idle;

    /// Transforms the terrain on the tile of a unit.
    transform_terrain = Transform;

    /// Converts a unit to another type.
    convert = Convert;
}

/// Ends whatever a unit does: its activity, its orders, or the control by the server.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known.
pub fn halt(world: &World, unit: u32) -> Result<OwnedPacket, OrderError> {
    /// The agent number that means that the server does not control the unit.
    const NONE: u8 = 0;
    let known = world.unit(unit).ok_or(OrderError::NoUnit(unit))?;
    let full = known.full();
    if full.is_some_and(|full| full.ssa_controller.is_some_and(|agent| agent != NONE)) {
        return Ok(Packet::from(&UnitServerSideAgentSet { unit_id: unit, agent: NONE }).into());
    }
    let is_idle = world.activity_of(known) == Some(Activity::Idle);
    if is_idle && full.is_some_and(|full| full.has_orders) {
        let tile = known.tile();
        let none = UnitOrders { unit_id: unit, src_tile: tile, dest_tile: tile, ..UnitOrders::default() };
        return Ok(Packet::from(&none).into());
    }
    Ok(Packet::from(&stop(world, unit)).into())
}

/// Lets the server move a unit to explore the map.
pub fn explore(world: &World, unit: u32) -> OwnedPacket {
    /// The server-side agent that explores.
    const AUTO_EXPLORE: u8 = 2;
    match (world.version(), Activity::Explore.number(world.version())) {
        (ProtocolVersion::V3_0, Some(activity)) => {
            Packet::from(&UnitChangeActivity { unit_id: unit, activity, target: NO_EXTRA }).into()
        }
        _ => Packet::from(&UnitServerSideAgentSet { unit_id: unit, agent: AUTO_EXPLORE }).into(),
    }
}

/// Lets the server choose the work of a unit until the unit gets another order.
///
/// # Errors
/// [`OrderError::NoUnit`] if the id is too large for a server of 3.0.
pub fn auto_work(world: &World, unit: u32) -> Result<OwnedPacket, OrderError> {
    /// The server-side agent that works.
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
    clean(world, unit, Activity::CleanPollution, "Pollution")
}

/// Cleans fallout on the tile of a unit.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn clean_fallout(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    clean(world, unit, Activity::CleanFallout, "Fallout")
}

/// Removes an extra, such as pollution, by its id, from the tile of a unit.
///
/// # Errors
/// [`OrderError::NoRule`] if the ruleset has no such extra.
pub fn clean_extra(world: &World, unit: u32, extra: u8) -> Result<UnitChangeActivity, OrderError> {
    /// The bit for cleaning pollution in the ways to remove an extra, before 3.2.
    const CLEAN_POLLUTION: usize = 1;
    let rule = extra_by_id(world, extra)?;
    let is_pollution = rule.rmcauses.get(CLEAN_POLLUTION);
    let activity = if is_pollution { Activity::CleanPollution } else { Activity::CleanFallout };
    let of_version = activity.number(world.version()).map_or(Activity::Clean, |_| activity);
    set_activity(world, unit, of_version, Some(extra))
}

/// Pillages the tile of a unit. `extra` is the rule name of an extra; with `None` the server chooses.
///
/// # Errors
/// [`OrderError::NoRule`] if the ruleset has no such extra.
pub fn pillage(world: &World, unit: u32, extra: Option<&str>) -> Result<UnitChangeActivity, OrderError> {
    let extra = extra.map(|name| extra_named(world, name)).transpose()?;
    set_activity(world, unit, Activity::Pillage, extra.map(|extra| extra.id))
}

/// Builds an extra by its rule name, such as `Road`, `Mine` or `Fortress`, on the tile of a unit.
///
/// # Errors
/// [`OrderError::NoRule`] if the ruleset has no such extra, or units cannot build it.
pub fn build(world: &World, unit: u32, extra: &str) -> Result<UnitChangeActivity, OrderError> {
    build_rule(world, unit, extra_named(world, extra)?)
}

/// Builds an extra, by its id, on the tile of a unit.
///
/// # Errors
/// [`OrderError::NoRule`] if the ruleset has no such extra, or units cannot build it.
pub fn build_extra(world: &World, unit: u32, extra: u8) -> Result<UnitChangeActivity, OrderError> {
    build_rule(world, unit, extra_by_id(world, extra)?)
}

fn build_rule(world: &World, unit: u32, rule: &RulesetExtra) -> Result<UnitChangeActivity, OrderError> {
    let made = MADE_BY.iter().find(|(_, bit)| rule.causes.get(*bit));
    let (activity, _) = made
        .filter(|_| rule.buildable)
        .ok_or_else(|| OrderError::NoRule(rule.rule_name.to_str_lossy().into_owned()))?;
    set_activity(world, unit, *activity, Some(rule.id))
}

/// Irrigates the tile of a unit. Builds the next irrigation extra, or converts the terrain if irrigation cannot
/// build an extra on it.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn irrigate(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    improve(world, unit, Activity::Irrigate, Activity::Cultivate, |terrain| {
        terrain.irrigation_result.is_some_and(|result| result != terrain.id)
            || terrain.cultivate_time.is_some_and(|time| time > 0 && terrain.irrigation_time == 0)
    })
}

/// Mines the tile of a unit. Builds the next mining extra, or converts the terrain if mining cannot build an extra on
/// it.
///
/// # Errors
/// [`OrderError::NoUnit`] or [`OrderError::NoTile`] if the unit or its tile is not known.
pub fn mine(world: &World, unit: u32) -> Result<UnitChangeActivity, OrderError> {
    improve(world, unit, Activity::Mine, Activity::Plant, |terrain| {
        terrain.mining_result.is_some_and(|result| result != terrain.id)
            || terrain.plant_time.is_some_and(|time| time > 0 && terrain.mining_time == 0)
    })
}

/// Improves a tile. `converts` returns whether the terrain can only be converted. Since 3.1, conversion is a separate
/// activity.
fn improve(
    world: &World,
    unit: u32,
    activity: Activity,
    conversion: Activity,
    converts: impl Fn(&RulesetTerrain) -> bool,
) -> Result<UnitChangeActivity, OrderError> {
    let tile = tile_of(world, unit)?;
    let converts = world.terrain_of(tile).is_some_and(converts);
    if converts && conversion.number(world.version()).is_some() {
        return set_activity(world, unit, conversion, None);
    }
    let bit = MADE_BY.iter().find(|(of, _)| *of == activity).map(|(_, bit)| *bit);
    let is_next = |extra: &&RulesetExtra| {
        extra.buildable && bit.is_some_and(|bit| extra.causes.get(bit)) && !tile.has_extra(extra.id)
    };
    let extra = world.rulesets().extras.iter().find(is_next).filter(|_| !converts);
    set_activity(world, unit, activity, extra.map(|extra| extra.id))
}

/// Cleans an extra with the activity of the older versions, or from 3.2 on with the activity for all extras.
fn clean(
    world: &World,
    unit: u32,
    activity: Activity,
    extra: &str,
) -> Result<UnitChangeActivity, OrderError> {
    tile_of(world, unit)?;
    let extra = world.rulesets().extras.named(extra).map(|extra| extra.id);
    set_activity(world, unit, activity, extra).or_else(|_| set_activity(world, unit, Activity::Clean, extra))
}

fn tile_of(world: &World, unit: u32) -> Result<&Tile, OrderError> {
    let tile = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    world.map().tile(tile).ok_or(OrderError::NoTile)
}

fn extra_named<'a>(world: &'a World, extra: &str) -> Result<&'a RulesetExtra, OrderError> {
    world.rulesets().extras.named(extra).ok_or_else(|| OrderError::NoRule(extra.to_owned()))
}

fn extra_by_id(world: &World, extra: u8) -> Result<&RulesetExtra, OrderError> {
    world.rulesets().extras.get(extra).ok_or_else(|| OrderError::NoRule(extra.to_string()))
}
