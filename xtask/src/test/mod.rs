//! `cargo xtask test`: runs every step and sums up the results.

mod counts;
mod run;
mod steps;

pub(crate) use counts::TestCounts;
pub(crate) use run::steps;
pub(crate) use steps::run;
