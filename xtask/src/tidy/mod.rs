//! `cargo xtask tidy`: the rules of the house that no compiler knows.

mod edges;
mod finding;
mod folders;
mod lengths;
mod lints;
mod markers;
mod purity;
mod roots;
mod run;
mod source;
mod words;

pub(crate) use run::run;
