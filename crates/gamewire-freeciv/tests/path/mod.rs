//! Movement of units in worlds with the rulesets of recorded games.

mod hostile;
mod obstacles;
mod recorded;
mod roads;
pub(crate) mod support;

use crate::world::replay;
