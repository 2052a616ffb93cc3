use super::error::OrderError;
use crate::codec::{self, Text};
use crate::number::{Action, UnitOrder};
use crate::packets::{
    CityNameSuggestionReq, OwnedPacket, Packet, UnitActionQuery, UnitDoAction, UnitGetActions, UnitLoad,
    UnitOrders, UnitUnload,
};
use crate::path;
use crate::world::map::Direction8;
use crate::world::{LegalAction, SubTarget, World};

/// The number for no extra and no tile. As the part of a target, it lets the server choose.
const NONE: i16 = -1;
/// The number that lets the server choose the extra.
const NO_EXTRA: i8 = -1;
/// The request kind of a query in the background.
const BACKGROUND: u8 = 1;

/// Requests the legal actions of a unit against the targets on a tile: the city, single units, all units together, the
/// tile, and the unit itself. The reply lists them:
/// [`OrderReply::legal_actions`](crate::play::OrderReply::legal_actions).
pub fn query_actions(unit: u32, tile: i32) -> UnitGetActions {
    UnitGetActions {
        actor_unit_id: unit,
        target_tile_id: tile,
        target_extra_id: Some(NO_EXTRA),
        request_kind: Some(BACKGROUND),
        ..UnitGetActions::default()
    }
}

/// Requests the legal actions of a unit with an extra, such as a road to build or to pillage. Available since 3.1. In
/// 3.0 these actions are activities.
pub fn query_actions_with_extra(unit: u32, tile: i32, extra: u8) -> UnitGetActions {
    UnitGetActions {
        target_extra_id: i8::try_from(extra).ok().or(Some(NO_EXTRA)),
        ..query_actions(unit, tile)
    }
}

/// Requests a name for a city that a unit can found.
pub fn query_city_name(unit: u32) -> CityNameSuggestionReq {
    CityNameSuggestionReq { unit_id: unit }
}

/// Requests the price of an action: a bribe, inciting a city, or an upgrade.
pub fn query_price(unit: u32, action: &LegalAction) -> UnitActionQuery {
    UnitActionQuery {
        actor_id: unit,
        target_id: action.target.number(unit),
        action_type: action.id,
        request_kind: Some(BACKGROUND),
        ..UnitActionQuery::default()
    }
}

/// Performs a legal action. An action with a [`SubTarget`] takes the id of a building, advance or extra. If
/// `sub_target` is `None`, it is the extra in the server's reply, and if there is none, the server chooses.
pub fn perform(unit: u32, action: &LegalAction, sub_target: Option<u8>) -> UnitDoAction {
    UnitDoAction {
        actor_id: unit,
        target_id: action.target.number(unit),
        sub_tgt_id: match (action.sub_target, sub_target.or(action.extra)) {
            (SubTarget::None, _) => 0,
            (_, Some(chosen)) => chosen.into(),
            (_, None) => NONE,
        },
        action_type: action.id,
        ..UnitDoAction::default()
    }
}

/// Founds a city with a legal action for it.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn perform_found_city(unit: u32, action: &LegalAction, name: &str) -> Result<UnitDoAction, OrderError> {
    Ok(UnitDoAction { name: Text::try_from(name)?, ..perform(unit, action, None) })
}

/// Performs an action of a unit against a city, unit or tile, by its id or number. The kind of target depends on the
/// ruleset.
///
/// # Errors
/// [`OrderError::Version`] if the version of the server has no such action.
pub fn do_action(world: &World, unit: u32, action: Action, target: i32) -> Result<UnitDoAction, OrderError> {
    let action_type = action.number(world.version()).ok_or_else(|| OrderError::Version(world.version()))?;
    Ok(UnitDoAction { actor_id: unit, target_id: target, action_type, ..UnitDoAction::default() })
}

/// Founds a city on the tile of a unit. The unit is used up.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known, or [`OrderError::Text`] if the name is too long.
pub fn found_city(world: &World, unit: u32, name: &str) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(UnitDoAction { name: Text::try_from(name)?, ..do_action(world, unit, Action::FoundCity, tile)? })
}

/// Defines orders for actions against a city or unit.
macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident($target:ident: $type:ty) = $action:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// [`OrderError::Version`] if the version of the server has no such action.
        pub fn $name(world: &World, unit: u32, $target: $type) -> Result<UnitDoAction, OrderError> {
            do_action(world, unit, Action::$action, target_number($target))
        }
    )+};
}

actions! {
    /// Adds a unit to a city as citizens.
    join_city(city: u32) = JoinCity;

    /// Makes a city the home city of a unit in it.
    set_home_city(city: u32) = HomeCity;

    /// Upgrades a unit in a city for gold.
    upgrade(city: u32) = UpgradeUnit;

    /// Adds the cost of a unit to the wonder that a city builds.
    help_wonder(city: u32) = HelpWonder;

    /// Establishes a trade route between the home city of a unit and a city.
    establish_trade_route(city: u32) = EstablishTradeRoute;

    /// Sells the goods of a unit in a city.
    enter_marketplace(city: u32) = EnterMarketplace;

    /// Establishes an embassy in a city; the unit stays there.
    establish_embassy(city: u32) = EstablishEmbassyStay;

    /// Flies a unit from a city with an airport to another.
    airlift(city: u32) = AirliftUnit;

    /// Conquers a city.
    conquer_city(city: u32) = ConquerCity;

    /// Heals a unit on the same tile or next to it.
    heal(patient: u32) = HealUnit;
}

