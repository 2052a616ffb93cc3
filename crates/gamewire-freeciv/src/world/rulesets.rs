use super::table::{Keyed, Rule, Table, keyed};
use crate::number::Production;
use crate::packets::{
    NationAvailability, Packet, RulesetAchievement, RulesetAction, RulesetActionAuto, RulesetActionEnabler,
    RulesetBase, RulesetBuilding, RulesetCity, RulesetClause, RulesetControl, RulesetCounter,
    RulesetDisaster, RulesetEffect, RulesetExtra, RulesetExtraFlag, RulesetGame, RulesetGoods,
    RulesetGovernment, RulesetGovernmentRulerTitle, RulesetImprFlag, RulesetMultiplier, RulesetMusic,
    RulesetNation, RulesetNationGroups, RulesetNationSets, RulesetResource, RulesetRoad, RulesetSpecialist,
    RulesetStyle, RulesetTech, RulesetTechClass, RulesetTechFlag, RulesetTerrain, RulesetTerrainControl,
    RulesetTerrainFlag, RulesetTrade, RulesetUnit, RulesetUnitBonus, RulesetUnitClass, RulesetUnitClassFlag,
    RulesetUnitFlag, WebRulesetUnitAddition,
};

/// Implements [`Rule`] for the packets of rules, and stores each packet in its table.
macro_rules! rules {
    ($($table:ident: $type:ident, $rule:ident => $name:expr;)+) => {
        $(
            keyed!($type: id,);

            impl Rule for $type {
                fn rule_name(&self) -> &[u8] {
                    let $rule = self;
                    $name
                }
            }
        )+

        impl Rulesets {
            /// Stores the packet of one rule. Returns false for other packets.
            fn apply_rule(&mut self, packet: &Packet<'_>) -> bool {
                match packet {
                    $(Packet::$type(rule) => self.$table.put(rule),)+
                    _ => return false,
                }
                true
            }
        }
    };
}

rules! {
    achievements: RulesetAchievement, rule => &rule.rule_name;
    action_autos: RulesetActionAuto, _rule => &[];
    actions: RulesetAction, rule => &rule.ui_name;
    bases: RulesetBase, _rule => &[];
    buildings: RulesetBuilding, rule => &rule.rule_name;
    disasters: RulesetDisaster, rule => &rule.rule_name;
    extra_flags: RulesetExtraFlag, rule => &rule.name;
    extras: RulesetExtra, rule => &rule.rule_name;
    goods: RulesetGoods, rule => &rule.rule_name;
    governments: RulesetGovernment, rule => &rule.rule_name;
    building_flags: RulesetImprFlag, rule => &rule.name;
    multipliers: RulesetMultiplier, rule => &rule.rule_name;
    music: RulesetMusic, _rule => &[];
    nations: RulesetNation, rule => &rule.rule_name;
    resources: RulesetResource, _rule => &[];
    roads: RulesetRoad, _rule => &[];
    specialists: RulesetSpecialist, rule => &rule.rule_name;
    styles: RulesetStyle, rule => &rule.rule_name;
    advances: RulesetTech, rule => &rule.rule_name;
    advance_classes: RulesetTechClass, rule => &rule.rule_name;
    advance_flags: RulesetTechFlag, rule => &rule.name;
    terrain_flags: RulesetTerrainFlag, rule => &rule.name;
    trade_routes: RulesetTrade, _rule => &[];
    unit_flags: RulesetUnitFlag, rule => &rule.name;
    unit_class_flags: RulesetUnitClassFlag, rule => &rule.name;
    web_unit_types: WebRulesetUnitAddition, _rule => &[];
    terrains: RulesetTerrain, rule => &rule.rule_name;
    unit_types: RulesetUnit, rule => &rule.rule_name;
    unit_classes: RulesetUnitClass, rule => &rule.rule_name;
}

keyed! {
    RulesetCity: style_id,
    RulesetClause: r#type,
}

impl Rule for RulesetCity {
    fn rule_name(&self) -> &[u8] {
        &self.rule_name
    }
}

