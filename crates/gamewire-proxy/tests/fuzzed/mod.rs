//! The targets `proxy`, `replay` and `rules` of the fuzzer. Each takes any bytes and panics if a property does not
//! hold.
#![allow(dead_code, unreachable_pub, reason = "each fuzz target uses a part of it")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken promise is a panic"
)]

#[cfg(test)]
mod corpora;
#[cfg(test)]
#[path = "../../../gamewire-teeworlds/tests/support/corpus.rs"]
mod corpus;
#[cfg(test)]
mod inputs;
mod peers;
pub mod replay;
pub mod rules;
pub mod session;
#[path = "../../../gamewire-teeworlds/tests/support/thin.rs"]
mod thin;
