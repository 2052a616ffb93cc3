//! The rules of the demo's game. They are invented, and use the numbers of Freeciv 3.0.

use gamewire_freeciv::codec::{Bitvector, Requirement, Text, Ufloat};
use gamewire_freeciv::number::{Production, ProductionKind};
use gamewire_freeciv::packets::{
    CalendarInfo, GameInfo, OwnedPacket, Packet, RulesetBuilding, RulesetControl, RulesetEffect,
    RulesetGovernment, RulesetTech, RulesetTerrain, RulesetUnit, RulesetUnitClass, RulesetsReady,
};
use gamewire_freeciv::rules::Effect;

/// A type of unit.
pub(super) struct UnitRule {
    name: &'static str,
    pub(super) cost: u16,
    /// Citizens that the unit takes from the city that builds it.
    pub(super) citizens: u8,
    attack: u8,
    defense: u8,
    pub(super) moves: u8,
    /// Number of the advance that the unit requires.
    advance: u8,
}

/// A kind of building.
pub(super) struct BuildingRule {
    name: &'static str,
    pub(super) cost: u16,
    /// Number of the advance that the building requires.
    advance: u8,
}

/// A terrain.
pub(super) struct TerrainRule {
    name: &'static str,
    pub(super) food: u8,
    pub(super) shields: u8,
    pub(super) trade: u8,
}

/// Numbers of the units that a nation starts with, of the first production, and of the ocean.
pub(super) const SETTLERS: u8 = 0;
pub(super) const EXPLORER: u8 = 1;
pub(super) const WARRIORS: u8 = 2;
pub(super) const OCEAN: u8 = 0;
/// Numbers of the buildings that have an effect.
pub(super) const LIBRARY: u8 = 1;
pub(super) const MARKETPLACE: u8 = 2;
const COINAGE: u8 = 3;
/// The production that turns shields into gold. It is never complete.
pub(super) const GOLD: Production = Production { kind: ProductionKind::BUILDING, id: COINAGE };
/// The advance that every nation knows.
pub(super) const NO_ADVANCE: u16 = 0;
pub(super) const DESPOTISM: i8 = 1;
/// Maximum citizens of a city.
pub(super) const MAX_SIZE: u8 = 16;
/// Food that a city of one citizen needs to grow, and the additional food for each further citizen.
const GRANARY: (u16, u16) = (15, 8);

pub(super) const UNITS: [UnitRule; 5] = [
    UnitRule { name: "Settlers", cost: 30, citizens: 1, attack: 0, defense: 1, moves: 1, advance: 0 },
    UnitRule { name: "Explorer", cost: 20, citizens: 0, attack: 0, defense: 1, moves: 3, advance: 0 },
    UnitRule { name: "Warriors", cost: 10, citizens: 0, attack: 1, defense: 1, moves: 1, advance: 0 },
    UnitRule { name: "Phalanx", cost: 20, citizens: 0, attack: 1, defense: 2, moves: 1, advance: 1 },
    UnitRule { name: "Archers", cost: 30, citizens: 0, attack: 3, defense: 2, moves: 1, advance: 4 },
];
pub(super) const BUILDINGS: [BuildingRule; 4] = [
    BuildingRule { name: "Temple", cost: 25, advance: 3 },
    BuildingRule { name: "Library", cost: 50, advance: 5 },
    BuildingRule { name: "Marketplace", cost: 60, advance: 6 },
    BuildingRule { name: "Coinage", cost: 0, advance: 0 },
];
/// The advances, each with the two advances that it requires.
pub(super) const ADVANCES: [(&str, [u16; 2]); 11] = [
    ("None", [0, 0]),
    ("Bronze Working", [0, 0]),
    ("Alphabet", [0, 0]),
    ("Ceremonial Burial", [0, 0]),
    ("Pottery", [0, 0]),
    ("Writing", [2, 0]),
    ("Currency", [1, 0]),
    ("Monarchy", [2, 3]),
    ("Trade", [5, 6]),
    ("Philosophy", [7, 8]),
    ("Literacy", [5, 8]),
];
const TERRAINS: [TerrainRule; 4] = [
    TerrainRule { name: "Ocean", food: 1, shields: 0, trade: 2 },
    TerrainRule { name: "Grassland", food: 3, shields: 1, trade: 1 },
    TerrainRule { name: "Plains", food: 2, shields: 1, trade: 1 },
    TerrainRule { name: "Hills", food: 1, shields: 2, trade: 0 },
];
/// The governments, each with the advance that it requires.
pub(super) const GOVERNMENTS: [(&str, u16); 3] = [("Anarchy", 0), ("Despotism", 0), ("Monarchy", 7)];

pub(super) fn terrain(number: u8) -> &'static TerrainRule {
    TERRAINS.get(usize::from(number)).unwrap_or(&TERRAINS[0])
}

pub(super) fn unit(number: u8) -> Option<&'static UnitRule> {
    UNITS.get(usize::from(number))
}

