use super::table::{Rule, Table};
use super::text::shown_name;
use crate::number::{Action, Production};
use crate::v30::{
    Packet, RulesetAchievement, RulesetAction, RulesetActionEnabler, RulesetBase, RulesetBuilding,
    RulesetControl, RulesetDisaster, RulesetEffect, RulesetExtra, RulesetGame, RulesetGoods,
    RulesetGovernment, RulesetMultiplier, RulesetNation, RulesetResource, RulesetRoad, RulesetSpecialist,
    RulesetStyle, RulesetTech, RulesetTerrain, RulesetTerrainControl, RulesetUnit, RulesetUnitClass,
};

macro_rules! rules {
    ($($type:ident $name:expr;)+) => {
        $(
            impl Rule for $type {
                fn id(&self) -> u16 {
                    u16::try_from(self.id).unwrap_or(u16::MAX)
                }

                fn rule_name(&self) -> &[u8] {
                    let name: for<'a> fn(&'a Self) -> &'a [u8] = $name;
                    name(self)
                }
            }
        )+
    };
}

rules! {
    RulesetAchievement |rule| &rule.rule_name;
    RulesetAction |rule| &rule.ui_name;
    RulesetBase |_| &[];
    RulesetBuilding |rule| &rule.rule_name;
    RulesetDisaster |rule| &rule.rule_name;
    RulesetExtra |rule| &rule.rule_name;
    RulesetGoods |rule| &rule.rule_name;
    RulesetGovernment |rule| &rule.rule_name;
    RulesetMultiplier |rule| &rule.rule_name;
    RulesetNation |rule| &rule.rule_name;
    RulesetResource |_| &[];
    RulesetRoad |_| &[];
    RulesetSpecialist |rule| &rule.rule_name;
    RulesetStyle |rule| &rule.rule_name;
    RulesetTech |rule| &rule.rule_name;
    RulesetTerrain |rule| &rule.rule_name;
    RulesetUnit |rule| &rule.rule_name;
    RulesetUnitClass |rule| &rule.rule_name;
}

/// The rules of the game: what there is, by id and by name.
///
/// Names are the rule names, which are the same in every language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rulesets {
    /// How many of each there are, and what the ruleset is called.
    pub control: Option<Box<RulesetControl>>,
    /// Rules that belong to no one thing.
    pub game: Option<Box<RulesetGame>>,
    /// Rules of all terrain.
    pub terrain_control: Option<Box<RulesetTerrainControl>>,
    /// Whether all of it has come.
    pub is_ready: bool,
    /// What can be achieved.
    pub achievements: Table<RulesetAchievement>,
    /// What units can do to others; named as in menus.
    pub actions: Table<RulesetAction>,
    /// Who may do it, and to whom.
    pub enablers: Vec<RulesetActionEnabler>,
    /// Of extras that are bases, by the id of the extra.
    pub bases: Table<RulesetBase>,
    /// Buildings and wonders.
    pub buildings: Table<RulesetBuilding>,
    /// What may befall a city.
    pub disasters: Table<RulesetDisaster>,
    /// What has an effect, and when.
    pub effects: Vec<RulesetEffect>,
    /// What is on tiles: roads, bases, resources, huts and their like.
    pub extras: Table<RulesetExtra>,
    /// What is traded.
    pub goods: Table<RulesetGoods>,
    /// Governments.
    pub governments: Table<RulesetGovernment>,
    /// Policies.
    pub multipliers: Table<RulesetMultiplier>,
    /// Nations.
    pub nations: Table<RulesetNation>,
    /// Of extras that are resources, by the id of the extra.
    pub resources: Table<RulesetResource>,
    /// Of extras that are roads, by the id of the extra.
    pub roads: Table<RulesetRoad>,
    /// What citizens can be who do not work a tile.
    pub specialists: Table<RulesetSpecialist>,
    /// Styles of nations.
    pub styles: Table<RulesetStyle>,
    /// Advances.
    pub advances: Table<RulesetTech>,
    /// Terrains.
    pub terrains: Table<RulesetTerrain>,
    /// Types of units.
    pub unit_types: Table<RulesetUnit>,
    /// Classes of unit types.
    pub unit_classes: Table<RulesetUnitClass>,
}

impl Rulesets {
    /// So many enablers, and so many effects, are kept.
    const MAX_LISTED: usize = 8192;

    /// What a city would make: the unit type or the building of that name.
    #[must_use]
    pub fn production(&self, rule_name: &str) -> Option<Production> {
        let unit = self.unit_types.named(rule_name).map(|unit| Production::unit(unit.id));
        unit.or_else(|| self.buildings.named(rule_name).map(|building| Production::building(building.id)))
    }

    /// The id of an action: the one under whose name the server has told it, or its number in 3.0
    /// if the ruleset has another name for it.
    #[must_use]
    pub fn action_id(&self, action: Action) -> u8 {
        let name = action.shown_name();
        let told = name.and_then(|name| self.actions.iter().find(|told| shown_name(&told.ui_name) == name));
        told.map_or(action.0, |told| told.id)
    }

    /// Takes a packet of the ruleset; whether it is one.
    pub(super) fn apply(&mut self, packet: &Packet<'_>) -> bool {
        match packet {
            // What follows takes the place of all that was.
            Packet::RulesetControl(it) => {
                *self = Self { control: Some(Box::new((*it).clone())), ..Self::default() }
            }
            Packet::RulesetGame(it) => self.game = Some(Box::new((*it).clone())),
            Packet::RulesetTerrainControl(it) => self.terrain_control = Some(Box::new((*it).clone())),
            Packet::RulesetsReady => self.is_ready = true,
            Packet::RulesetAchievement(it) => self.achievements.put(it),
            Packet::RulesetAction(it) => self.actions.put(it),
            Packet::RulesetActionEnabler(it) => list(&mut self.enablers, it),
            Packet::RulesetBase(it) => self.bases.put(it),
            Packet::RulesetBuilding(it) => self.buildings.put(it),
            Packet::RulesetDisaster(it) => self.disasters.put(it),
            Packet::RulesetEffect(it) => list(&mut self.effects, it),
            Packet::RulesetExtra(it) => self.extras.put(it),
            Packet::RulesetGoods(it) => self.goods.put(it),
            Packet::RulesetGovernment(it) => self.governments.put(it),
            Packet::RulesetMultiplier(it) => self.multipliers.put(it),
            Packet::RulesetNation(it) => self.nations.put(it),
            Packet::RulesetResource(it) => self.resources.put(it),
            Packet::RulesetRoad(it) => self.roads.put(it),
            Packet::RulesetSpecialist(it) => self.specialists.put(it),
            Packet::RulesetStyle(it) => self.styles.put(it),
            Packet::RulesetTech(it) => self.advances.put(it),
            Packet::RulesetTerrain(it) => self.terrains.put(it),
            Packet::RulesetUnit(it) => self.unit_types.put(it),
            Packet::RulesetUnitClass(it) => self.unit_classes.put(it),
            _ => return false,
        }
        true
    }
}

fn list<T: Clone>(list: &mut Vec<T>, thing: &T) {
    if list.len() < Rulesets::MAX_LISTED {
        list.push(thing.clone());
    }
}
