//! The contract of machines (`gamewire_sim::contract`) for both sides of a replay, and for the bridges.
#![cfg(all(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]

mod bridge;
mod replay;
mod support;
