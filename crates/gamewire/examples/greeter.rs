//! A bot that greets players who join, and follows the nearest player: `greeter HOST:PORT`.

use gamewire::teeworlds::{Player, client::Event};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut bot = Player::join(&server, "greeter")?;
    loop {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            match event {
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
        std::thread::sleep(std::time::Duration::from_millis(5)); // the rest of your frame
    }
}
