//! A player that a test controls. It reads one command per line from standard input, and writes one line of JSON for
//! each to standard output: `freeciv_puppet SERVER NAME [compress=LEVEL] [caps=WORDS] [password=WORD]`.
//!
//! The tests against the real server (`interop/freeciv`) run it. It also encodes every packet of the server again and
//! compares the bytes.

mod again;
mod command;
mod details;
mod legal;
mod report;
mod steps;

use std::error::Error;
use std::io::{self, BufRead};
use std::sync::{Arc, Mutex};

use gamewire::freeciv::CompressionLevel;
use gamewire::freeciv::{ClientConfig, Player};
use gamewire::net::DriverConfig;
use serde_json::json;

use again::{Again, Tapped};

type Failure = Box<dyn Error>;

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let (Some(server), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("freeciv_puppet SERVER NAME [OPTION=VALUE]..".into());
    };
    let mut config = ClientConfig::new(name);
    for option in arguments {
        match option.split_once('=').unwrap_or_default() {
            ("compress", level) => config.compression = Some(CompressionLevel::from_text(level)),
            ("caps", words) => config.capabilities = words.to_owned(),
            ("password", word) => config.password = Some(word.to_owned()),
            _ => return Err(format!("no option {option}").into()),
        }
    }
    let again = Arc::new(Mutex::new(Again::new(&config.capabilities)));
    let settings =
        DriverConfig { tap: Some(Box::new(Tapped(Arc::clone(&again)))), ..DriverConfig::default() };
    let mut player = Player::connect_with(server, config, settings)?;
    player.wait_until_ready()?;
    println!("{}", json!({ "ready": player.world().my_connection().map(|mine| mine.id) }));
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match line.as_str() {
            "again" => again.lock().map_err(|_| "a packet could not be written again")?.summary(),
            command => command::obey(&mut player, command)?,
        };
        println!("{answer}");
    }
    player.leave();
    Ok(())
}
