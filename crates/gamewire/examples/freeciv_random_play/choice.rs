//! Random choices.

use gamewire::freeciv::legal::{LegalEntry, LegalKind};
use gamewire::freeciv::number::Action;

use crate::list::Legal;

/// Random numbers (xorshift).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap_or(1)).unwrap_or(0)
    }

    fn choose<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        if things.is_empty() { None } else { things.get(self.below(things.len())) }
    }
}

/// Chooses an actor, then a kind of its actions, then an action. Kinds that end the nation or the turn are rare.
pub(crate) fn choose(legal: &Legal, dice: &mut Dice) -> Option<LegalEntry> {
    let actors = legal.actors();
    let actor = dice.choose(&actors)?;
    let entries = legal.list.of(*actor);
    let mut kinds: Vec<LegalKind> = entries.iter().map(|entry| entry.key.kind).collect();
    kinds.dedup();
    kinds.retain(|kind| *kind != LegalKind::EndTurn && (!is_rare(*kind) || dice.below(40) == 0));
    let founds = kinds.iter().find(|kind| **kind == LegalKind::Act(Action::FoundCity));
    let kind = founds.filter(|_| dice.below(2) == 0).or_else(|| dice.choose(&kinds)).copied()?;
    let of_kind: Vec<LegalEntry> = entries.iter().filter(|entry| entry.key.kind == kind).copied().collect();
    dice.choose(&of_kind).copied()
}

const fn is_rare(kind: LegalKind) -> bool {
    matches!(
        kind,
        LegalKind::Act(Action::DisbandUnit | Action::DisbandUnitRecover | Action::JoinCity)
            | LegalKind::Explore
            | LegalKind::AutoWork
            | LegalKind::Government
            | LegalKind::Convert
    )
}
