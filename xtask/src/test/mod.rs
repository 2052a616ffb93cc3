//! `cargo xtask test`: every step there is, and what came of each.

mod counts;
mod run;
mod steps;

pub(crate) use counts::TestCounts;
pub(crate) use run::steps;
pub(crate) use steps::run;
