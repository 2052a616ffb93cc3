//! Obstacles to the steps of a unit.

use super::movement::{Movement, Road, RoadMode};
use super::zoc;
use crate::number::{DiplomaticState, TerrainFlag, UnitClassFlag, UnitTypeFlag};
use crate::packets::RulesetUnit;
use crate::rules::are_allied;
use crate::world::{Tile, Unit};

/// The reason why a unit cannot make a step (Freeciv's `unit_move_result`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obstacle {
    /// Units of this type only move randomly.
    RandomOnly,
    /// Units of another player are on the tile.
    Units,
    /// The unit cannot be on the tile, and no boat there can carry it.
    NotNative,
    /// The city of a player who is not an ally is on the tile.
    City,
    /// A zone of control forbids the step.
    Zoc,
    /// The tile is inside the border of a player, and both players are at peace.
    Peace,
    /// The unit cannot leave its boat here.
    CannotDisembark,
    /// The two tiles are not connected for the class. For example, a river does not continue from one to the other.
    NotConnected,
}

impl Movement<'_> {
    /// Checks whether a unit can step from a known tile to a neighbor, by the tiles and units that the client sees
    /// (Freeciv's `unit_move_to_tile_test`).
    ///
    /// # Errors
    /// Returns the first [`Obstacle`] to the step.
    pub fn check_step(&self, from: &Tile, to: &Tile) -> Result<(), Obstacle> {
        let check = |is_possible: bool, obstacle| if is_possible { Ok(()) } else { Err(obstacle) };
        let world = self.world;
        let city = world.cities().at(to.tile);
        let is_ally = |owner| are_allied(world, self.owner, owner);
        let has_boat = || self.has_boat(to);
        check(!self.has_flag(UnitTypeFlag::RandomMovement), Obstacle::RandomOnly)?;
        check(world.units_at(to.tile).all(|unit| is_ally(unit.owner())), Obstacle::Units)?;
        check(self.can_exist(to) || has_boat(), Obstacle::NotNative)?;
        check(city.is_none_or(|city| is_ally(city.owner())), Obstacle::City)?;
        check(self.is_allowed_by_peace(to), Obstacle::Peace)?;
        check(self.can_exist(from) || self.can_leave_boat(from), Obstacle::CannotDisembark)?;
        check(city.is_some() || self.is_native_move(from, to) || has_boat(), Obstacle::NotConnected)?;
        check(self.ignores_zoc(from, to) || zoc::is_free(self, from) || zoc::is_free(self, to), Obstacle::Zoc)
    }

    fn is_allowed_by_peace(&self, to: &Tile) -> bool {
        let relation = to.owner.and_then(|owner| self.world.diplomacy().relation(self.owner, owner));
        let is_peace = relation.is_some_and(|relation| relation.state == DiplomaticState::PEACE);
        let is_open = || {
            let flag = TerrainFlag::EnterBorders.number(self.version());
            self.world.terrain_of(to).is_some_and(|terrain| terrain.flags.has(flag))
        };
        !is_peace || self.has_flag(UnitTypeFlag::NonMil) || is_open()
    }

    /// Returns whether zones of control do not apply to a step.
    fn ignores_zoc(&self, from: &Tile, to: &Tile) -> bool {
        let no_zoc = TerrainFlag::NoZoc.number(self.version());
        let is_free = |tile: &Tile| {
            self.world.cities().at(tile.tile).is_some()
                || self.world.terrain_of(tile).is_some_and(|terrain| terrain.flags.has(no_zoc))
        };
        !self.class_has_flag(UnitClassFlag::Zoc)
            || self.has_flag(UnitTypeFlag::IgZoc)
            || self.world.units_at(to.tile).next().is_some()
            || is_free(from)
            || is_free(to)
    }

    /// Returns whether a tile has a boat with room that the unit can board there.
    fn has_boat(&self, tile: &Tile) -> bool {
        self.world.units_at(tile.tile).any(|boat| self.can_board(tile, boat))
    }

    /// Returns whether a boat on a tile has room, and the unit can board it there.
    pub(crate) fn can_board(&self, tile: &Tile, boat: &Unit) -> bool {
        let Some(boat_type) = self.boat_type(boat) else { return false };
        let cargo = self.world.units_at(tile.tile).filter(|unit| unit.transported_by() == Some(boat.id()));
        cargo.count() < usize::from(boat_type.transport_capacity)
            && (self.unit_type.embarks.get(boat_type.unit_class_id.into()) || self.is_harbor(tile, boat_type))
    }

    fn can_leave_boat(&self, from: &Tile) -> bool {
        self.world.units_at(from.tile).any(|boat| self.can_leave(from, boat))
    }

    /// Returns whether the unit can leave a boat on a tile.
    pub(crate) fn can_leave(&self, tile: &Tile, boat: &Unit) -> bool {
        self.boat_type(boat).is_some_and(|boat_type| {
            self.unit_type.disembarks.get(boat_type.unit_class_id.into()) || self.is_harbor(tile, boat_type)
        })
    }

    /// Returns the type of a boat if it can carry this unit.
    fn boat_type(&self, boat: &Unit) -> Option<&RulesetUnit> {
        let boat_type = self.world.type_of(boat)?;
        let carries = boat_type.transport_capacity > 0 && boat_type.cargo.get(self.class.id.into());
        (carries && are_allied(self.world, self.owner, boat.owner())).then_some(boat_type)
    }

    /// Returns whether every unit can board and leave a boat on a tile: in a city, or on a base for the boat.
    fn is_harbor(&self, tile: &Tile, boat: &RulesetUnit) -> bool {
        let rulesets = self.world.rulesets();
        self.world.cities().at(tile.tile).is_some()
            || rulesets
                .base_extras()
                .any(|(extra, _)| tile.has_extra(extra.id) && extra.native_to.get(boat.unit_class_id.into()))
    }

    /// Returns whether two tiles are connected for the class (Freeciv's `is_native_move`). A tile that is only native
    /// because of a river can only be entered along the river.
    fn is_native_move(&self, from: &Tile, to: &Tile) -> bool {
        if self.is_native_terrain(to) || !self.is_native(from) {
            return true;
        }
        if self.is_native_terrain(from) {
            return self.is_native(to);
        }
        let is_road = |extra: u8| self.roads.iter().any(|road| road.extra == extra);
        let is_native_by_other = |tile: &Tile| {
            self.native_extras.iter().any(|extra| tile.has_extra(extra.id) && !is_road(extra.id))
        };
        if is_native_by_other(from) && self.is_native(to) || is_native_by_other(to) {
            return true;
        }
        let mut roads = self.roads.iter().filter(|road| road.is_native_tile && to.has_extra(road.extra));
        roads.any(|road| self.is_connected(road, from, to))
    }

    fn is_connected(&self, road: &Road, from: &Tile, to: &Tile) -> bool {
        let jumps = |other: &Road| {
            other.is_native_tile
                && other.is_jump_from
                && other.extra != road.extra
                && from.has_extra(other.extra)
        };
        if road.is_jump_to && self.roads.iter().any(jumps) {
            return true;
        }
        let mode = |extra: u8| self.roads.iter().find(|road| road.extra == extra).map(|road| road.mode);
        let mut connected = road.integrators.iter().filter(|(other, _)| from.has_extra(*other));
        connected.any(|(other, _)| match mode(*other) {
            Some(RoadMode::Always) => true,
            Some(RoadMode::Relaxed) => {
                self.is_cardinal(from, to)
                    || self.between(from, to).any(|tile| tile.has_extra(*other) || tile.has_extra(road.extra))
            }
            Some(RoadMode::Cardinal) | None => self.is_cardinal(from, to),
        })
    }
}
