//! The integration tests. They are one program, because each program links the whole crate.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failing test panics"
)]

mod captures;
#[path = "../../gamewire-teeworlds/tests/support/corpus.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of other crates")]
mod corpus;
mod definition;
mod explain;
mod fuzzed;
mod game_map;
mod http;
mod support;
