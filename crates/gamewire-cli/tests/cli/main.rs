//! Tests of the `gamewire` command as a process.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

mod damage;
mod features;
mod files;
#[cfg(feature = "fleet")]
mod fleet;
mod freeciv;
mod freeciv_play;
mod hostile;
mod info;
#[cfg(target_os = "linux")]
mod names;
mod pipes;
mod relay;
mod relay_operation;
#[cfg(feature = "tls")]
mod relay_tls;
mod rotation;
mod support;
mod teeworlds_play;

/// Compares the output for real captures with `cmd/*.trycmd`.
#[test]
fn output_matches_trycmd_cases() {
    trycmd::TestCases::new().env("NO_COLOR", "1").env("COLUMNS", "100").case("tests/cmd/*.trycmd");
}
