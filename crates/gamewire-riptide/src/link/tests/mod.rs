//! Scenarios of one connection, or of two that talk to each other.

mod delivery;
mod filter;
mod hostile;
mod memory;
mod network;
mod notify;
mod quality;
mod simulation;
mod timers;
mod wire;
