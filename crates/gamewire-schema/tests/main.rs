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
#![cfg(feature = "compiler")]

mod advice;
mod definitions;
mod diagnostics;
mod freeciv;
mod hostile;
mod mutations;
mod own_types;
mod sources;
#[path = "support/targets.rs"]
mod targets;
mod versions;
