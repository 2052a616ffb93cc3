//! A scripted opponent: it expands, defends, researches, builds and taxes by rules that can be read.
//!
//! [`Opponent::turn`] looks at the world at the start of a turn and returns the orders for it. The rules are plain
//! heuristics; docs/freeciv-opponent.md compares it with the AI of the server.

mod city;
mod defense;
mod nation;
#[allow(clippy::module_inception, reason = "the opponent itself, next to its parts")]
mod opponent;
mod site;

pub use opponent::Opponent;
