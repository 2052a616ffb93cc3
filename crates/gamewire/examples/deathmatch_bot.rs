//! A bot that plays deathmatch with hammer, gun and hook: `deathmatch_bot SERVER [SECONDS]`. It prints the scores at its end.

#![allow(clippy::arithmetic_side_effects, reason = "positions on a map")]

use std::time::{Duration, Instant};

use gamewire::maps::MapCache;
use gamewire::teeworlds::client::Event;
use gamewire::teeworlds::model::{Input, world::Character};
use gamewire::teeworlds::tee::{game_map::GameMap, vector::Vec2};
use gamewire::teeworlds::{Player, PlayerOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let seconds = std::env::args().nth(2).map_or(Ok(60), |seconds| seconds.parse())?;
    let options = PlayerOptions::new("fighter").with_map_cache(MapCache::of_user());
    let mut bot = Player::join_with(&server, options)?;
    let map = bot.map().cloned().ok_or_else(|| format!("no map: {:?}", bot.map_error()))?;
    let (mut input, begin) = (Input::default(), Instant::now());
    while begin.elapsed() < Duration::from_secs(seconds) {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            if matches!(event, Event::Snapshot { .. }) {
                // The fire key ends the wait of a dead tee.
                let press = Input { fire: (input.fire + 1) & 63, ..Input::default() };
                input = next_input(&bot, &map, input).unwrap_or(press);
                bot.set_input(input);
            }
        }
        bot.wait(Duration::from_millis(2))?;
    }
    for player in &bot.world().players {
        println!("{}: {}", player.name, player.score);
    }
    Ok(())
}

/// Chooses the input. Returns `None` if the bot is dead.
fn next_input(bot: &Player, map: &GameMap, last: Input) -> Option<Input> {
    let world = bot.predicted().world;
    let own = *world.character(bot.local_player_id()?)?;
    let (at, tuning) = (place(&own), bot.tuning_of(map));
    let is_visible = |tee: &&Character| tee.id != own.id && map.ray(at, place(tee)).is_none();
    let distance = |tee: &Character| at.distance(place(tee));
    let visible = world.characters.iter().filter(is_visible);
    let Some(target) = visible.min_by(|one, two| distance(one).total_cmp(&distance(two))) else {
        return Some(explore(&own, map, last));
    };
    let distance = distance(target);
    // Where the target is when the bullet, which falls a little, arrives.
    let flight = (distance / tuning.gun_speed * 50.0) as i32;
    let later = bot.predicted_at(world.tick.saturating_add(flight)).world;
    let fall = tuning.gun_curvature / 10_000.0 * distance * distance;
    let aim = later.character(target.id).map_or_else(|| place(target), place) - at - Vec2::new(0.0, fall);
    let is_near = distance < 55.0;
    let direction = if aim.x.abs() < 20.0 { last.direction } else { aim.x.signum() as i32 };
    let is_high = aim.y < -60.0;
    // A hook pulls for a second, and is let go before the next one.
    let can_hook = !is_near && distance < tuning.hook_length * 0.9 && own.hook.tick < 50;
    let must_fire = distance < 900.0 || last.fire & 1 != 0;
    Some(Input {
        direction,
        target_x: aim.x as i32,
        target_y: aim.y as i32,
        jump: is_high && !last.jump,
        hook: can_hook,
        fire: (last.fire + i32::from(must_fire)) & 63,
        wanted_weapon: if is_near { 1 } else { 2 },
        ..Input::default()
    })
}

/// Runs, jumps at walls and every two seconds, pulls itself up with the hook, and turns where that is not possible.
fn explore(own: &Character, map: &GameMap, last: Input) -> Input {
    let direction = if last.direction == 0 { 1 } else { last.direction };
    let (ahead, up) = (45.0 * direction as f32, Vec2::new(150.0 * direction as f32, -300.0));
    let is_blocked = map.ray(place(own), place(own) + Vec2::new(ahead, 0.0)).is_some();
    let has_jumped_twice = own.jumped & 2 != 0;
    let is_time = own.tick % 100 < 40;
    Input {
        direction: if is_blocked && has_jumped_twice && own.vel_y >= 0 { -direction } else { direction },
        target_x: up.x as i32,
        target_y: up.y as i32,
        jump: (is_blocked || is_time && own.vel_y >= 0) && !last.jump,
        hook: is_time && map.ray(place(own), place(own) + up).is_some(),
        fire: last.fire & 62,
        ..Input::default()
    }
}

fn place(tee: &Character) -> Vec2 {
    Vec2::new(tee.x as f32, tee.y as f32)
}
