//! The `gamewire` command, run as people and scripts run it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

mod damage;
mod freeciv;
mod govern;
mod hostile;
mod info;
mod live;
mod rooms;
mod streams;
mod support;

/// What is printed for real captures, word for word: `cmd/*.trycmd`.
#[test]
fn prints_what_it_printed() {
    trycmd::TestCases::new().env("NO_COLOR", "1").env("COLUMNS", "100").case("tests/cmd/*.trycmd");
}
