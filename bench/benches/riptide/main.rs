//! Messages per second, compared with other libraries: `cargo bench -p gamewire-bench --bench riptide`. Exits with 1
//! if gamewire is slower than its limits.
//!
//! All contenders of a load run in one process and one thread and take turns in short rounds; the result is the median of
//! the ratios, round by round. `-- memory` or `-- loopback` runs one half.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a bench may fail"
)]

mod contender;
mod contest;
mod game;
mod loopback;
mod memory;
mod rounds;
#[path = "../shared/spread.rs"]
mod spread;

use std::process::ExitCode;

use contest::{Load, Rival, hold};

fn main() -> ExitCode {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |place: &str| wanted.is_empty() || wanted.iter().any(|name| name == place);
    let mut is_held = true;
    if is_wanted("memory") {
        for (clients, messages, limit) in [(1, 10, 2.5), (100, 1, 3.0)] {
            is_held &= hold("in memory", Load { clients, messages }, in_memory(clients, limit));
        }
    }
    if is_wanted("loopback") {
        for (clients, messages) in [(1, 1), (100, 1)] {
            is_held &= hold("on loopback", Load { clients, messages }, on_loopback(clients));
        }
    }
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn in_memory(clients: usize, limit: f64) -> Vec<Rival> {
    vec![
        Rival::ours(memory::ours::Ours::new(clients)),
        Rival::new("renet 2.0", memory::renet::Renet::new(clients), limit),
    ]
}

fn on_loopback(clients: usize) -> Vec<Rival> {
    vec![
        Rival::ours(loopback::ours::Ours::new(clients)),
        Rival::new("sockets and nothing else", loopback::bare::Bare::new(clients), 0.8),
        Rival::new("renet 2.0, renet_netcode 2.0", loopback::renet::Renet::new(clients), 2.2),
        Rival::new("rusty_enet 0.4", loopback::enet::Enet::new(clients), 1.0),
    ]
}
