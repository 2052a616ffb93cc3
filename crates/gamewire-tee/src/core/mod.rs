//! The core of a tee: position, velocity and hook, and how they change in a tick.

mod control;
mod hook;
mod item;
mod movement;
mod players;
mod reckoning;
mod state;

pub use item::CoreItem;
pub use reckoning::evolve;
pub use state::{Core, CoreContext, DdnetCore, events, hook_state};
