use std::collections::BTreeMap;

use crate::number::{Clause, DiplomaticState};
use crate::v30::PlayerDiplstate;

/// How one player stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// War, peace, or what else.
    pub state: DiplomaticState,
    /// In how many turns the state ends or changes by itself.
    pub turns_left: u16,
    /// For how many turns the two can still talk.
    pub contact_turns_left: u16,
    /// How much reason the first has to cancel a treaty: 0 none, 1 one, 2 a strong one.
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

/// One clause of a treaty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreatyClause {
    /// The number of the player who gives.
    pub giver: u8,
    /// What is given.
    pub clause: Clause,
    /// How much gold, which advance or which city.
    pub value: u32,
}

/// A treaty that is talked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// What would be agreed on.
    pub clauses: Vec<TreatyClause>,
    /// Whether oneself has accepted it as it is.
    pub i_accepted: bool,
    /// Whether the other one has.
    pub other_accepted: bool,
}

impl Meeting {
    /// So many clauses are kept.
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

    /// Another treaty is not what was accepted.
    const fn reopen(&mut self) {
        self.i_accepted = false;
        self.other_accepted = false;
    }
}

/// Relations between players and meetings with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diplomacy {
    pub(super) relations: BTreeMap<(u8, u8), Relation>,
    pub(super) meetings: BTreeMap<u8, Meeting>,
}

impl Diplomacy {
    /// How one player stands to another.
    #[must_use]
    pub fn relation(&self, one: u8, other: u8) -> Option<Relation> {
        self.relations.get(&(one, other)).copied()
    }

    /// The meeting with a player.
    #[must_use]
    pub fn meeting(&self, with: u8) -> Option<&Meeting> {
        self.meetings.get(&with)
    }

    /// All meetings and with whom they are.
    pub fn meetings(&self) -> impl Iterator<Item = (u8, &Meeting)> {
        self.meetings.iter().map(|(with, meeting)| (*with, meeting))
    }
}
