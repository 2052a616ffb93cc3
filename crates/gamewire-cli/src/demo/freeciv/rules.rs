//! The rules of the demo's game. They are invented, and use the numbers of Freeciv 3.0.

use gamewire_freeciv::codec::{ProtocolVersion, Text};
use gamewire_freeciv::number::EffectType;
use gamewire_freeciv::packets::{
    CalendarInfo, CityInfo, GameInfo, OwnedPacket, Packet, RulesetControl, RulesetEffect, RulesetTech,
    RulesetTerrain, RulesetUnit, RulesetUnitClass, RulesetsReady,
};

/// A type of unit.
pub(super) struct UnitRule {
    name: &'static str,
    cost: u16,
    /// Citizens that the unit takes from the city that builds it.
    citizens: u8,
    attack: u8,
}

/// Number of the unit type of settlers. A nation starts with them.
pub(super) const SETTLERS: u8 = 0;
/// Number of the unit type of warriors, the first production of a city.
pub(super) const WARRIORS: u8 = 1;
/// Number of the terrain ocean. The other terrain is land.
pub(super) const OCEAN: u8 = 0;
/// Steps of a unit in a turn.
pub(super) const MOVES: u8 = 1;
/// Food that a city earns in a turn.
const FOOD: i16 = 2;
/// Maximum citizens of a city.
const MAX_SIZE: u8 = 16;
/// Food that a city of one citizen needs to grow, and the additional food for each further citizen.
const GRANARY: (u16, u16) = (8, 4);

const UNITS: [UnitRule; 2] = [
    UnitRule { name: "Settlers", cost: 30, citizens: 1, attack: 0 },
    UnitRule { name: "Warriors", cost: 10, citizens: 0, attack: 1 },
];

pub(super) fn unit_rule(number: u8) -> Option<&'static UnitRule> {
    UNITS.get(usize::from(number))
}

/// Ends the turn of a city: it grows, and builds if the nation `has_room` for another unit. Returns the type of a
/// completed unit.
pub(super) fn end_turn(city: &mut CityInfo, turn: i16, has_room: bool) -> Option<u8> {
    let granary = u16::from(city.size).saturating_sub(1).saturating_mul(GRANARY.1).saturating_add(GRANARY.0);
    city.food_stock = city.food_stock.saturating_add(FOOD);
    if i32::from(city.food_stock) >= i32::from(granary) {
        city.food_stock = 0;
        city.size = city.size.saturating_add(1).min(MAX_SIZE);
    }
    city.shield_stock = city.shield_stock.saturating_add(shields(city.size));
    let rule = unit_rule(city.production_value)?;
    if !has_room || city.shield_stock < rule.cost || city.size <= rule.citizens {
        return None;
    }
    city.shield_stock = city.shield_stock.saturating_sub(rule.cost);
    city.size = city.size.saturating_sub(rule.citizens);
    city.turn_last_built = turn;
    Some(city.production_value)
}

/// Returns the shields that a city of a size earns in a turn.
fn shields(size: u8) -> u16 {
    u16::from(size).saturating_add(2)
}

/// Sets the fields of a city that follow from others.
pub(super) fn update(city: &mut CityInfo) {
    city.ppl_content = [0, 0, 0, 0, 0, city.size];
    city.surplus = [FOOD, shields(city.size).cast_signed(), 0, 0, 0, 0];
    city.before_change_shields = city.shield_stock;
    city.changed_from_kind = city.production_kind;
    city.changed_from_value = city.production_value;
}

/// Returns the packets of the rules.
pub(super) fn packets() -> Vec<OwnedPacket> {
    let mut packets = Vec::new();
    let mut add = |packet: Packet<'_>| packets.push(OwnedPacket::from(packet));
    let control = RulesetControl {
        num_unit_classes: 1,
        num_unit_types: 2,
        num_tech_types: 1,
        terrain_count: 2,
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
    for (id, name) in (0..).zip(["Ocean", "Grassland"]) {
        let (name, rule_name, output) = (text(name), text(name), [2, 1, 1, 0, 0, 0]);
        let mut terrain =
            RulesetTerrain { id, name, rule_name, movement_cost: 1, output, ..RulesetTerrain::default() };
        terrain.native_to.set(0, id != OCEAN);
        add((&terrain).into());
    }
    let effect_type = EffectType::SizeAdj.number(ProtocolVersion::V3_0).unwrap_or_default();
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
        move_rate: MOVES.into(),
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

/// Converts a short text to a field. A text that does not fit becomes empty.
pub(super) fn text<const N: usize>(text: &str) -> Text<N> {
    Text::try_from(text).unwrap_or_default()
}
