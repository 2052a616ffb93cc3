//! Scenarios of one link, or of two that talk to each other.

mod bytes;
mod delivery;
mod hostile;
mod lossy;
mod side;
mod timers;