/// Attacks the units on an adjacent tile.
///
/// # Errors
/// This function never fails, because every version has the action.
pub fn attack(world: &World, unit: u32, tile: i32) -> Result<UnitDoAction, OrderError> {
    do_action(world, unit, Action::Attack, tile)
}

/// Disbands a unit. A server does not accept a plain disband in a city. There the order is
/// [`Action::DisbandUnitRecover`], which adds half of the unit's cost to the production.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known.
pub fn disband(world: &World, unit: u32) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    match world.cities().at(tile) {
        Some(city) => do_action(world, unit, Action::DisbandUnitRecover, target_number(city.id())),
        None => do_action(world, unit, Action::DisbandUnit, target_number(unit)),
    }
}

/// Returns the id of a city or unit as a target number. Ids of Freeciv never exceed the maximum of `i32`.
fn target_number(id: u32) -> i32 {
    i32::try_from(id).unwrap_or(i32::MAX)
}

/// Loads a unit onto a transporter on the same tile.
///
/// # Errors
/// [`OrderError::NoUnit`] if a unit is not known.
pub fn load(world: &World, unit: u32, carrier: u32) -> Result<OwnedPacket, OrderError> {
    if let Ok(load) = do_action(world, unit, Action::TransportBoard, target_number(carrier)) {
        return Ok(Packet::from(&load).into());
    }
    let (cargo_id, transporter_id, transporter_tile) =
        (narrow(unit)?, narrow(carrier)?, tile_of(world, carrier)?);
    Ok(Packet::from(&UnitLoad { cargo_id, transporter_id, transporter_tile }).into())
}

/// Unloads a unit from its transporter, on the same tile.
///
/// # Errors
/// [`OrderError::NoUnit`] if a unit is not known.
pub fn unload(world: &World, unit: u32, carrier: u32) -> Result<OwnedPacket, OrderError> {
    if let Ok(unload) = do_action(world, unit, Action::TransportDeboard, target_number(carrier)) {
        return Ok(Packet::from(&unload).into());
    }
    Ok(Packet::from(&UnitUnload { cargo_id: narrow(unit)?, transporter_id: narrow(carrier)? }).into())
}

/// Returns an id for a packet of 3.0, which has 16-bit ids.
fn narrow(unit: u32) -> Result<u16, OrderError> {
    u16::try_from(unit).map_err(|_| OrderError::NoUnit(unit))
}

fn tile_of(world: &World, unit: u32) -> Result<i32, OrderError> {
    world.unit(unit).map(|unit| unit.tile()).ok_or(OrderError::NoUnit(unit))
}

/// Maximum number of steps in a packet.
const MAX_STEPS: usize = 2000;

/// Moves a unit to a tile on the fastest path over known tiles ([`path`](crate::path)). The unit uses all its moves
/// now, and continues in the next turns.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known, or [`OrderError::NoPath`] if no path is known.
pub fn go_to(world: &World, unit: u32, tile: i32) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?;
    let no_path = || OrderError::NoPath { from: from.tile(), to: tile };
    let path = path::path(world, from, tile).ok_or_else(no_path)?;
    move_along(world, unit, &path.directions().collect::<Vec<_>>())
}

/// Moves a unit to a neighbor tile.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known, or [`OrderError::NoTile`] if there is no tile in that direction.
pub fn step(world: &World, unit: u32, direction: Direction8) -> Result<UnitOrders, OrderError> {
    move_along(world, unit, &[direction])
}

/// Moves a unit along a path. The unit uses all its moves now, and continues in the next turns.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known, [`OrderError::NoTile`] if a step leads off the map, or
/// [`OrderError::TooMany`] if the path has more than 2000 steps.
pub fn move_along(world: &World, unit: u32, path: &[Direction8]) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    let geometry = world.map().geometry().ok_or(OrderError::NoTile)?;
    let to = path.iter().try_fold(from, |tile, direction| geometry.step(tile, *direction));
    let (length, steps) = moves(world, path)?;
    Ok(UnitOrders {
        unit_id: unit,
        src_tile: from,
        length,
        orders: Some(steps),
        // The fields of 3.0.
        order: Some(vec![UnitOrder::MOVE.0; path.len()]),
        dir: Some(path.iter().map(|direction| direction.number()).collect()),
        activity: Some(vec![world.version().no_activity(); path.len()]),
        sub_target: Some(vec![NONE; path.len()]),
        action: Some(vec![world.version().no_action(); path.len()]),
        dest_tile: to.ok_or(OrderError::NoTile)?,
        ..UnitOrders::default()
    })
}

/// Returns the number of steps of a path, and the steps as orders.
pub(super) fn moves(world: &World, path: &[Direction8]) -> Result<(u16, Vec<codec::UnitOrder>), OrderError> {
    let length = u16::try_from(path.len()).ok().filter(|_| path.len() <= MAX_STEPS);
    let length = length.ok_or(OrderError::TooMany { max: MAX_STEPS })?;
    let step = |direction: &Direction8| codec::UnitOrder {
        order: UnitOrder::MOVE.0,
        action: world.version().no_action(),
        sub_target: NONE,
        target: NONE.into(),
        dir: direction.number(),
        activity: 0,
    };
    Ok((length, path.iter().map(step).collect()))
}
