//! The rules of the demo's game. They are invented, and use the numbers of Freeciv 3.0.

use gamewire_freeciv::codec::Text;
use gamewire_freeciv::number::{Production, ProductionKind};
use gamewire_freeciv::packets::{
    CalendarInfo, GameInfo, OwnedPacket, Packet, RulesetBuilding, RulesetControl, RulesetEffect, RulesetTech,
    RulesetTerrain, RulesetUnit, RulesetUnitClass, RulesetsReady,
};
use gamewire_freeciv::rules::Effect;

/// A type of unit.
pub(super) struct UnitRule {
    name: &'static str,
    cost: u16,
    /// Citizens that the unit takes from the city that builds it.
    pub(super) citizens: u8,
    attack: u8,
    pub(super) moves: u8,
}

/// A terrain.
pub(super) struct TerrainRule {
    name: &'static str,
    pub(super) food: u8,
    pub(super) shields: u8,
    pub(super) trade: u8,
}

/// Number of the unit type of settlers. A nation starts with settlers and an explorer.
pub(super) const SETTLERS: u8 = 0;
/// Number of the unit type of explorers.
pub(super) const EXPLORER: u8 = 1;
/// Number of the unit type of warriors, the first production of a city.
pub(super) const WARRIORS: u8 = 2;
/// Number of the terrain ocean.
pub(super) const OCEAN: u8 = 0;
/// Number of the only building.
pub(super) const TEMPLE: u8 = 0;
/// Shields that the building costs.
const TEMPLE_COST: u16 = 25;
/// Maximum citizens of a city.
pub(super) const MAX_SIZE: u8 = 16;
/// Food that a city of one citizen needs to grow, and the additional food for each further citizen.
const GRANARY: (u16, u16) = (15, 8);

const UNITS: [UnitRule; 3] = [
    UnitRule { name: "Settlers", cost: 30, citizens: 1, attack: 0, moves: 1 },
    UnitRule { name: "Explorer", cost: 20, citizens: 0, attack: 0, moves: 3 },
    UnitRule { name: "Warriors", cost: 10, citizens: 0, attack: 1, moves: 1 },
];
const TERRAINS: [TerrainRule; 4] = [
    TerrainRule { name: "Ocean", food: 1, shields: 0, trade: 2 },
    TerrainRule { name: "Grassland", food: 3, shields: 1, trade: 1 },
    TerrainRule { name: "Plains", food: 2, shields: 1, trade: 1 },
    TerrainRule { name: "Hills", food: 1, shields: 2, trade: 0 },
];

pub(super) fn terrain(number: u8) -> &'static TerrainRule {
    TERRAINS.get(usize::from(number)).unwrap_or(&TERRAINS[0])
}

pub(super) fn unit(number: u8) -> Option<&'static UnitRule> {
    UNITS.get(usize::from(number))
}

/// Returns the shields that a production costs; `None` if there is no such production.
pub(super) fn cost(production: Production) -> Option<u16> {
    match production.kind {
        ProductionKind::UNIT => unit(production.id).map(|rule| rule.cost),
        ProductionKind::BUILDING => (production.id == TEMPLE).then_some(TEMPLE_COST),
        _ => None,
    }
}

/// Returns the food that a city of a size needs to grow.
pub(super) fn granary(size: u8) -> i16 {
    let food = GRANARY.1.saturating_mul(u16::from(size).saturating_sub(1)).saturating_add(GRANARY.0);
    i16::try_from(food).unwrap_or(i16::MAX)
}

/// Returns the packets of the rules.
pub(super) fn packets() -> Vec<OwnedPacket> {
    let mut packets = Vec::new();
    let mut add = |packet: Packet<'_>| packets.push(OwnedPacket::from(packet));
    let control = RulesetControl {
        num_unit_classes: 1,
        num_unit_types: count(&UNITS),
        num_impr_types: 1,
        num_tech_types: 1,
        terrain_count: count(&TERRAINS),
        name: text("gamewire demo"),
        ..RulesetControl::default()
    };
    add((&control).into());
    let (name, rule_name) = (text("Land"), text("Land"));
    add((&RulesetUnitClass { name, rule_name, min_speed: 1, ..RulesetUnitClass::default() }).into());
    // The advance that every nation knows and every unit requires.
    add((&RulesetTech { name: text("None"), rule_name: text("None"), ..RulesetTech::default() }).into());
    for (id, rule) in (0..).zip(&UNITS) {
        add((&unit_packet(id, rule)).into());
    }
    add((&temple_packet()).into());
    for (id, rule) in (0..).zip(&TERRAINS) {
        add((&terrain_packet(id, rule)).into());
    }
    let Effect(effect_type) = Effect::SIZE_ADJ;
    let largest = RulesetEffect { effect_type, effect_value: MAX_SIZE.into(), ..RulesetEffect::default() };
    add((&largest).into());
    add((&RulesetsReady).into());
    let mut game = GameInfo {
        turn: 1,
        year16: Some(-4000),
        year: Some(-4000),
        shieldbox: 100,
        foodbox: 100,
        sciencebox: 100,
        granary_num_inis: 1,
        granary_food_inc: GRANARY.1,
        citymindist: 2,
        ..GameInfo::default()
    };
    game.granary_food_ini = [GRANARY.0; 24];
    add((&game).into());
    let (positive_year_label, negative_year_label) = (text("CE"), text("BCE"));
    add((&CalendarInfo { positive_year_label, negative_year_label, ..CalendarInfo::default() }).into());
    packets
}

fn unit_packet(id: u16, rule: &UnitRule) -> RulesetUnit {
    /// The numbers that mean no unit type, no building and no government.
    const NONE: (u8, u8, i8) = (u8::MAX, 200, i8::MAX);
    RulesetUnit {
        id,
        name: text(rule.name),
        rule_name: text(rule.name),
        build_cost: rule.cost,
        pop_cost: rule.citizens,
        attack_strength: rule.attack,
        defense_strength: 1,
        move_rate: rule.moves.into(),
        tech_requirement: Some(0),
        impr_requirement: Some(NONE.1),
        gov_requirement: Some(NONE.2),
        obsoleted_by: NONE.0,
        converted_to: NONE.0,
        hp: 10,
        firepower: 1,
        ..RulesetUnit::default()
    }
}

fn temple_packet() -> RulesetBuilding {
    // The genus of buildings that are not wonders.
    const PLAIN: u8 = 2;
    let (name, rule_name) = (text("Temple"), text("Temple"));
    RulesetBuilding {
        id: TEMPLE,
        genus: PLAIN,
        name,
        rule_name,
        build_cost: TEMPLE_COST,
        ..RulesetBuilding::default()
    }
}

fn terrain_packet(id: u8, rule: &TerrainRule) -> RulesetTerrain {
    let [food, shields, trade] = [rule.food, rule.shields, rule.trade];
    let mut terrain = RulesetTerrain {
        id,
        name: text(rule.name),
        rule_name: text(rule.name),
        movement_cost: 1,
        output: [food, shields, trade, 0, 0, 0],
        ..RulesetTerrain::default()
    };
    terrain.native_to.set(0, id != OCEAN);
    terrain
}

fn count<T>(rules: &[T]) -> u16 {
    u16::try_from(rules.len()).unwrap_or(u16::MAX)
}

/// Converts a short text to a field. A text that does not fit becomes empty.
pub(super) fn text<const N: usize>(text: &str) -> Text<N> {
    Text::try_from(text).unwrap_or_default()
}
