//! Movement of units in worlds with the rulesets of recorded games.

mod hostile;
mod obstacles;
mod recorded;
mod roads;
mod support;

use crate::world::replay;
