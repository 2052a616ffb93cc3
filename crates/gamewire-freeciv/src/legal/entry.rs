//! Legal actions and their collection.

use super::key::{Actor, LegalKey, LegalTarget, Part};
use super::kind::LegalKind;
use crate::rules::Answer;
use crate::world::Probability;

/// A legal action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalEntry {
    /// The key.
    pub key: LegalKey,
    /// The cost of a move, in move fragments.
    pub cost: Option<u32>,
    /// The probability of success, if the server computed it.
    pub probability: Option<Probability>,
    /// False if the server may refuse the action because of things that the player does not know, such as units on tiles
    /// in fog, treasuries of other players, or the price of a bribe.
    pub is_certain: bool,
}

/// The legal actions of one actor, while they are collected.
#[derive(Debug)]
pub(super) struct Entries {
    actor: Actor,
    pub(super) list: Vec<LegalEntry>,
}

impl Entries {
    pub(super) const fn new(actor: Actor) -> Self {
        Self { actor, list: Vec::new() }
    }

    pub(super) fn push(&mut self, entry: LegalEntry) {
        self.list.push(entry);
    }

    /// Returns an entry that is certain.
    pub(super) const fn entry(&self, kind: LegalKind, target: LegalTarget, part: Part) -> LegalEntry {
        let key = LegalKey { actor: self.actor, kind, target, part };
        LegalEntry { key, cost: None, probability: None, is_certain: true }
    }

    /// Adds an action if the answer is yes.
    pub(super) fn add(
        &mut self,
        answer: impl Into<Answer>,
        kind: LegalKind,
        target: LegalTarget,
        part: Part,
    ) {
        if answer.into().is_yes() {
            self.push(self.entry(kind, target, part));
        }
    }

    /// Adds an action on the actor itself if the answer is yes.
    pub(super) fn add_own(&mut self, answer: impl Into<Answer>, kind: LegalKind) {
        self.add(answer, kind, LegalTarget::Itself, Part::None);
    }
}
