//! The keys of legal actions.

use super::kind::LegalKind;
use crate::number::Clause;
use crate::world::ActionTarget;

/// The key of a legal action. Two actions with the same key are the same action, in every game and version.
///
/// Ids are numbers of the game and its ruleset. In text, rules have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LegalKey {
    /// The actor.
    pub actor: Actor,
    /// The kind of action.
    pub kind: LegalKind,
    /// The target.
    pub target: LegalTarget,
    /// The part of the target, or the thing that is chosen.
    pub part: Part,
}

/// The actor of a legal action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(any(feature = "agent", feature = "serde"), derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(any(feature = "agent", feature = "serde"), serde(rename_all = "snake_case"))]
pub enum Actor {
    /// The own player.
    Player,
    /// An own city, by id.
    City(u32),
    /// An own unit, by id.
    Unit(u32),
}

/// The target of a legal action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(any(feature = "agent", feature = "serde"), derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(any(feature = "agent", feature = "serde"), serde(rename_all = "snake_case"))]
pub enum LegalTarget {
    /// The actor itself.
    #[default]
    Itself,
    /// A tile, by number.
    Tile(i32),
    /// All units on a tile, by its number.
    UnitsOn(i32),
    /// The extras on a tile, by its number.
    ExtrasOn(i32),
    /// A city, by id.
    City(u32),
    /// A unit, by id.
    Unit(u32),
    /// A player, by number.
    Player(u16),
}

/// The part of a target, or the thing that an action chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Nothing is chosen, or the server chooses.
    None,
    /// An extra, by id.
    Extra(u8),
    /// A building, by id.
    Building(u8),
    /// A unit type, by id.
    UnitType(u8),
    /// An advance, by id.
    Advance(u16),
    /// A government, by id.
    Government(u8),
    /// A change of a specialist, by ids of the kinds.
    Specialist {
        /// The kind before.
        from: u8,
        /// The kind after.
        to: u8,
    },
    /// Tax rates in percent.
    Rates {
        /// Taxes.
        tax: u8,
        /// Luxury.
        luxury: u8,
        /// Science.
        science: u8,
    },
    /// A clause of a treaty.
    Clause {
        /// Number of the player who gives something.
        giver: u16,
        /// The kind of clause, by number.
        clause: u8,
        /// The amount of gold, the id of the advance or city, or 0.
        value: u32,
    },
}

impl From<ActionTarget> for LegalTarget {
    fn from(target: ActionTarget) -> Self {
        match target {
            ActionTarget::City(id) => Self::City(id),
            ActionTarget::Unit(id) => Self::Unit(id),
            ActionTarget::Units(tile) => Self::UnitsOn(tile),
            ActionTarget::Tile(tile) => Self::Tile(tile),
            ActionTarget::Extras(tile) => Self::ExtrasOn(tile),
            ActionTarget::Itself => Self::Itself,
        }
    }
}

impl LegalKey {
    /// Returns the key of an action on the actor itself.
    pub const fn new(actor: Actor, kind: LegalKind) -> Self {
        Self { actor, kind, target: LegalTarget::Itself, part: Part::None }
    }

    /// Returns the key with a target.
    #[must_use]
    pub const fn on(self, target: LegalTarget) -> Self {
        Self { target, ..self }
    }

    /// Returns the key with a part of the target.
    #[must_use]
    pub const fn with(self, part: Part) -> Self {
        Self { part, ..self }
    }
}

impl Part {
    /// Returns a clause of a treaty.
    pub const fn clause(giver: u16, clause: Clause, value: u32) -> Self {
        Self::Clause { giver, clause: clause.0, value }
    }
}
