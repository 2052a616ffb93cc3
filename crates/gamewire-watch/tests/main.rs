//! Recordings of captured games.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

mod passed_on;
mod rotated;
