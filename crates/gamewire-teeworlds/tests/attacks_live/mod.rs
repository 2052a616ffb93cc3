//! Attacks on live machines: whole servers and clients, not their parts. Each test bears the id of
//! its attack.

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
