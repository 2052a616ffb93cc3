//! Prints tables of the speed of `gamewire play` and of whole turns, with a new freeciv-server.
//!
//! ```text
//! cargo build --release -p gamewire-cli
//! cargo run --release -p gamewire --example freeciv_speed -- commands target/release/gamewire [FREECIV_SERVER]
//! cargo run --release -p gamewire --example freeciv_speed -- turns [FREECIV_SERVER...]
//! ```

#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "figures to be looked at")]

mod commands;
mod play;
mod processor;
mod turns;

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use gamewire::freeciv::LocalServerConfig;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["commands", gamewire] => commands::measure(Path::new(gamewire), None),
        ["commands", gamewire, server] => commands::measure(Path::new(gamewire), Some(PathBuf::from(server))),
        ["turns"] => turns::measure(&[None]),
        ["turns", servers @ ..] => {
            let servers: Vec<_> = servers.iter().map(|server| Some(PathBuf::from(server))).collect();
            turns::measure(&servers)
        }
        _ => Err("expected: commands GAMEWIRE [FREECIV_SERVER], or turns [FREECIV_SERVER...]".into()),
    }
}

/// Returns the configuration of a server: the same game each time, with players of the server's AI up to a number.
fn config(program: Option<PathBuf>, players: u32) -> LocalServerConfig {
    LocalServerConfig {
        program,
        map_seed: Some(42),
        game_seed: Some(42),
        ai_fill: Some(players),
        end_turn: Some(100),
        settings: [("minplayers", "0"), ("saveturns", "0")]
            .map(|(name, value)| (name.into(), value.into()))
            .into(),
        ..LocalServerConfig::default()
    }
}
