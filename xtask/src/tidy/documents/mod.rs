//! Checks that the documents name only what exists: files, public items, packages, benches, examples and tasks.

mod check;
mod commands;
mod names;
mod paths;
mod quotes;
mod spans;
mod walkthroughs;

pub(super) use check::check;
