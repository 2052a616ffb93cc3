//! Cities of the demo's game. They grow and build, and earn gold for their nation.

use gamewire_freeciv::number::{Production, ProductionKind};
use gamewire_freeciv::packets::CityInfo;

use super::land::{Land, RADIUS};
use super::rules::{MAX_SIZE, TEMPLE, WARRIORS, cost, granary, text, unit};

/// Food that a citizen eats per turn.
const EATS: i16 = 2;

/// A city of the demo's game.
#[derive(Debug)]
pub(super) struct DemoCity {
    pub(super) id: u32,
    pub(super) tile: i32,
    pub(super) owner: u16,
    name: String,
    pub(super) size: u8,
    food: i16,
    pub(super) shields: u16,
    making: Production,
    has_temple: bool,
    founded: i16,
    /// The turn in which the city last built something.
    built: i16,
}

/// Food, shields and gold of a city in one turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Yield {
    food: i16,
    shields: u16,
    pub(super) gold: u32,
}

impl DemoCity {
    pub(super) fn found(id: u32, tile: i32, owner: u16, name: String, turn: i16) -> Self {
        Self {
            id,
            tile,
            owner,
            name,
            size: 1,
            food: 0,
            shields: 0,
            making: Production::unit(WARRIORS),
            has_temple: false,
            founded: turn,
            built: turn,
        }
    }

    /// Returns the yield of the city. Citizens work the best tiles around the city. The tile of the city needs no
    /// citizen.
    pub(super) fn gives(&self, land: &Land) -> Yield {
        let around = land.geometry.within(self.tile, RADIUS);
        let is_own = |tile: &i32| *tile != self.tile && land.owner(*tile) == Some(self.owner);
        let mut tiles: Vec<_> = around.filter(is_own).map(|tile| land.terrain(tile)).collect();
        tiles.sort_by_key(|tile| core::cmp::Reverse((tile.food, tile.shields)));
        let worked = tiles.into_iter().take(self.size.into()).chain([land.terrain(self.tile)]);
        // The city center makes a shield and some trade.
        let (mut food, mut shields, mut trade) = (0_i16, 1_u16, 2_u32);
        for tile in worked {
            food = food.saturating_add(tile.food.into());
            shields = shields.saturating_add(tile.shields.into());
            trade = trade.saturating_add(tile.trade.into());
        }
        let food = food.saturating_sub(i16::from(self.size).saturating_mul(EATS));
        Yield { food, shields, gold: trade / 2 }
    }

    /// Ends the city's turn: it grows or starves, and builds. It builds units only if there is `room` for one. Returns
    /// the type of a completed unit.
    pub(super) fn end_turn(&mut self, gives: Yield, turn: i16, room: bool) -> Option<u8> {
        self.food = self.food.saturating_add(gives.food);
        if self.food >= granary(self.size) {
            self.food = 0;
            self.size = self.size.saturating_add(1).min(MAX_SIZE);
        } else if self.food < 0 {
            self.food = 0;
            self.size = self.size.saturating_sub(1).max(1);
        }
        self.shields = self.shields.saturating_add(gives.shields);
        let cost = cost(self.making)?;
        let unit_type = (self.making.kind == ProductionKind::UNIT).then_some(self.making.id);
        let citizens = unit_type.and_then(unit).map_or(0, |rule| rule.citizens);
        if self.shields < cost || self.size <= citizens || (unit_type.is_some() && !room) {
            return None;
        }
        self.shields = self.shields.saturating_sub(cost);
        self.size = self.size.saturating_sub(citizens);
        self.built = turn;
        if unit_type.is_none() {
            self.has_temple = true;
            self.making = Production::unit(WARRIORS);
        }
        unit_type
    }

    /// Sets the production, unless the city cannot build it. Returns whether the production was set.
    pub(super) fn make(&mut self, wanted: Production) -> bool {
        let can = cost(wanted).is_some() && !(wanted.kind == ProductionKind::BUILDING && self.has_temple);
        if can {
            self.making = wanted;
        }
        can
    }

    pub(super) fn join(&mut self) {
        self.size = self.size.saturating_add(1).min(MAX_SIZE);
    }

    pub(super) fn packet(&self, gives: Yield) -> CityInfo {
        let shields = i16::try_from(gives.shields).unwrap_or(i16::MAX);
        let mut info = CityInfo {
            id: self.id,
            tile: self.tile,
            owner: self.owner,
            size: self.size,
            city_radius_sq: u8::try_from(RADIUS).unwrap_or(u8::MAX),
            ppl_content: [0, 0, 0, 0, 0, self.size],
            surplus: [gives.food, shields, 0, 0, 0, 0],
            food_stock: self.food,
            shield_stock: self.shields,
            before_change_shields: self.shields,
            production_kind: self.making.kind.0,
            production_value: self.making.id,
            changed_from_kind: self.making.kind.0,
            changed_from_value: self.making.id,
            turn_founded: self.founded,
            turn_last_built: self.built,
            name: text(&self.name),
            ..CityInfo::default()
        };
        info.improvements.set(TEMPLE.into(), self.has_temple);
        info
    }
}
