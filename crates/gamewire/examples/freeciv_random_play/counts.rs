//! Counts of actions.

use std::collections::BTreeMap;

use gamewire::freeciv::legal::{Actor, LegalEntry, LegalKind, Part};
use gamewire::freeciv::world::World;
use serde_json::{Value, json};

use crate::list::Legal;
use crate::outcome::Outcome;

/// Counts of one game.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) done: usize,
    failed: usize,
    kinds: BTreeMap<String, Kind>,
    /// The refusals by kind and message.
    refusals: BTreeMap<String, usize>,
    unseen: BTreeMap<String, usize>,
}

/// Counts of one kind.
#[derive(Default)]
struct Kind {
    offered: usize,
    performed: usize,
    refused: usize,
    ignored: usize,
    /// Refused or ignored because of things that the player does not see.
    unseen: usize,
}

impl Counts {
    pub(crate) fn offer<'a>(&mut self, entries: impl Iterator<Item = &'a LegalEntry>) {
        for entry in entries {
            self.kind(entry.key.kind).offered += 1;
        }
    }

    pub(crate) fn perform(&mut self, kind: LegalKind) {
        self.kind(kind).performed += 1;
    }

    pub(crate) fn add(&mut self, world: &World, entry: &LegalEntry, outcome: Outcome) {
        let name = entry.key.kind.name();
        let (words, is_refused) = match outcome {
            Outcome::Done => {
                self.done += 1;
                return;
            }
            Outcome::Failed => {
                self.failed += 1;
                return;
            }
            Outcome::Refused(words) => (format!("{name}: {words} {}", describe(world, entry)), true),
            Outcome::Ignored => (format!("{name}: (ignored) {}", describe(world, entry)), false),
        };
        let kind = self.kind(entry.key.kind);
        if !entry.is_certain {
            kind.unseen += 1;
        } else if is_refused {
            kind.refused += 1;
        } else {
            kind.ignored += 1;
        }
        let list = if entry.is_certain { &mut self.refusals } else { &mut self.unseen };
        *list.entry(words).or_default() += 1;
    }

    fn kind(&mut self, kind: LegalKind) -> &mut Kind {
        self.kinds.entry(kind.name()).or_default()
    }

    pub(crate) fn summary(&self, world: &World, legal: &Legal) -> Value {
        let sum = |of: fn(&Kind) -> usize| self.kinds.values().map(of).sum::<usize>();
        let kinds: BTreeMap<&String, [usize; 5]> = self
            .kinds
            .iter()
            .map(|(name, it)| (name, [it.offered, it.performed, it.refused, it.ignored, it.unseen]))
            .collect();
        json!({
            "version": world.version().to_string(),
            "turn": world.turn(),
            "offered": sum(|kind| kind.offered),
            "performed": sum(|kind| kind.performed),
            "done": self.done,
            "failed": self.failed,
            "refused": sum(|kind| kind.refused),
            "ignored": sum(|kind| kind.ignored),
            "unseen": sum(|kind| kind.unseen),
            "refusals": self.refusals,
            "unseen_refusals": self.unseen,
            "kinds": kinds,
            "cities": world.my_cities().count(),
            "units": world.my_units().count(),
            "mean_update_us": legal.total.as_micros() / u128::from(legal.updates.max(1)),
            "max_update_us": legal.longest.as_micros(),
        })
    }
}

/// Describes the circumstances of a refusal.
fn describe(world: &World, entry: &LegalEntry) -> String {
    let rules = world.rulesets();
    let part = match entry.key.part {
        Part::Extra(id) => rules.extras.get(id).map(|it| it.rule_name.to_str_lossy().into_owned()),
        Part::Building(id) => rules.buildings.get(id).map(|it| it.rule_name.to_str_lossy().into_owned()),
        Part::UnitType(id) => rules.unit_types.get(id).map(|it| it.rule_name.to_str_lossy().into_owned()),
        part => Some(format!("{part:?}")),
    };
    let Actor::Unit(id) = entry.key.actor else { return format!("{part:?} {:?}", entry.key.target) };
    let unit = world.unit(id);
    let tile = unit.and_then(|unit| world.map().tile(unit.tile()));
    let terrain =
        tile.and_then(|tile| world.terrain_of(tile)).map(|it| it.rule_name.to_str_lossy().into_owned());
    let unit_type =
        unit.and_then(|unit| world.type_of(unit)).map(|it| it.rule_name.to_str_lossy().into_owned());
    let activity = unit.and_then(|unit| world.activity_of(unit));
    let full = unit.and_then(|unit| unit.full());
    let extras: Vec<usize> = tile.map(|tile| tile.extras.iter_ones().collect()).unwrap_or_default();
    format!(
        "part {part:?} type {unit_type:?} terrain {terrain:?} extras {extras:?} owner {:?} activity {activity:?} orders {:?} agent {:?}",
        tile.and_then(|tile| tile.owner),
        full.map(|unit| unit.has_orders),
        full.map(|unit| (unit.ai, unit.ssa_controller, unit.movesleft)),
    )
}