/// Returns the shields that a production costs, and the advance that it requires; `None` if there is no such
/// production.
pub(super) fn production(production: Production) -> Option<(u16, u16)> {
    let number = usize::from(production.id);
    match production.kind {
        ProductionKind::UNIT => UNITS.get(number).map(|rule| (rule.cost, rule.advance.into())),
        ProductionKind::BUILDING => BUILDINGS.get(number).map(|rule| (rule.cost, rule.advance.into())),
        _ => None,
    }
}

/// Returns the food that a city of a size needs to grow.
pub(super) fn granary(size: u8) -> i16 {
    let food = GRANARY.1.saturating_mul(u16::from(size).saturating_sub(1)).saturating_add(GRANARY.0);
    i16::try_from(food).unwrap_or(i16::MAX)
}

/// Returns the bulbs that the next advance costs if `known` advances are known.
pub(super) fn advance_cost(known: usize) -> u32 {
    u32::try_from(known).unwrap_or(u32::MAX).saturating_mul(8)
}

/// Returns the packets of the rules.
pub(super) fn packets() -> Vec<OwnedPacket> {
    let mut packets = Vec::new();
    let mut add = |packet: Packet<'_>| packets.push(OwnedPacket::from(packet));
    let control = RulesetControl {
        num_unit_classes: 1,
        num_unit_types: count(&UNITS),
        num_impr_types: count(&BUILDINGS),
        num_tech_types: count(&ADVANCES),
        government_count: count(&GOVERNMENTS),
        terrain_count: count(&TERRAINS),
        name: text("gamewire demo"),
        ..RulesetControl::default()
    };
    add((&control).into());
    let (name, rule_name) = (text("Land"), text("Land"));
    add((&RulesetUnitClass { name, rule_name, min_speed: 1, ..RulesetUnitClass::default() }).into());
    for (id, (name, needs)) in (0..).zip(ADVANCES) {
        let reqs: Vec<Requirement> =
            needs.into_iter().filter(|need| *need != NO_ADVANCE).map(needs_advance).collect();
        let (name, rule_name) = (text(name), text(name));
        let (research_reqs_count, cost) = (few(&reqs), Ufloat::default());
        add((&RulesetTech {
            id,
            name,
            rule_name,
            research_reqs_count,
            research_reqs: reqs,
            cost,
            ..RulesetTech::default()
        })
            .into());
    }
    for (id, (name, advance)) in (0..).zip(GOVERNMENTS) {
        let (name, rule_name, reqs) = (text(name), text(name), vec![needs_advance(advance)]);
        let reqs_count = few(&reqs);
        add((&RulesetGovernment { id, name, rule_name, reqs_count, reqs, ..RulesetGovernment::default() })
            .into());
    }
    for (id, rule) in (0..).zip(&UNITS) {
        add((&unit_packet(id, rule)).into());
    }
    for (id, rule) in (0..).zip(&BUILDINGS) {
        add((&building_packet(id, rule)).into());
    }
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
        defense_strength: rule.defense,
        move_rate: rule.moves.into(),
        tech_requirement: Some(rule.advance),
        impr_requirement: Some(NONE.1),
        gov_requirement: Some(NONE.2),
        obsoleted_by: NONE.0,
        converted_to: NONE.0,
        hp: 10,
        firepower: 1,
        ..RulesetUnit::default()
    }
}

fn building_packet(id: u8, rule: &BuildingRule) -> RulesetBuilding {
    // The genus of buildings that are not wonders, the genus of buildings that are never complete, and the flag of
    // gold.
    const PLAIN: u8 = 2;
    const SPECIAL: u8 = 3;
    const GOLD: usize = 2;
    let reqs = vec![needs_advance(rule.advance.into())];
    let is_gold = id == COINAGE;
    let mut flags = Bitvector::default();
    flags.set(GOLD, is_gold);
    RulesetBuilding {
        id,
        genus: if is_gold { SPECIAL } else { PLAIN },
        name: text(rule.name),
        rule_name: text(rule.name),
        reqs_count: few(&reqs),
        reqs,
        build_cost: rule.cost,
        flags,
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

/// Returns the requirement that the player knows an advance.
fn needs_advance(advance: u16) -> Requirement {
    // The numbers of the requirement kind for advances, and of the range of a player.
    const ADVANCE: u8 = 1;
    const PLAYER: u8 = 6;
    Requirement {
        kind: ADVANCE,
        value: advance.into(),
        range: PLAYER,
        present: true,
        ..Requirement::default()
    }
}

fn count<T>(rules: &[T]) -> u16 {
    u16::try_from(rules.len()).unwrap_or(u16::MAX)
}

fn few<T>(rules: &[T]) -> u8 {
    u8::try_from(rules.len()).unwrap_or(u8::MAX)
}

/// Converts a short text to a field. A text that does not fit becomes empty.
pub(super) fn text<const N: usize>(text: &str) -> Text<N> {
    Text::try_from(text).unwrap_or_default()
}
