//! Reads and writes Freeciv's streams: `cargo bench -p gamewire-bench --bench freeciv`. Exits with 1 if a limit of time
//! or instructions is exceeded.
//!
//! The contenders take turns in short rounds in one process; the result is the median of the ratios, round by round.
//! `-- speed`, `-- memory` or `-- instructions` runs one part; the last one needs valgrind.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a bench may fail"
)]

#[path = "../../../crates/gamewire/benches/shared/callgrind.rs"]
mod callgrind;
mod generated;
mod instructions;
mod interpreter;
mod memory;
mod speed;
#[path = "../shared/spread.rs"]
mod spread;
mod stream;
mod turns;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(measure) = callgrind::wanted() {
        instructions::run(&measure);
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    let mut is_held = true;
    if is_wanted("speed") {
        is_held &= speed::hold();
    }
    if is_wanted("memory") {
        is_held &= memory::hold();
    }
    if is_wanted("instructions") {
        is_held &= instructions::hold();
    }
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