/// The rulesets: all rules of the game, by id and by name.
///
/// Names are rule names, which are not translated.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rulesets {
    /// Number of each kind of rule, and the name of the ruleset.
    pub control: Option<Box<RulesetControl>>,
    /// Rules that concern the whole game.
    pub game: Option<Box<RulesetGame>>,
    /// Rules that concern all terrain.
    pub terrain_control: Option<Box<RulesetTerrainControl>>,
    /// True if the rulesets are complete.
    pub is_ready: bool,
    /// Achievements.
    pub achievements: Table<RulesetAchievement>,
    /// Actions that units perform automatically after an event.
    pub action_autos: Table<RulesetActionAuto>,
    /// Actions of units, with their names in menus.
    pub actions: Table<RulesetAction>,
    /// Flags of buildings that the ruleset names. Only 3.2 has them.
    pub building_flags: Table<RulesetImprFlag>,
    /// Styles of cities.
    pub city_styles: Table<RulesetCity>,
    /// Clauses of treaties that the ruleset allows, by kind. The table is empty for 3.0, which allows all clauses.
    pub clauses: Table<RulesetClause>,
    /// Counters of cities, in the order of their values. Only 3.2 has them.
    pub counters: Vec<RulesetCounter>,
    /// Conditions under which actions are possible.
    pub enablers: Vec<RulesetActionEnabler>,
    /// Bases, by their numbers among the extras that are bases; see [`base_extras`](Self::base_extras).
    pub bases: Table<RulesetBase>,
    /// Buildings and wonders.
    pub buildings: Table<RulesetBuilding>,
    /// Disasters.
    pub disasters: Table<RulesetDisaster>,
    /// Effects and their conditions.
    pub effects: Vec<RulesetEffect>,
    /// Flags of extras that the ruleset names.
    pub extra_flags: Table<RulesetExtraFlag>,
    /// Extras on tiles: roads, bases, resources, huts and others.
    pub extras: Table<RulesetExtra>,
    /// Goods.
    pub goods: Table<RulesetGoods>,
    /// Governments.
    pub governments: Table<RulesetGovernment>,
    /// Multipliers (policies).
    pub multipliers: Table<RulesetMultiplier>,
    /// Styles of music.
    pub music: Table<RulesetMusic>,
    /// Groups of nations.
    pub nation_groups: Option<Box<RulesetNationGroups>>,
    /// Sets of nations.
    pub nation_sets: Option<Box<RulesetNationSets>>,
    /// Nations that players may choose, by id.
    pub nation_availability: Option<Box<NationAvailability>>,
    /// Nations.
    pub nations: Table<RulesetNation>,
    /// Resources, by the id of the extra.
    pub resources: Table<RulesetResource>,
    /// Roads, by their numbers among the extras that are roads; see [`road_extras`](Self::road_extras).
    pub roads: Table<RulesetRoad>,
    /// Titles of rulers by government and nation.
    pub ruler_titles: Vec<RulesetGovernmentRulerTitle>,
    /// The summary of the ruleset. It may be empty.
    pub summary: String,
    /// The description of the ruleset. It may be empty.
    pub description: String,
    /// Specialists.
    pub specialists: Table<RulesetSpecialist>,
    /// Styles of nations.
    pub styles: Table<RulesetStyle>,
    /// Advances.
    pub advances: Table<RulesetTech>,
    /// Classes of advances.
    pub advance_classes: Table<RulesetTechClass>,
    /// Flags of advances that the ruleset names.
    pub advance_flags: Table<RulesetTechFlag>,
    /// Flags of terrains that the ruleset names.
    pub terrain_flags: Table<RulesetTerrainFlag>,
    /// Kinds of trade routes.
    pub trade_routes: Table<RulesetTrade>,
    /// Flags of unit types that the ruleset names.
    pub unit_flags: Table<RulesetUnitFlag>,
    /// Flags of unit classes that the ruleset names.
    pub unit_class_flags: Table<RulesetUnitClassFlag>,
    /// Bonuses of unit types against other unit types.
    pub unit_bonuses: Vec<RulesetUnitBonus>,
    /// Additional fields of unit types that a server for Freeciv-web sends.
    pub web_unit_types: Table<WebRulesetUnitAddition>,
    /// Terrains.
    pub terrains: Table<RulesetTerrain>,
    /// Types of units.
    pub unit_types: Table<RulesetUnit>,
    /// Classes of unit types.
    pub unit_classes: Table<RulesetUnitClass>,
}

