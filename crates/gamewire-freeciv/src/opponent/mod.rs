//! A scripted opponent: it expands, defends, researches, builds and taxes by readable rules.
//!
//! [`Opponent::turn`] evaluates the world at the start of a turn and returns the orders of the turn. The rules are
//! plain heuristics; docs/freeciv-opponent.md compares the opponent with the AI of the server.

mod city;
mod defense;
mod nation;
#[allow(clippy::module_inception, reason = "the opponent itself, next to its parts")]
mod opponent;
mod site;
mod turn;

pub use opponent::Opponent;
