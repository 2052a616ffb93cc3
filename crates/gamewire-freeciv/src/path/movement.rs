use super::cost::disembark_cost;
use crate::codec::ProtocolVersion;
use crate::number::{ExtraFlag, RoadFlag, TerrainFlag, UnitClassFlag, UnitTypeFlag};
use crate::packets::{RulesetExtra, RulesetRoad, RulesetUnit, RulesetUnitClass};
use crate::world::{Tile, Unit, World};

/// The movement rules for units of one type and owner in a world.
#[derive(Clone, Debug)]
pub struct Movement<'w> {
    pub(super) world: &'w World,
    pub(super) owner: u16,
    pub(super) unit_type: &'w RulesetUnit,
    pub(super) class: &'w RulesetUnitClass,
    /// Extras that make a tile native.
    pub(super) native_extras: Vec<&'w RulesetExtra>,
    /// Cost that effects add to leaving a boat at sea.
    pub(super) disembark_cost: u32,
    /// Roads that the unit class can use.
    pub(super) roads: Vec<Road>,
}

/// A road and its effect for a unit class.
#[derive(Clone, Debug)]
pub(super) struct Road {
    pub(super) extra: u8,
    /// Cost of a step in fragments; negative if the road does not change the cost.
    pub(super) cost: i16,
    pub(super) mode: RoadMode,
    pub(super) is_native_tile: bool,
    pub(super) is_unrestricted: bool,
    pub(super) is_jump_from: bool,
    pub(super) is_jump_to: bool,
    /// The ids of the extras that it connects to, including its own, and whether the class can use each of them.
    pub(super) integrators: Vec<(u8, bool)>,
}

/// The directions in which a road connects tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoadMode {
    /// Cardinal directions only.
    Cardinal,
    /// All directions, but diagonals only if a tile between the two also has a road.
    Relaxed,
    /// All directions.
    Always,
}

impl RoadMode {
    const fn of(mode: u8) -> Self {
        match mode {
            0 => Self::Cardinal,
            1 => Self::Relaxed,
            _ => Self::Always,
        }
    }
}

impl<'w> Movement<'w> {
    /// Returns the movement rules for a unit, or `None` if the ruleset does not have its type.
    pub fn of(world: &'w World, unit: &Unit) -> Option<Self> {
        Self::of_type(world, unit.owner(), world.type_of(unit)?)
    }

    /// Returns the movement rules for units of a type and an owner, or `None` if the ruleset does not have their class.
    pub fn of_type(world: &'w World, owner: u16, unit_type: &'w RulesetUnit) -> Option<Self> {
        let rulesets = world.rulesets();
        let class = rulesets.unit_classes.get(unit_type.unit_class_id)?;
        let bit = usize::from(class.id);
        let native_tile = ExtraFlag::NativeTile.number(world.version());
        let native_extras =
            rulesets.extras.iter().filter(|extra| extra.native_to.get(bit) && extra.flags.has(native_tile));
        let native_extras: Vec<_> = native_extras.collect();
        let roads = rulesets.road_extras().filter(|(extra, _)| extra.native_to.get(bit));
        let roads = roads.map(|(extra, road)| Road::of(world, extra, road, bit)).collect();
        Some(Self {
            world,
            owner,
            unit_type,
            class,
            native_extras,
            disembark_cost: disembark_cost(world, owner, unit_type),
            roads,
        })
    }

    pub(super) fn has_flag(&self, flag: UnitTypeFlag) -> bool {
        self.unit_type.flags.has(flag.number(self.version()))
    }

    pub(super) fn class_has_flag(&self, flag: UnitClassFlag) -> bool {
        self.class.flags.has(flag.number(self.version()))
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.world.version()
    }

    /// Returns whether the terrain of a tile is native to the class. Extras are ignored.
    pub(super) fn is_native_terrain(&self, tile: &Tile) -> bool {
        self.world.terrain_of(tile).is_some_and(|terrain| terrain.native_to.get(self.class.id.into()))
    }

    /// Returns whether a tile is native to the class, because of its terrain or an extra.
    pub fn is_native(&self, tile: &Tile) -> bool {
        self.is_native_terrain(tile) || self.native_extras.iter().any(|extra| tile.has_extra(extra.id))
    }

    /// Returns whether a unit can be on a tile without a transport (Freeciv's `can_exist_at_tile`). Other units and the
    /// owner of the tile are ignored.
    pub fn can_exist(&self, tile: &Tile) -> bool {
        let is_city = self.world.cities().at(tile.tile).is_some();
        if is_city && (self.class_has_flag(UnitClassFlag::BuildAnywhere) || self.is_near_native(tile)) {
            return true;
        }
        self.is_native(tile) && (!self.has_flag(UnitTypeFlag::CoastStrict) || self.is_safe_ocean(tile))
    }

    fn is_near_native(&self, tile: &Tile) -> bool {
        self.is_native(tile) || self.world.map().neighbors(tile.tile).any(|neighbor| self.is_native(neighbor))
    }

    /// Returns whether a neighbor of a tile is a coast at which ships are safe.
    pub(super) fn is_safe_ocean(&self, tile: &Tile) -> bool {
        let unsafe_coast = TerrainFlag::UnsafeCoast.number(self.version());
        let mut around = self.world.map().neighbors(tile.tile);
        around.any(|tile| self.world.terrain_of(tile).is_some_and(|terrain| !terrain.flags.has(unsafe_coast)))
    }
}

impl Road {
    fn of(world: &World, extra: &RulesetExtra, road: &RulesetRoad, class: usize) -> Self {
        let has_flag = |flag: RoadFlag| road.flags.has(flag.number(world.version()));
        // The bits are numbers of roads.
        let others = world.rulesets().road_extras().enumerate();
        let others =
            others.filter(|(number, (other, _))| other.id == extra.id || road.integrates.get(*number));
        Self {
            extra: extra.id,
            cost: road.move_cost,
            mode: RoadMode::of(road.move_mode),
            is_native_tile: extra.flags.has(ExtraFlag::NativeTile.number(world.version())),
            is_unrestricted: has_flag(RoadFlag::UnrestrictedInfra),
            is_jump_from: has_flag(RoadFlag::JumpFrom),
            is_jump_to: has_flag(RoadFlag::JumpTo),
            integrators: others.map(|(_, (other, _))| (other.id, other.native_to.get(class))).collect(),
        }
    }
}
