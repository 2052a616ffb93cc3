//! Checks that both sides of a replay fulfill the contract of machines (`gamewire_sim::contract`).
#![cfg(all(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]

mod freeciv;
mod riptide;
mod support;
mod teeworlds;
