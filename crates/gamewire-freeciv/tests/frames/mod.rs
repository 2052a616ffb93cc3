//! Streams taken apart and put together.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod attacks;
mod cuts;
mod memory;
mod mutations;
mod support;
mod widths;
mod writing;
