//! Common queries that combine several parts of the world.

use super::city_unit::{City, Unit};
use super::tile::Tile;
use super::world::World;
use crate::number::Activity;
use crate::packets::{PlayerInfo, ResearchInfo, RulesetBuilding, RulesetTech, RulesetTerrain, RulesetUnit};

impl World {
    /// Returns the player with this leader name or user name.
    pub fn player_named(&self, name: &str) -> Option<&PlayerInfo> {
        self.players().find(|player| *player.name == *name.as_bytes() || *player.username == *name.as_bytes())
    }

    /// Returns the research of a player, if it is known.
    pub fn research(&self, player: u16) -> Option<&ResearchInfo> {
        let player = self.player(player)?;
        let is_pooled = self.game().is_some_and(|game| game.team_pooled_research);
        self.researches.get(if is_pooled { player.team } else { player.playerno })
    }

    /// Returns the research of the own player.
    pub fn my_research(&self) -> Option<&ResearchInfo> {
        self.research(self.my_number()?)
    }

    /// Returns whether a player has an advance. Returns false if that is unknown.
    pub fn has_advance(&self, player: u16, advance: u16) -> bool {
        const KNOWN: u8 = b'2';
        self.research(player).and_then(|research| research.inventions.get(usize::from(advance)))
            == Some(&KNOWN)
    }

    /// Returns the tile in a column and a row, if it is known.
    pub fn tile(&self, x: i32, y: i32) -> Option<&Tile> {
        self.map.tile_at(x, y)
    }

    /// Returns the city with this id.
    pub fn city(&self, id: u32) -> Option<&City> {
        self.cities.get(id)
    }

    /// Returns the player who founded an own city. Returns `None` if the server does not send it, which is always so in
    /// 3.0.
    pub fn original_owner(&self, city: &City) -> Option<u16> {
        city.full()?.original.filter(|original| *original != self.version.no_player())
    }

    /// Iterates over the own cities by ascending id.
    pub fn my_cities(&self) -> impl Iterator<Item = &City> {
        let me = self.my_number();
        self.cities.iter().filter(move |city| Some(city.owner()) == me)
    }

    /// Iterates over the known tiles that a city can work, including its own tile.
    pub fn city_tiles(&self, city: &City) -> impl Iterator<Item = &Tile> {
        let radius = city.full().map(|city| u16::from(city.city_radius_sq));
        let around =
            self.map.geometry().zip(radius).map(|(geometry, radius)| geometry.within(city.tile(), radius));
        around.into_iter().flatten().filter_map(|tile| self.map.tile(tile))
    }

    /// Returns the unit with this id.
    pub fn unit(&self, id: u32) -> Option<&Unit> {
        self.units.get(id)
    }

    /// Iterates over the own units by ascending id.
    pub fn my_units(&self) -> impl Iterator<Item = &Unit> {
        let me = self.my_number();
        self.units.iter().filter(move |unit| Some(unit.owner()) == me)
    }

    /// Iterates over the own units of a type, by its rule name.
    pub fn my_units_of(&self, rule_name: &str) -> impl Iterator<Item = &Unit> {
        let of = self.unit_type(rule_name).map(|unit_type| unit_type.id);
        self.my_units().filter(move |unit| Some(unit.type_id()) == of)
    }

    /// Iterates over the units on a tile by ascending id.
    pub fn units_at(&self, tile: i32) -> impl Iterator<Item = &Unit> {
        self.units.on_tile(tile)
    }

    /// Returns the type of a unit.
    pub fn type_of(&self, unit: &Unit) -> Option<&RulesetUnit> {
        self.rulesets.unit_types.get(unit.type_id())
    }

    /// Returns the activity of a unit, if its number is known.
    pub fn activity_of(&self, unit: &Unit) -> Option<Activity> {
        let number = match unit {
            Unit::Full(unit) => unit.activity,
            Unit::Short(unit) => unit.activity,
        };
        Activity::of(self.version, number)
    }

    /// Returns the unit type with this rule name.
    pub fn unit_type(&self, rule_name: &str) -> Option<&RulesetUnit> {
        self.rulesets.unit_types.named(rule_name)
    }

    /// Returns the building with this rule name.
    pub fn building(&self, rule_name: &str) -> Option<&RulesetBuilding> {
        self.rulesets.buildings.named(rule_name)
    }

    /// Returns the advance with this rule name.
    pub fn advance(&self, rule_name: &str) -> Option<&RulesetTech> {
        self.rulesets.advances.named(rule_name)
    }

    /// Returns the terrain of a tile, if it is known.
    pub fn terrain_of(&self, tile: &Tile) -> Option<&RulesetTerrain> {
        self.rulesets.terrains.get(tile.terrain?)
    }

    /// Returns whether a unit can be on a tile because of the terrain or an extra. Cities and foreign units are
    /// ignored.
    pub fn is_native(&self, unit: &Unit, tile: &Tile) -> bool {
        let Some(class) = self.type_of(unit).map(|unit_type| usize::from(unit_type.unit_class_id)) else {
            return false;
        };
        self.is_native_to(class, tile)
    }

    /// Returns whether a unit class can be on a tile because of the terrain or an extra.
    pub fn is_native_to(&self, class: impl Into<usize>, tile: &Tile) -> bool {
        /// The flag of extras that make a tile native. Other extras can only be used by the class.
        const NATIVE_TILE: usize = 0;
        let class = class.into();
        let by_terrain = self.terrain_of(tile).is_some_and(|terrain| terrain.native_to.get(class));
        by_terrain
            || self.rulesets.extras.iter().any(|extra| {
                tile.has_extra(extra.id) && extra.native_to.get(class) && extra.flags.get(NATIVE_TILE)
            })
    }
}
