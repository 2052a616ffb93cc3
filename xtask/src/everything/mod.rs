//! `cargo xtask test`: every step there is, and what came of each.

mod outcome;
mod run;
mod steps;

pub(crate) use outcome::TestCounts;
pub(crate) use run::steps;
pub(crate) use steps::run;
