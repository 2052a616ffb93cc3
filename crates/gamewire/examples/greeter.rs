//! A bot that greets players who join, and follows the nearest player: `greeter HOST:PORT`.

use gamewire::maps::MapCache;
use gamewire::teeworlds::{Player, PlayerOptions, client::Event};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let options = PlayerOptions::new("greeter").with_map_cache(MapCache::of_user());
    let mut bot = Player::join_with(&server, options)?;
    loop {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            match event {
                Event::Joined { id, name, silent: false } if bot.local_player_id() != Some(id) => {
                    bot.say(&format!("hello {name}"))?;
                }
                Event::Snapshot { .. } => {
                    let input =
                        bot.local_player_id().and_then(|own| bot.predicted().world.follow_nearest(own));
                    bot.set_input(input.unwrap_or_default());
                }
                _ => {}
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(5)); // the rest of your frame
    }
}
