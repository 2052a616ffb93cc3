//! A bot that walks in circles on a `riptide_movement` server: `riptide_mover HOST:PORT [SECONDS]`.

#![allow(clippy::arithmetic_side_effects, reason = "a game's own numbers are small")]

#[path = "messages/movement.rs"]
mod messages;

use std::time::{Duration, Instant};

use gamewire::riptide::client::Event;
use gamewire::riptide::{Client, ClientConfig, Format, Vector2};
use messages::{Positions, Steer};

const TICK: Duration = Duration::from_millis(50);

/// The bot's copy of the world, from the server's messages.
#[derive(Default)]
struct Seen {
    tick: u32,
    own: Option<Vector2>,
    others: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let seconds = std::env::args().nth(2).map_or(Ok(u64::MAX), |seconds| seconds.parse())?;
    let mut bot = Client::connect(server, ClientConfig::new(Format::V21))?.with_state(Seen::default());
    bot.on::<Positions>(|bot, positions| {
        if positions.tick > bot.state.tick {
            let own = bot.id().map(|id| id.0);
            let me = positions.players.iter().find(|position| Some(position.player) == own);
            let others = positions.players.len() - usize::from(me.is_some());
            bot.state = Seen { tick: positions.tick, own: me.map(|position| position.at), others };
        }
    })?;

    let (start, mut next, mut tick) = (Instant::now(), Instant::now(), 0_u32);
    while start.elapsed().as_secs() < seconds {
        bot.update()?;
        while let Some(failure) = bot.poll_failure() {
            eprintln!("{failure}");
        }
        while let Some(event) = bot.poll_event() {
            match event {
                Event::ConnectionFailed { reason, .. } => return Err(reason.into()),
                Event::Disconnected { reason, .. } => return Err(reason.into()),
                other => println!("{other:?}"),
            }
        }
        if Instant::now() >= next {
            next += TICK;
            if bot.is_connected() {
                tick += 1;
                let (y, x) = (tick as f32 * 0.05).sin_cos();
                bot.send(&Steer { tick, direction: Vector2 { x, y } })?;
                if tick.is_multiple_of(20)
                    && let Some(Vector2 { x, y }) = bot.state.own
                {
                    println!("at {x:.1} {y:.1}, with {} others", bot.state.others);
                }
            }
        }
        bot.wait(next.saturating_duration_since(Instant::now()))?;
    }
    bot.disconnect();
    Ok(())
}
