//! Evaluation of rules with the rulesets of recorded games.

mod catalog;
mod growth;
mod hostile;
mod production;
mod requirements;
mod research;
pub(crate) mod support;

use crate::world::replay;
