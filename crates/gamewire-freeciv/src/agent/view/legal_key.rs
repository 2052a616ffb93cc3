//! Legal actions as text: ids of the game, and names of the ruleset.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Name, name_of};
use crate::agent::command::ClauseValue;
use crate::legal::{Actor, LegalEntry, LegalKey, LegalKind, LegalTarget, Part};
use crate::number::Clause;
use crate::world::{Rule, Table, World};

/// The key of a legal action, with the names of the ruleset. The same text means the same action in every game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegalKeyView<'w> {
    /// The actor.
    pub actor: Actor,
    /// The kind of action: words joined by underscores.
    pub kind: Cow<'w, str>,
    /// The target.
    #[serde(default)]
    pub target: LegalTarget,
    /// The part of the target, or the thing that is chosen.
    #[serde(default)]
    pub part: Option<PartView<'w>>,
}

/// The part of a target, or the thing that an action chooses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say everything")]
pub enum PartView<'w> {
    Extra(Name<'w>),
    Building(Name<'w>),
    UnitType(Name<'w>),
    Advance(Name<'w>),
    Government(Name<'w>),
    Specialist { from: Name<'w>, to: Name<'w> },
    Rates { tax: u8, luxury: u8, science: u8 },
    Clause { giver: u16, clause: Cow<'w, str>, value: ClauseValue },
}

/// A legal action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalEntryView<'w> {
    /// The key.
    #[serde(flatten)]
    pub key: LegalKeyView<'w>,
    /// The cost of a move, in move fragments.
    pub cost: Option<u32>,
    /// Lowest and highest probability of success, in percent.
    pub percent: Option<[f64; 2]>,
    /// False if the server may refuse the action because of things that the player does not see.
    pub is_certain: bool,
}

impl<'w> LegalEntryView<'w> {
    /// Describes a legal action; `None` if the ruleset lacks the name of its part.
    pub fn new(world: &'w World, entry: &LegalEntry) -> Option<Self> {
        let percent = |half: u8| f64::from(half) / 2.0;
        Some(Self {
            key: LegalKeyView::new(world, &entry.key)?,
            cost: entry.cost,
            percent: entry.probability.map(|it| [percent(it.min), percent(it.max)]),
            is_certain: entry.is_certain,
        })
    }
}

impl<'w> LegalKeyView<'w> {
    /// Describes a key; `None` if the ruleset lacks the name of its part.
    pub fn new(world: &'w World, key: &LegalKey) -> Option<Self> {
        let part = match key.part {
            Part::None => None,
            part => Some(PartView::new(world, part)?),
        };
        Some(Self { actor: key.actor, kind: key.kind.name().into(), target: key.target, part })
    }

    /// Returns the key.
    ///
    /// # Errors
    /// A message if the kind or the name of the part is unknown.
    pub fn key(&self, world: &World) -> Result<LegalKey, String> {
        let kind = LegalKind::named(&self.kind).ok_or_else(|| format!("unknown kind {:?}", self.kind))?;
        let part = self.part.as_ref().map_or(Ok(Part::None), |part| part.part(world))?;
        Ok(LegalKey { actor: self.actor, kind, target: self.target, part })
    }
}

impl<'w> PartView<'w> {
    fn new(world: &'w World, part: Part) -> Option<Self> {
        let rules = world.rulesets();
        Some(match part {
            Part::None => return None,
            Part::Extra(id) => Self::Extra(name_of(&rules.extras, id)?),
            Part::Building(id) => Self::Building(name_of(&rules.buildings, id)?),
            Part::UnitType(id) => Self::UnitType(name_of(&rules.unit_types, id)?),
            Part::Advance(id) => Self::Advance(name_of(&rules.advances, id)?),
            Part::Government(id) => Self::Government(name_of(&rules.governments, id)?),
            Part::Specialist { from, to } => {
                let name = |id: u8| name_of(&rules.specialists, id);
                Self::Specialist { from: name(from)?, to: name(to)? }
            }
            Part::Rates { tax, luxury, science } => Self::Rates { tax, luxury, science },
            Part::Clause { giver, clause, value } => {
                let advance = || name_of(&rules.advances, u16::try_from(value).ok()?);
                let name = if Clause(clause) == Clause::ADVANCE { advance() } else { None };
                let value =
                    name.map_or(ClauseValue::Number(value), |name| ClauseValue::Advance(name.into_owned()));
                Self::Clause { giver, clause: Clause(clause).name()?.into(), value }
            }
        })
    }

    fn part(&self, world: &World) -> Result<Part, String> {
        let rules = world.rulesets();
        Ok(match self {
            Self::Extra(name) => Part::Extra(number(&rules.extras, name)?),
            Self::Building(name) => Part::Building(number(&rules.buildings, name)?),
            Self::UnitType(name) => Part::UnitType(number(&rules.unit_types, name)?),
            Self::Advance(name) => Part::Advance(number(&rules.advances, name)?),
            Self::Government(name) => Part::Government(number(&rules.governments, name)?),
            Self::Specialist { from, to } => Part::Specialist {
                from: number(&rules.specialists, from)?,
                to: number(&rules.specialists, to)?,
            },
            Self::Rates { tax, luxury, science } => {
                Part::Rates { tax: *tax, luxury: *luxury, science: *science }
            }
            Self::Clause { giver, clause, value } => {
                let kind = Clause::named(clause).ok_or_else(|| format!("unknown clause {clause:?}"))?;
                let value = match value {
                    ClauseValue::Number(number) => *number,
                    ClauseValue::Advance(name) => number::<_, u16>(&rules.advances, name)?.into(),
                };
                Part::clause(*giver, kind, value)
            }
        })
    }
}

/// Returns the id of the rule with this name.
fn number<T: Rule, N: TryFrom<i32>>(table: &Table<T>, name: &str) -> Result<N, String> {
    let found = table.named(name).and_then(|rule| N::try_from(rule.id()).ok());
    found.ok_or_else(|| format!("the ruleset has no {name:?}"))
}
