//! A bot on a DDNet server that shows hooks, its race, vote options, and messages without an event: `HOST:PORT`.

use gamewire::teeworlds::client::{Announcement, Event};
use gamewire::teeworlds::model::{Input, world::HookState};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut bot = gamewire::teeworlds::Player::join(&server, "watcher")?;
    loop {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            match event {
                Event::Snapshot { tick } => {
                    for tee in
                        bot.world_at(tick).characters.iter().filter(|tee| tee.hook.state != HookState::IDLE)
                    {
                        println!("tick {tick}: player {} hooks at {},{}", tee.id.0, tee.hook.x, tee.hook.y);
                    }
                    if let Some(start) = bot.world().game.race_start_tick {
                        println!("tick {tick}: the race began {} ticks ago", tick.saturating_sub(start));
                    }
                    // Walk to the right, and hook upwards every second.
                    let (jump, hook, target_x, target_y) = (tick % 20 < 10, tick % 50 < 25, 100, -200);
                    bot.set_input(Input { direction: 1, jump, hook, target_x, target_y, ..Input::default() });
                }
                Event::RaceTime { time, .. } => println!("{time} hundredths of a second"),
                Event::Announced(Announcement::VoteOptions) => {
                    println!("last vote option: {:?}", bot.announced().vote_options.last());
                }
                Event::Message(message) => {
                    println!("{:02x?} is {:?}", message.content, message.decode()?);
                }
                _ => {}
            }
        }
        bot.wait(Duration::from_millis(20))?;
    }
}
