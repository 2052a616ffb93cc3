//! Cities of the demo's game. They grow, build, and produce gold and bulbs for their nation.

use std::collections::BTreeSet;

use gamewire_freeciv::codec::Text;
use gamewire_freeciv::number::{Production, ProductionKind};
use gamewire_freeciv::packets::CityInfo;

use super::land::{Land, RADIUS};
use super::nation::Rates;
use super::rules::{GOLD, LIBRARY, MARKETPLACE, MAX_SIZE, WARRIORS, granary, production, unit};

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
    buildings: BTreeSet<u8>,
    founded: i16,
    /// The turn in which the city last built something.
    built: i16,
    has_bought: bool,
}

/// Food, shields, gold and bulbs of a city in one turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Yield {
    food: i16,
    shields: u16,
    pub(super) gold: u32,
    pub(super) bulbs: u32,
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
            buildings: BTreeSet::new(),
            founded: turn,
            built: turn,
            has_bought: false,
        }
    }

    /// Returns the yield of the city at these rates. Citizens work the best tiles around the city. The tile of the city
    /// needs no citizen.
    pub(super) fn gives(&self, land: &Land, rates: Rates) -> Yield {
        let around = land.geometry.within(self.tile, RADIUS);
        let is_own = |tile: &i32| *tile != self.tile && land.owner(*tile) == Some(self.owner);
        let mut tiles: Vec<_> = around.filter(is_own).map(|tile| land.terrain(tile)).collect();
        let value = |food: u8, shields: u8, trade: u8| {
            u16::from(food)
                .saturating_mul(3)
                .saturating_add(u16::from(shields).saturating_mul(2))
                .saturating_add(trade.into())
        };
        tiles.sort_by_key(|tile| core::cmp::Reverse(value(tile.food, tile.shields, tile.trade)));
        let worked = tiles.into_iter().take(self.size.into()).chain([land.terrain(self.tile)]);
        // The city center makes a shield and some trade.
        let (mut food, mut shields, mut trade) = (0_i16, 1_u16, 2_u16);
        for tile in worked {
            food = food.saturating_add(tile.food.into());
            shields = shields.saturating_add(tile.shields.into());
            trade = trade.saturating_add(tile.trade.into());
        }
        let share = |percent: u8, building: u8| {
            let half = if self.buildings.contains(&building) { 3 } else { 2 };
            u32::from(trade).saturating_mul(percent.into()).saturating_mul(half).div_ceil(200)
        };
        Yield {
            food: food.saturating_sub(i16::from(self.size).saturating_mul(EATS)),
            shields,
            gold: share(rates.tax, MARKETPLACE),
            bulbs: share(rates.science, LIBRARY),
        }
    }

    /// Ends the city's turn: it grows or starves, and builds. It builds units only if there is `room` for one. Returns
    /// the type of a completed unit, and the gold that was made.
    pub(super) fn end_turn(&mut self, gives: Yield, turn: i16, room: bool) -> (Option<u8>, u32) {
        self.has_bought = false;
        self.food = self.food.saturating_add(gives.food);
        if self.food >= granary(self.size) {
            self.food = 0;
            self.size = self.size.saturating_add(1).min(MAX_SIZE);
        } else if self.food < 0 {
            self.food = 0;
            self.size = self.size.saturating_sub(1).max(1);
        }
        self.shields = self.shields.saturating_add(gives.shields);
        if self.making == GOLD {
            return (None, core::mem::take(&mut self.shields).into());
        }
        let Some((cost, _)) = production(self.making) else { return (None, 0) };
        let unit_type = (self.making.kind == ProductionKind::UNIT).then_some(self.making.id);
        let citizens = unit_type.and_then(unit).map_or(0, |rule| rule.citizens);
        if self.shields < cost || self.size <= citizens || (unit_type.is_some() && !room) {
            return (None, 0);
        }
        self.shields = self.shields.saturating_sub(cost);
        self.size = self.size.saturating_sub(citizens);
        self.built = turn;
        if unit_type.is_none() {
            self.buildings.insert(self.making.id);
            self.making = GOLD;
        }
        (unit_type, 0)
    }

    /// Sets the production, unless the city already has that building. Returns whether the production was set.
    pub(super) fn make(&mut self, wanted: Production) -> bool {
        let is_building = wanted.kind == ProductionKind::BUILDING;
        let can = !(is_building && self.buildings.contains(&wanted.id));
        if can {
            self.making = wanted;
        }
        can
    }

    /// Buys the missing part of the production. Returns the price; `None` if the production cannot be bought.
    pub(super) fn buy(&mut self, gold: u32) -> Option<u32> {
        let price = self.price().filter(|price| !self.has_bought && *price <= gold)?;
        self.shields = production(self.making)?.0;
        self.has_bought = true;
        Some(price)
    }

    pub(super) fn join(&mut self) {
        self.size = self.size.saturating_add(1).min(MAX_SIZE);
    }

    /// Returns the price of the missing shields; `None` if none are missing, or if the production is gold, which cannot
    /// be bought.
    fn price(&self) -> Option<u32> {
        let (cost, _) = production(self.making).filter(|_| self.making != GOLD)?;
        let missing = u32::from(cost.checked_sub(self.shields).filter(|missing| *missing > 0)?);
        Some(missing.saturating_mul(2).saturating_add(missing.saturating_mul(missing) / 20))
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
            buy_cost: self.price().unwrap_or_default(),
            did_buy: self.has_bought,
            production_kind: self.making.kind.0,
            production_value: self.making.id,
            changed_from_kind: self.making.kind.0,
            changed_from_value: self.making.id,
            turn_founded: self.founded,
            turn_last_built: self.built,
            name: Text::try_from(self.name.as_str()).unwrap_or_default(),
            ..CityInfo::default()
        };
        self.buildings.iter().for_each(|building| _ = info.improvements.set(usize::from(*building), true));
        info
    }
}
