//! The generated codec must behave as the interpreter: the same packets, bits, errors and bytes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that panics fails"
)]

mod damage;
mod streams;
mod support;
