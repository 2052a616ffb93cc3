use serde::Serialize;

use super::Name;
use crate::rules::{
    self, AdvanceRule, Answer, BuildingRule, Domain, EffectRule, GovernmentRule, Permitted, UnitTypeRule,
};
use crate::world::World;

/// The rules one by one: what each advance, building, government and unit type costs, needs and permits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CatalogView<'w> {
    /// The advances, by id.
    pub advances: Vec<AdvanceView>,
    /// The buildings and wonders, by id.
    pub buildings: Vec<FullBuildingView<'w>>,
    /// The governments, by id.
    pub governments: Vec<GovernmentView>,
    /// The unit types, by id.
    pub unit_types: Vec<FullUnitTypeView<'w>>,
}

/// An advance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdvanceView {
    /// Id of the advance.
    pub id: u16,
    /// Name of the advance.
    pub name: String,
    /// Bulbs that the own player needs for it now.
    pub cost: Option<u64>,
    /// Names of the advances that must be known to research it.
    pub needs: Vec<String>,
    /// All requirements, as text such as `Tech "Alphabet" (Player)`.
    pub requirements: Vec<String>,
    /// The things that it permits.
    pub permits: Vec<PermittedView>,
    /// Names of its flags.
    pub flags: Vec<String>,
    /// True if the own player knows it.
    pub is_known: bool,
    /// True if the own player can research it now. `None` if that is unknown.
    pub can_research: Option<bool>,
}

/// A building or wonder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FullBuildingView<'w> {
    /// Id of the building.
    pub id: u8,
    /// Name of the building.
    pub name: String,
    /// Cost in shields for the own player.
    pub cost: Option<u32>,
    /// Upkeep per turn, in gold.
    pub upkeep: u8,
    /// `great`, `small` or none.
    pub wonder: Option<&'static str>,
    /// Name of the owner of a great wonder.
    pub owner: Option<Name<'w>>,
    /// The requirements.
    pub requirements: Vec<String>,
    /// The things that make it obsolete.
    pub obsolete_by: Vec<String>,
    /// Names of its flags.
    pub flags: Vec<String>,
    /// The things that it permits.
    pub permits: Vec<PermittedView>,
    /// Its effects.
    pub effects: Vec<EffectView>,
}

/// A government.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GovernmentView {
    /// Id of the government.
    pub id: i8,
    /// Name of the government.
    pub name: String,
    /// Maximum of each of the three rates under it, in percent.
    pub max_rate: Option<u8>,
    /// The requirements.
    pub requirements: Vec<String>,
    /// True if the own player can choose it now. `None` if that is unknown.
    pub can_choose: Option<bool>,
    /// Its effects.
    pub effects: Vec<EffectView>,
}

/// A unit type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FullUnitTypeView<'w> {
    /// Id of the type.
    pub id: u16,
    /// Name of the type.
    pub name: String,
    /// Name of the class.
    pub class: Option<Name<'w>>,
    /// `land`, `sea`, `both` or `none`: the terrain on which its units can be.
    pub domain: &'static str,
    /// Cost in shields for the own player.
    pub cost: Option<u32>,
    /// Attack strength.
    pub attack: u8,
    /// Defense strength.
    pub defense: u8,
    /// Move points per turn, in fragments.
    pub moves: u32,
    /// Hit points.
    pub hp: u8,
    /// Firepower.
    pub firepower: u8,
    /// Turns that it can stay away from a base; 0 without a limit.
    pub fuel: u8,
    /// Square of the radius in which it sees.
    pub vision_radius_sq: u16,
    /// Number of units that it can carry.
    pub capacity: u8,
    /// Names of the classes that it can carry.
    pub cargo: Vec<Name<'w>>,
    /// The requirements.
    pub requirements: Vec<String>,
    /// Name of the type that replaces it.
    pub obsoleted_by: Option<String>,
    /// Names of its flags and of the flags of its class.
    pub flags: Vec<String>,
    /// Names of its roles.
    pub roles: Vec<&'static str>,
    /// Names of its veteran levels.
    pub veteran_levels: Vec<String>,
}

/// A thing that a rule permits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PermittedView {
    /// `advance`, `building`, `unit type`, `government`, `extra` or `specialist`.
    pub kind: &'static str,
    /// Name of the thing.
    pub name: String,
}

