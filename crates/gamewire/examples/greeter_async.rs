//! The same bot with tokio: `greeter_async HOST:PORT`.

use gamewire::teeworlds::{client::Event, tokio::Player};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut bot = Player::join(&server, "greeter").await?;
    loop {
        match bot.next_event().await? {
            Event::Joined { id, name, silent: false } if bot.local_player_id() != Some(id) => {
                bot.say(&format!("hello {name}"))?;
            }
            Event::Snapshot { .. } => {
                let input = bot.local_player_id().and_then(|own| bot.world().follow_nearest(own));
                bot.set_input(input.unwrap_or_default());
            }
            _ => {}
        }
    }
}
