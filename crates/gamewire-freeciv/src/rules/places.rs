//! Requirements about tiles and their surroundings.

use super::answer::Answer;
use super::context::Context;
use super::evaluator::{Evaluator, flag};
use super::kind::{RequirementKind as Kind, RequirementRange as Range};
use crate::codec::ProtocolVersion;
use crate::packets::RulesetTerrain;
use crate::world::{City, Tile};

/// Returns whether the required place is present.
pub(super) fn is_present<'w>(
    rules: &Evaluator<'w>,
    context: &Context<'w>,
    kind: Kind,
    range: Range,
    value: i32,
) -> Option<Answer> {
    let of = |tile: &Tile| is_tile(rules, context, kind, value, tile);
    match range {
        // Before 3.2 this range is the tile. Since 3.2 it is an extra itself.
        Range::Local if rules.version() >= ProtocolVersion::V3_2 => {
            is_extra(rules, kind, value, context.extra?).map(Answer::from)
        }
        Range::Local | Range::Tile => Some(of(context.tile?)),
        Range::Adjacent | Range::CardinalAdjacent => {
            let tile = context.tile?;
            Some(of(tile).or(|| is_near(rules, tile, range == Range::CardinalAdjacent, of)))
        }
        Range::City | Range::TradeRoute => {
            let here = is_in_city(rules, context.city?, of);
            // The tiles of the trade partners are not known.
            Some(if range == Range::TradeRoute { here.or(|| Answer::Unknown) } else { here })
        }
        _ => Some(Answer::Unknown),
    }
}

/// Returns whether an extra is the required one, or has the required flag. Returns `None` for other kinds.
fn is_extra(rules: &Evaluator<'_>, kind: Kind, value: i32, extra: u8) -> Option<bool> {
    let (rulesets, bit) = (rules.rulesets(), flag(value)?);
    match kind {
        Kind::Extra => Some(i32::from(extra) == value),
        Kind::ExtraFlag => Some(rulesets.extras.get(extra)?.flags.get(bit)),
        Kind::RoadFlag => {
            Some(rulesets.road_extras().any(|(rule, road)| rule.id == extra && road.flags.get(bit)))
        }
        _ => None,
    }
}

/// Returns whether a condition holds on a neighbor of a tile.
fn is_near(rules: &Evaluator<'_>, tile: &Tile, is_cardinal: bool, of: impl Fn(&Tile) -> Answer) -> Answer {
    let map = rules.world().map();
    let Some(geometry) = map.geometry() else { return Answer::Unknown };
    let neighbors = geometry
        .neighbors(tile.tile)
        .filter(|(direction, _)| !is_cardinal || direction.is_cardinal(geometry.topology()));
    Answer::any(neighbors.map(|(_, neighbor)| map.tile(neighbor).map_or(Answer::Unknown, &of)))
}

/// Returns whether a condition holds on any tile that the city can work.
fn is_in_city(rules: &Evaluator<'_>, city: &City, of: impl Fn(&Tile) -> Answer) -> Answer {
    let map = rules.world().map();
    let (Some(geometry), Some(full)) = (map.geometry(), city.full()) else { return Answer::Unknown };
    let tiles = geometry.within(city.tile(), full.city_radius_sq.into());
    Answer::any(tiles.map(|tile| map.tile(tile).map_or(Answer::Unknown, &of)))
}

fn is_tile<'w>(rules: &Evaluator<'w>, context: &Context<'w>, kind: Kind, value: i32, tile: &Tile) -> Answer {
    let terrain = || rules.world().terrain_of(tile);
    match kind {
        Kind::Terrain => tile.terrain.map(|terrain| i32::from(terrain) == value).into(),
        Kind::TerrainClass => terrain().map(|terrain| i32::from(terrain.tclass) == value).into(),
        Kind::TerrainFlag => terrain().zip(flag(value)).map(|(terrain, flag)| terrain.flags.get(flag)).into(),
        Kind::TerrainAlter => terrain().and_then(|terrain| can_alter(terrain, value)).into(),
        Kind::CityTile => is_city_tile(rules, context, value, tile),
        Kind::MaxTileUnits => {
            let units = i32::try_from(rules.world().units_at(tile.tile).count()).unwrap_or(i32::MAX);
            // Units that the client does not see also count.
            if units > value { Answer::No } else { Answer::from(tile.is_seen()).or(|| Answer::Unknown) }
        }
        Kind::Extra => flag(value).is_some_and(|extra| tile.extras.get(extra)).into(),
        Kind::ExtraFlag | Kind::RoadFlag | Kind::BaseFlag => has_flag(rules, kind, value, tile).into(),
        _ => Answer::Unknown,
    }
}

fn has_flag(rules: &Evaluator<'_>, kind: Kind, value: i32, tile: &Tile) -> bool {
    let (rulesets, Some(bit)) = (rules.rulesets(), flag(value)) else { return false };
    match kind {
        Kind::RoadFlag => {
            rulesets.road_extras().any(|(extra, road)| road.flags.get(bit) && tile.has_extra(extra.id))
        }
        Kind::BaseFlag => rulesets
            .base_extras()
            .any(|(extra, base)| base.flags.is_some_and(|flags| flags.get(bit)) && tile.has_extra(extra.id)),
        _ => rulesets.extras.iter().any(|extra| extra.flags.get(bit) && tile.has_extra(extra.id)),
    }
}

/// Returns whether a terrain supports a kind of infrastructure (Freeciv's `terrain_alteration`).
fn can_alter(terrain: &RulesetTerrain, alteration: i32) -> Option<bool> {
    let (irrigated, mined) = (terrain.irrigation_result, terrain.mining_result);
    Some(match alteration {
        0 => irrigated.map_or(terrain.irrigation_time > 0, |result| result == terrain.id),
        1 => mined.map_or(terrain.mining_time > 0, |result| result == terrain.id),
        2 => terrain.road_time > 0,
        3 => terrain.base_time > 0,
        4 => terrain.placing_time? > 0,
        _ => return None,
    })
}

/// Returns whether a tile has a property that concerns cities (Freeciv's `citytile_type`).
fn is_city_tile<'w>(rules: &Evaluator<'w>, context: &Context<'w>, of: i32, tile: &Tile) -> Answer {
    match of {
        // The center of the city, or of any city.
        0 => match context.city {
            Some(city) => (city.tile() == tile.tile).into(),
            None => rules.world().cities().at(tile.tile).is_some().into(),
        },
        // Owned by a player.
        1 => tile.owner.is_some().into(),
        // Has extras that belong to a player.
        2 => tile.extras_owner.is_some().into(),
        // Worked by a city.
        3 => tile.worked.is_some().into(),
        _ => Answer::Unknown,
    }
}
