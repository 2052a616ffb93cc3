//! A bot on a DDNet server that shows hooks, race times, vote options, and messages that nobody modelled:
//! `ddnet_watcher HOST:PORT`.

use gamewire::teeworlds::session::Input;
use gamewire::teeworlds::session::world::HookState;
use gamewire::teeworlds::{Player, client::Announcement, client::Event};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut bot = Player::join(&server, "watcher")?;
    loop {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            match event {
                Event::Snapshot { tick } => {
                    let flying =
                        bot.world().characters.iter().filter(|tee| tee.hook.state == HookState::FLYING);
                    for tee in flying {
                        println!("tick {tick}: player {} hooks at {},{}", tee.id.0, tee.hook.x, tee.hook.y);
                    }
                    // Walk to the right, and hook upwards every second.
                    let hook = tick % 50 < 25;
                    let (jump, target_x, target_y) = (tick % 20 < 10, 100, -200);
                    bot.set_input(Input { direction: 1, jump, hook, target_x, target_y, ..Input::default() });
                }
                Event::RaceTime { time, is_finish, .. } => {
                    println!("race: {time} hundredths, finished: {is_finish}")
                }
                Event::Announced(Announcement::VoteOptions) => {
                    println!("last vote option: {:?}", bot.announced().vote_options.last());
                }
                Event::Announced(Announcement::Records) => println!("records: {:?}", bot.announced().records),
                Event::Message(message) => {
                    println!("{:02x?} is {:?}", message.content, message.decode_server()?)
                }
                _ => {}
            }
        }
        bot.wait(Duration::from_millis(20))?;
    }
}
