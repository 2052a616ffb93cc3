//! The same bot with tokio: `greeter_async HOST:PORT`.

use gamewire::maps::MapCache;
use gamewire::teeworlds::{PlayerOptions, client::Event, tokio::Player};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let options = PlayerOptions::new("greeter").with_map_cache(MapCache::of_user());
    let mut bot = Player::join_with(&server, options).await?;
    loop {
        match bot.next_event().await? {
            Event::Joined { id, name, silent: false } if bot.local_player_id() != Some(id) => {
                bot.say(&format!("hello {name}"))?;
            }
            Event::Snapshot { .. } => {
                let input = bot.local_player_id().and_then(|own| bot.predicted().world.follow_nearest(own));
                bot.set_input(input.unwrap_or_default());
            }
            _ => {}
        }
    }
}
