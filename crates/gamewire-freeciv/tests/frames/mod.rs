//! Splitting streams into frames, and writing frames to streams.
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