/// An effect of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EffectView {
    /// Name of the effect in rulesets.
    pub effect: Option<&'static str>,
    /// The value that it adds.
    pub value: i32,
    /// The requirements.
    pub requirements: Vec<String>,
}

impl<'w> CatalogView<'w> {
    /// Describes the rules of a world.
    pub fn new(world: &'w World) -> Self {
        Self {
            advances: rules::advances(world).map(|rule| AdvanceView::new(&rule)).collect(),
            buildings: rules::buildings(world).map(|rule| FullBuildingView::new(&rule)).collect(),
            governments: rules::governments(world).map(|rule| GovernmentView::new(&rule)).collect(),
            unit_types: rules::unit_types(world).map(|rule| FullUnitTypeView::new(&rule)).collect(),
        }
    }
}

impl AdvanceView {
    fn new(advance: &AdvanceRule<'_>) -> Self {
        Self {
            id: advance.rule().id,
            name: advance.rule_name(),
            cost: advance.cost(),
            needs: advance.needs().map(|needed| needed.rule_name()).collect(),
            requirements: texts(advance.requirements()),
            permits: advance.permits().map(PermittedView::new).collect(),
            flags: advance.flags().collect(),
            is_known: advance.is_known(),
            can_research: known(advance.can_research()),
        }
    }
}

impl<'w> FullBuildingView<'w> {
    fn new(building: &BuildingRule<'w>) -> Self {
        let wonder = match (building.is_great_wonder(), building.is_small_wonder()) {
            (true, _) => Some("great"),
            (false, true) => Some("small"),
            (false, false) => None,
        };
        Self {
            id: building.rule().id,
            name: building.rule_name(),
            cost: building.cost(),
            upkeep: building.rule().upkeep,
            wonder,
            owner: building.owner().map(|owner| owner.name.to_str_lossy()),
            requirements: texts(building.requirements()),
            obsolete_by: texts(building.obsolete_by()),
            flags: building.flags().collect(),
            permits: building.permits().map(PermittedView::new).collect(),
            effects: building.effects().map(|effect| EffectView::new(&effect)).collect(),
        }
    }
}

impl GovernmentView {
    fn new(government: &GovernmentRule<'_>) -> Self {
        Self {
            id: government.rule().id,
            name: government.rule_name(),
            max_rate: government.max_rate(),
            requirements: texts(government.requirements()),
            can_choose: known(government.can_choose()),
            effects: government.effects().map(|effect| EffectView::new(&effect)).collect(),
        }
    }
}

impl<'w> FullUnitTypeView<'w> {
    fn new(unit_type: &UnitTypeRule<'w>) -> Self {
        let rule = unit_type.rule();
        Self {
            id: rule.id,
            name: unit_type.rule_name(),
            class: unit_type.class().map(|class| class.rule_name.to_str_lossy()),
            domain: match unit_type.domain() {
                Domain::Land => "land",
                Domain::Sea => "sea",
                Domain::Both => "both",
                Domain::None => "none",
            },
            cost: unit_type.cost(),
            attack: rule.attack_strength,
            defense: rule.defense_strength,
            moves: rule.move_rate,
            hp: rule.hp,
            firepower: rule.firepower,
            fuel: rule.fuel,
            vision_radius_sq: rule.vision_radius_sq,
            capacity: rule.transport_capacity,
            cargo: unit_type.cargo().map(|class| class.rule_name.to_str_lossy()).collect(),
            requirements: texts(unit_type.requirements()),
            obsoleted_by: unit_type.obsoleted_by().map(|by| by.rule_name()),
            flags: unit_type.flags().chain(unit_type.class_flags()).collect(),
            roles: unit_type.roles().collect(),
            veteran_levels: unit_type.veteran_levels().into_iter().map(|level| level.name).collect(),
        }
    }
}

impl PermittedView {
    fn new(thing: Permitted<'_>) -> Self {
        Self { kind: thing.kind(), name: thing.rule_name() }
    }
}

impl EffectView {
    fn new(effect: &EffectRule<'_>) -> Self {
        Self { effect: effect.name(), value: effect.value(), requirements: texts(effect.requirements()) }
    }
}

fn texts(requirements: impl Iterator<Item = rules::NamedRequirement>) -> Vec<String> {
    requirements.map(|requirement| requirement.to_string()).collect()
}

fn known(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Yes => Some(true),
        Answer::No => Some(false),
        Answer::Unknown => None,
    }
}
