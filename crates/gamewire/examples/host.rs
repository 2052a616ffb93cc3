//! A server on this machine for players of every dialect: `host PORT MAPFILE`. The games' clients join with
//! `connect 127.0.0.1:PORT`. Their tees walk and do not fall.

use std::path::Path;
use std::time::Duration;

use gamewire::machine::Instant;
use gamewire::net::blocking::Driver;
use gamewire::teeworlds::Dialect;
use gamewire::teeworlds::LinkConfig;
use gamewire::teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire::teeworlds::{AcceptorConfig, TokenlessPolicy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, file] = arguments.as_slice() else { return Err("usage: host PORT MAPFILE".into()) };
    let name = Path::new(file).file_stem().ok_or("a map file has a name")?.to_string_lossy();
    let map = Map::new(name, std::fs::read(file)?);
    let mut config = ServerConfig::new(gamewire::seed(), "gamewire", map);
    config.motd = "Every dialect on one port".into();
    // All players are on this machine, so all have one address.
    (config.max_clients, config.max_clients_per_address) = (64, 64);
    // Addresses cannot be forged on loopback, so clients without tokens are accepted.
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    let game = WalkingGame { spawn: (900, 700), max_distance: 600 };
    let mut server =
        Driver::bind(([127, 0, 0, 1], port.parse()?).into(), Server::new(config, game, Instant::ZERO))?;
    loop {
        if let Some(event) = server.next_event(Duration::from_secs(1))? {
            println!("{event:?}");
        }
    }
}
