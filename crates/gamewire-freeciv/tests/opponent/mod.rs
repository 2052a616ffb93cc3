//! The rules of the scripted opponent, in worlds with the rulesets of recorded games.

mod cities;
mod nation;
pub(crate) mod support;
mod units;
