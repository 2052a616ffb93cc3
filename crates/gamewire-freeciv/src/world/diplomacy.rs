use std::collections::BTreeMap;

use crate::number::{Clause, DiplomaticState};
use crate::packets::PlayerDiplstate;

/// The diplomatic relation of one player to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relation {
    /// The diplomatic state.
    pub state: DiplomaticState,
    /// Turns until the state ends or changes.
    pub turns_left: u16,
    /// Turns in which the two players can still meet.
    pub contact_turns_left: u16,
    /// The first player's reason to cancel a treaty: 0 for none, 1 for a reason, 2 for a strong one.
    pub reason_to_cancel: u8,
}

impl Relation {
    pub(super) const fn new(state: &PlayerDiplstate) -> Self {
        Self {
            state: DiplomaticState(state.r#type),
            turns_left: state.turns_left,
            contact_turns_left: state.contact_turns_left,
            reason_to_cancel: state.has_reason_to_cancel,
        }
    }
}

/// A clause of a treaty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TreatyClause {
    /// Number of the player who gives something.
    pub giver: u16,
    /// The kind of clause.
    pub clause: Clause,
    /// The amount of gold, or the id of the advance or city.
    pub value: u32,
}

/// A treaty that is being negotiated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Meeting {
    /// Number of the player who opened the meeting.
    pub opened_by: Option<u16>,
    /// The clauses.
    pub clauses: Vec<TreatyClause>,
    /// True if the own player has accepted the clauses.
    pub i_accepted: bool,
    /// True if the other player has accepted the clauses.
    pub other_accepted: bool,
}

impl Meeting {
    /// Maximum number of clauses. More are ignored.
    const MAX_CLAUSES: usize = 512;

    pub(super) fn add(&mut self, clause: TreatyClause) {
        self.reopen();
        if !self.clauses.contains(&clause) && self.clauses.len() < Self::MAX_CLAUSES {
            self.clauses.push(clause);
        }
    }

    pub(super) fn remove(&mut self, clause: TreatyClause) {
        self.reopen();
        self.clauses.retain(|kept| *kept != clause);
    }

    /// Marks the treaty as not accepted, because its clauses have changed.
    const fn reopen(&mut self) {
        self.i_accepted = false;
        self.other_accepted = false;
    }
}

/// The relations between players, and the meetings of the own player.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diplomacy {
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_pairs"))]
    pub(super) relations: BTreeMap<(u16, u16), Relation>,
    pub(super) meetings: BTreeMap<u16, Meeting>,
}

impl Diplomacy {
    /// Returns the relation of one player to another.
    pub fn relation(&self, one: u16, other: u16) -> Option<Relation> {
        self.relations.get(&(one, other)).copied()
    }

    /// Returns the meeting with a player.
    pub fn meeting(&self, with: u16) -> Option<&Meeting> {
        self.meetings.get(&with)
    }

    /// Iterates over all meetings and their other players.
    pub fn meetings(&self) -> impl Iterator<Item = (u16, &Meeting)> {
        self.meetings.iter().map(|(with, meeting)| (*with, meeting))
    }
}
