//! Joins a Freeciv server, starts the game, plays turns and prints a line for each:
//! `freeciv_join HOST:PORT [TURNS] [NAME] [OPTION=VALUE]..`.
//!
//! Options: `caps=`, `password=`, `compress=LEVEL`, `say=LINE` (several, one a turn).

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant as Clock};

use gamewire::freeciv::CompressionLevel;
use gamewire::freeciv::packets::{Packet, PlayerPhaseDone};
use gamewire::freeciv::session::client::{Client, ClientConfig, ClientInfo, Event};
use gamewire::machine::Instant;
use gamewire::net::blocking::Driver;

type Failure = Box<dyn std::error::Error>;

/// Exceeds the duration of any turn of a small game.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    if let Err(error) = play() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn play() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let options =
        arguments.split_off(arguments.iter().position(|word| word.contains('=')).unwrap_or(arguments.len()));
    let server = arguments.first().ok_or("which server? HOST:PORT")?.parse()?;
    let turns: u32 = arguments.get(1).map_or(Ok(20), |turns| turns.parse())?;
    let name = arguments.get(2).map_or("gamewire", String::as_str);

    let mut config = ClientConfig::new(name);
    config.client_info = Some(ClientInfo { gui: 0, emergency_version: 0, distribution: String::new() });
    config.packet_events = true;
    let mut lines = VecDeque::new();
    for option in &options {
        match option.split_once('=').unwrap_or_default() {
            ("caps", value) => config.capabilities = value.to_owned(),
            ("password", value) => config.password = Some(value.to_owned()),
            ("compress", value) => config.compression = Some(CompressionLevel::from_text(value)),
            ("say", value) => lines.push_back(value.to_owned()),
            _ => return Err(format!("no option {option}").into()),
        }
    }
    let client = Client::new(config, Instant::ZERO)?;
    let mut driver = Driver::connect(server, Duration::from_secs(5), client)?;

    let (mut turn, mut played) = (0, 0_u32);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let (mut packets, mut since) = (0_u64, Clock::now());
    loop {
        let Some(event) = driver.next_event(PATIENCE)? else { return Err("nothing happens".into()) };
        match event {
            Event::Joined(joined) => {
                println!("joined as connection {}: {}", joined.connection, joined.message);
            }
            Event::PasswordRequested { message, .. } => {
                return Err(format!("password wanted: {message}").into());
            }
            Event::RoleChanged(role) => println!("now {role:?}"),
            Event::Closed(reason) => return Err(reason.into()),
            Event::Finished(request) if played == 0 && request.get() == 1 => {
                driver.machine_mut().chat("/start")?;
            }
            Event::Packet(packet) => {
                packets = packets.saturating_add(1);
                let count = counts.entry(packet.name().to_owned()).or_default();
                *count = count.saturating_add(1);
                match packet.packet() {
                    Some(Packet::GameInfo(info)) => turn = info.turn,
                    Some(Packet::NewYear(year)) => turn = year.turn,
                    Some(Packet::ChatMsg(chat)) => println!("  {}", chat.message.to_str_lossy()),
                    Some(Packet::BeginTurn(_)) => {
                        let bytes = driver.stats().streams.received_bytes;
                        println!(
                            "turn {turn}: {packets} packets, {bytes} bytes, {} inflated, {:.1} ms",
                            driver.machine().inflated_bytes(),
                            since.elapsed().as_secs_f64() * 1e3
                        );
                        since = Clock::now();
                        if played == turns {
                            driver.machine_mut().close();
                            continue;
                        }
                        played = played.saturating_add(1);
                        if let Some(line) = lines.pop_front() {
                            driver.machine_mut().chat(&line)?;
                        }
                        driver.machine_mut().send(&PlayerPhaseDone { turn })?;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
