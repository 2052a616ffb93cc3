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

mod addresses;
mod allocations;
mod blocking;
mod host;
mod link;
mod stream;
mod support;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "tokio")]
mod tokio;
#[cfg(feature = "tokio")]
mod tokio_streams;
