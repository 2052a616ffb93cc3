//! Scenarios of one connection, or of two that talk to each other.

mod delivery;
mod filter;
mod hostile;
mod memory;
mod network;
mod notify;
mod quality;
#[allow(dead_code, unreachable_pub, clippy::all, reason = "tests of other crates use all of it")]
#[path = "../../../../gamewire-teeworlds/tests/support/random.rs"]
mod random;
mod simulation;
mod timers;
mod wire;
