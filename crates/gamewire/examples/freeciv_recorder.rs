//! Writes every packet from a server as a line of JSON.
//!
//! `cargo run -p gamewire --example freeciv_recorder -- [SERVER] [NAME] [SECONDS] > packets.ndjson`

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};
use std::{env, io};

use gamewire::freeciv::packets::Packet;
use gamewire::freeciv::{PlayError, Player, orders};
use serde_json::json;

#[path = "shared/fields.rs"]
mod fields;

use fields::fields;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let name = arguments.next().unwrap_or_else(|| "recorder".into());
    let seconds: u64 = arguments.next().map_or(Ok(u64::MAX), |seconds| seconds.parse())?;

    let mut recorder = Player::connect(server, &name)?;
    recorder.watch_packets(|packet| {
        // Ignore errors: if the reader has exited, there is nothing to record.
        let _ = writeln!(io::stdout(), "{}", line(packet));
    });
    recorder.wait_until_ready()?;
    recorder.order(&orders::observe()?)?;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(seconds) {
        match recorder.update() {
            Ok(()) => recorder.sleep(Duration::from_millis(100))?,
            Err(PlayError::Closed(reason)) => {
                eprintln!("{reason}");
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn line(packet: &Packet<'_>) -> serde_json::Value {
    json!({ "packet": packet.name(), "fields": fields(packet.fields()) })
}
