//! Sessions: clients and servers together, with the answers of real servers, and under attack.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod answers;
mod attacks;
mod contract;
mod cuts;
mod joining;
mod passwords;
mod requests;
mod roles;
mod sequence;
mod subjects;
mod support;
