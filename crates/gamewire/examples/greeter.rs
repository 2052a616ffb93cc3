//! A bot that greets whoever enters, and follows the nearest player: `greeter HOST:PORT`.

use gamewire::machine::Instant;
use gamewire::net::blocking::Driver;
use gamewire::teeworlds::client::{Client, ClientConfig, Event};
use gamewire::teeworlds::{Dialect, session::Audience};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?.parse()?;
    let config = ClientConfig::new(Dialect::V07, "greeter", gamewire::seed());
    let mut bot = Driver::bind(([0; 4], 0).into(), Client::connect(server, config, Instant::ZERO))?;
    loop {
        let events: Vec<_> = bot.update()?.collect();
        for event in events {
            let client = bot.machine_mut();
            match event {
                Event::Joined { id, name, silent: false } if client.local_player_id() != Some(id) => {
                    client.say(Audience::All, &format!("hello {name}"))?;
                }
                Event::Snapshot { .. } => {
                    let input = client.local_player_id().and_then(|own| client.world().follow_nearest(own));
                    client.set_input(input.unwrap_or_default());
                }
                Event::Closed(reason) => return Err(reason.into()),
                _ => {}
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(5)); // the rest of your frame
    }
}