impl Rulesets {
    /// The bit for roads in the causes of an extra.
    const CAUSED_BY_ROAD: usize = 2;
    /// The bit for bases in the causes of an extra.
    const CAUSED_BY_BASE: usize = 3;
    /// Maximum number of enablers, and of effects. Further ones are ignored.
    const MAX_LISTED: usize = 8192;

    /// Maximum bytes of a description. Its last part may exceed the maximum.
    const MAX_DESCRIPTION: usize = 1 << 20;

    /// Returns the production of the unit type or building with this rule name.
    pub fn production(&self, rule_name: &str) -> Option<Production> {
        let unit = self.unit_types.named(rule_name).and_then(|unit| u8::try_from(unit.id).ok());
        unit.map(Production::unit)
            .or_else(|| self.buildings.named(rule_name).map(|building| Production::building(building.id)))
    }

    /// Iterates over the extras that are roads, each with its road properties, by road number.
    pub fn road_extras(&self) -> impl Iterator<Item = (&RulesetExtra, &RulesetRoad)> {
        self.caused_by(Self::CAUSED_BY_ROAD)
            .enumerate()
            .filter_map(|(number, extra)| Some((extra, self.roads.get(number)?)))
    }

    /// Iterates over the extras that are bases, each with its base properties, by base number.
    pub fn base_extras(&self) -> impl Iterator<Item = (&RulesetExtra, &RulesetBase)> {
        self.caused_by(Self::CAUSED_BY_BASE)
            .enumerate()
            .filter_map(|(number, extra)| Some((extra, self.bases.get(number)?)))
    }

    fn caused_by(&self, cause: usize) -> impl Iterator<Item = &RulesetExtra> {
        self.extras.iter().filter(move |extra| extra.causes.get(cause))
    }

    /// Applies a packet of a ruleset. Returns false for other packets.
    pub(super) fn apply(&mut self, packet: &Packet<'_>) -> bool {
        match packet {
            // New rulesets replace the old ones completely.
            Packet::RulesetControl(it) => {
                *self = Self { control: Some(Box::new((*it).clone())), ..Self::default() }
            }
            Packet::RulesetGame(it) => self.game = Some(Box::new((*it).clone())),
            Packet::RulesetTerrainControl(it) => self.terrain_control = Some(Box::new((*it).clone())),
            Packet::RulesetsReady(_) => self.is_ready = true,
            Packet::RulesetActionEnabler(it) => push_bounded(&mut self.enablers, it),
            Packet::RulesetEffect(it) => push_bounded(&mut self.effects, it),
            Packet::RulesetUnitBonus(it) => push_bounded(&mut self.unit_bonuses, it),
            Packet::RulesetGovernmentRulerTitle(it) => push_bounded(&mut self.ruler_titles, it),
            Packet::RulesetCounter(it) => push_bounded(&mut self.counters, it),
            Packet::RulesetCity(it) => self.city_styles.put(it),
            Packet::WebRulesetUnitAdditionPacket(it) => {
                let mut wide = WebRulesetUnitAddition { id: it.id.into(), ..Default::default() };
                for action in it.utype_actions.iter_ones() {
                    wide.utype_actions.set(action, true);
                }
                self.web_unit_types.put(&wide);
            }
            Packet::RulesetClause(it) => self.clauses.put(it),
            Packet::RulesetNationGroups(it) => self.nation_groups = Some(Box::new((*it).clone())),
            Packet::RulesetNationSets(it) => self.nation_sets = Some(Box::new((*it).clone())),
            Packet::NationAvailability(it) => self.nation_availability = Some(Box::new((*it).clone())),
            Packet::RulesetSummary(it) => self.summary = it.text.to_str_lossy().into_owned(),
            Packet::RulesetDescriptionPart(it) => {
                let announced = self.control.as_ref().map_or(0, |control| control.desc_length);
                let most = usize::try_from(announced).unwrap_or(usize::MAX).min(Self::MAX_DESCRIPTION);
                if self.description.len() < most {
                    self.description.push_str(&it.text.to_str_lossy());
                }
            }
            _ => return self.apply_rule(packet),
        }
        true
    }
}

fn push_bounded<T: Clone>(list: &mut Vec<T>, thing: &T) {
    if list.len() < Rulesets::MAX_LISTED {
        list.push(thing.clone());
    }
}
