//! Counts the compared ticks of tees, and stores the first difference of each rule.

use std::collections::BTreeMap;

use gamewire_tee::core::CoreItem;

use super::ddnet;

/// The first tee that differs by a rule, and how many follow.
#[derive(Debug)]
struct Difference {
    count: u64,
    first: String,
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Report {
    compared: u64,
    differing: u64,
    apart: u64,
    differences: BTreeMap<String, Difference>,
    causes: BTreeMap<&'static str, u64>,
    /// Attacks at the tick of the server.
    attacks: u64,
    last_attacks: BTreeMap<usize, i32>,
}

impl Report {
    pub(crate) const fn compared(&self) -> u64 {
        self.compared
    }

    pub(crate) const fn differing(&self) -> u64 {
        self.differing
    }

    /// Counts a tee that cannot be compared.
    pub(crate) fn set_apart(&mut self, cause: &'static str) {
        self.apart += 1;
        *self.causes.entry(cause).or_default() += 1;
    }

    /// Compares a tee. `situation` describes it for the first difference of a rule.
    pub(crate) fn compare(
        &mut self,
        tick: i32,
        id: usize,
        expected: &CoreItem,
        found: &CoreItem,
        situation: impl Fn() -> String,
    ) {
        self.compared += 1;
        if expected == found {
            return;
        }
        let pairs = CoreItem::NAMES.into_iter().zip(expected.to_wire().into_iter().zip(found.to_wire()));
        let different: Vec<_> = pairs.filter(|(_, (expected, found))| expected != found).collect();
        let names: Vec<&str> = different.iter().map(|(name, _)| *name).collect();
        let values: Vec<String> = different
            .iter()
            .map(|(name, (expected, found))| format!("{name} expected {expected}, found {found}"))
            .collect();
        let rule = rule_of(&names);
        self.differ(rule, || format!("tick {tick}, tee {id}: {}; {}", values.join("; "), situation()));
    }

    /// Compares the position of a tee.
    pub(crate) fn compare_position(
        &mut self,
        tick: i32,
        id: usize,
        expected: (i32, i32),
        found: (i32, i32),
        situation: impl Fn() -> String,
    ) {
        self.compared += 1;
        if expected != found {
            self.differ("position", || {
                format!("tick {tick}, tee {id}: expected {expected:?}, found {found:?}; {}", situation())
            });
        }
    }

    /// Compares the state of a tee that DDNet sends in addition to its core.
    pub(crate) fn compare_state(
        &mut self,
        tick: i32,
        id: usize,
        expected: &[i32; 4],
        found: &[i32; 4],
        situation: impl Fn() -> String,
    ) {
        let pairs = ddnet::NAMES.into_iter().zip(expected.iter().zip(found));
        for (name, (expected, found)) in pairs.filter(|(_, (expected, found))| expected != found) {
            self.differ(name, || {
                format!("tick {tick}, tee {id}: {name} expected {expected}, found {found}; {}", situation())
            });
        }
    }

    /// Counts the attacks of a tee.
    pub(crate) fn compare_attack(
        &mut self,
        tick: i32,
        id: usize,
        expected: i32,
        found: i32,
        situation: impl Fn() -> String,
    ) {
        if expected != found {
            self.differ("attack", || {
                format!(
                    "tick {tick}, tee {id}: attack_tick expected {expected}, found {found}; {}",
                    situation()
                )
            });
        } else if self.last_attacks.insert(id, expected) != Some(expected) {
            self.attacks += 1;
        }
    }

    /// Counts a tee that lives in one of the games only.
    pub(crate) fn compare_life(&mut self, tick: i32, id: usize, what: &str, situation: impl Fn() -> String) {
        self.compared += 1;
        self.differ("death", || format!("tick {tick}, tee {id}: {what}; {}", situation()));
    }

    fn differ(&mut self, rule: &str, first: impl Fn() -> String) {
        self.differing += 1;
        let known = self.differences.entry(rule.to_owned());
        known.or_insert_with(|| Difference { count: 0, first: first() }).count += 1;
    }

    /// Prints the first difference of each rule, and the counts.
    pub(crate) fn print(&self) {
        for (rule, difference) in &self.differences {
            println!("{rule}: {} differ; the first: {}", difference.count, difference.first);
        }
        for (cause, count) in &self.causes {
            println!("apart: {count} {cause}");
        }
        println!("{} attacks at the tick of the server", self.attacks);
        println!("compared {} differing {} apart {}", self.compared, self.differing, self.apart);
    }
}

/// Returns the rule that a difference in these fields is about.
fn rule_of(names: &[&str]) -> &'static str {
    let is_any = |wanted: &[&str]| names.iter().any(|name| wanted.contains(name));
    if is_any(&["hook_state", "hooked_player", "hook_tick", "hook_dx", "hook_dy"]) {
        "hook"
    } else if is_any(&["jumped"]) {
        "jump"
    } else if is_any(&["vel_x", "vel_y"]) {
        "velocity"
    } else if is_any(&["x", "y"]) {
        "move"
    } else if is_any(&["angle"]) {
        "angle"
    } else if is_any(&["direction"]) {
        "direction"
    } else {
        "hook position"
    }
}
