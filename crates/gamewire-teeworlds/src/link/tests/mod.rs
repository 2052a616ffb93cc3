//! Scenarios of one link, or of two links with each other.

mod bytes;
mod delivery;
mod hostile;
mod lossy;
mod side;
mod timers;
