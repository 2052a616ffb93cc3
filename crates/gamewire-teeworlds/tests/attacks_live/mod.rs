//! Attacks on live machines: on whole servers and clients instead of their parts. The name of each test begins with the
//! id of its attack.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod clocks;
mod floods;
mod maps;
mod questions;
mod spoofs;
mod storms;
mod tokens;
mod world;
