//! The legal actions of a unit, from the server's answer.

use super::message::shown_name;
use super::world::World;
use crate::codec::{ActionProbability, ProtocolVersion};
use crate::number::Action;
use crate::packets::UnitActions;

/// The legal actions of a unit against the targets on a tile: the server's answer to
/// [`query_actions`](crate::orders::query_actions).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LegalActions {
    /// The id of the unit.
    pub unit: u32,
    /// The number of the tile.
    pub tile: i32,
    /// The possible actions, by ascending id.
    pub actions: Vec<LegalAction>,
}

/// An action that is legal for a unit against a target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LegalAction {
    /// The number on the wire, in the version of the server.
    pub id: u8,
    /// The action, if its number is known.
    pub action: Option<Action>,
    /// The name in the ruleset, without markup.
    pub name: String,
    /// The target.
    pub target: ActionTarget,
    /// The kind of the part of the target that can be chosen.
    pub sub_target: SubTarget,
    /// The extra in the server's answer, if the part is an extra.
    pub extra: Option<u8>,
    /// The probability of success; `None` if the server does not compute it.
    pub probability: Option<Probability>,
}

/// The target of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ActionTarget {
    /// A city, by id.
    City(u32),
    /// A unit, by id.
    Unit(u32),
    /// All units on a tile, by its number.
    Units(i32),
    /// A tile, by number.
    Tile(i32),
    /// The extras on a tile, by its number. Available since 3.1.
    Extras(i32),
    /// The unit itself.
    Itself,
}

/// The kind of the part of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SubTarget {
    /// The action has no part of a target.
    None,
    /// A building of the city.
    Building,
    /// An advance of the owner.
    Advance,
    /// An extra on the tile.
    Extra,
    /// An extra that is not yet on the tile.
    NewExtra,
    /// An unknown kind.
    Unknown(u8),
}

/// A probability, in half percent from 0 to 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Probability {
    /// Minimum.
    pub min: u8,
    /// Maximum.
    pub max: u8,
}

impl LegalActions {
    /// Creates the list from the server's answer. `world` must have the server's rulesets.
    pub fn new(answer: &UnitActions, world: &World) -> Self {
        let probabilities = (0_u8..).zip(&answer.action_probabilities);
        let actions =
            probabilities.filter_map(|(id, probability)| legal_action(id, *probability, answer, world));
        Self { unit: answer.actor_unit_id, tile: answer.target_tile_id, actions: actions.collect() }
    }

    /// Returns the legal action of a kind.
    pub fn get(&self, action: Action) -> Option<&LegalAction> {
        self.actions.iter().find(|legal| legal.action == Some(action))
    }
}

/// Returns the action with an id, if it is possible and has a target.
fn legal_action(
    id: u8,
    probability: ActionProbability,
    answer: &UnitActions,
    world: &World,
) -> Option<LegalAction> {
    /// The minimum that means that the server cannot compute the probability.
    const MIN_NOT_IMPLEMENTED: u8 = 254;
    let ActionProbability { min, max } = probability;
    let probability = match (min, max) {
        (MIN_NOT_IMPLEMENTED, _) => None,
        (_, 0) => return None,
        _ => Some(Probability { min, max }),
    };
    let rule = world.rulesets.actions.get(id)?;
    let action = Action::of(world.version, id);
    let sub_target = rule.sub_tgt_kind.map_or_else(|| SubTarget::of_3_0(action), SubTarget::of);
    let extra = answer.target_extra_id.and_then(|extra| u8::try_from(extra).ok());
    Some(LegalAction {
        id,
        action,
        name: shown_name(&rule.ui_name),
        target: target(rule.tgt_kind, answer, world.version)?,
        sub_target,
        extra: extra.filter(|_| matches!(sub_target, SubTarget::Extra | SubTarget::NewExtra)),
        probability,
    })
}

/// Returns the target of a kind, or `None` if the tile has no such target.
fn target(kind: u8, answer: &UnitActions, version: ProtocolVersion) -> Option<ActionTarget> {
    let has_extras = version >= ProtocolVersion::V3_1;
    Some(match kind {
        0 => ActionTarget::City(Some(answer.target_city_id).filter(|city| *city != 0)?),
        1 => ActionTarget::Unit(Some(answer.target_unit_id).filter(|unit| *unit != 0)?),
        2 => ActionTarget::Units(answer.target_tile_id),
        3 => ActionTarget::Tile(answer.target_tile_id),
        4 if has_extras => ActionTarget::Extras(answer.target_tile_id),
        4 | 5 => ActionTarget::Itself,
        _ => return None,
    })
}

impl ActionTarget {
    /// Returns the number of the target in an order for the unit.
    pub(crate) fn number(self, unit: u32) -> i32 {
        match self {
            Self::City(id) | Self::Unit(id) => i32::try_from(id).unwrap_or(i32::MAX),
            Self::Units(tile) | Self::Tile(tile) | Self::Extras(tile) => tile,
            Self::Itself => i32::try_from(unit).unwrap_or(i32::MAX),
        }
    }
}

impl SubTarget {
    /// Returns the kind for an action of 3.0, because rulesets of 3.0 do not contain it.
    const fn of_3_0(action: Option<Action>) -> Self {
        match action {
            Some(Action::TargetedSabotageCity | Action::TargetedSabotageCityEscape) => Self::Building,
            Some(Action::TargetedStealTech | Action::TargetedStealTechEscapeExpected) => Self::Advance,
            _ => Self::None,
        }
    }

    const fn of(kind: u8) -> Self {
        match kind {
            0 => Self::None,
            1 => Self::Building,
            2 => Self::Advance,
            3 => Self::Extra,
            4 => Self::NewExtra,
            unknown => Self::Unknown(unknown),
        }
    }
}
