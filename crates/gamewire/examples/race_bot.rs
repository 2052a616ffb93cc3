//! A bot that finds its way to the finish of a race of DDNet, and runs it: `race_bot SERVER [WAY]`. WAY is a file for the
//! positions, which the example `map_picture` of gamewire-tee draws.

use std::time::{Duration, Instant};

use gamewire::maps::MapCache;
use gamewire::teeworlds::client::Event;
use gamewire::teeworlds::model::{Input, World, world::Character};
use gamewire::teeworlds::tee::{path::NoPath, path::Path, path::PathFinder, vector::Vec2};
use gamewire::teeworlds::{Player, PlayerOptions};

/// Tile of the finish of a race.
const FINISH: u8 = 34;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut options = PlayerOptions::new("racer").with_map_cache(MapCache::of_user());
    options.input_margin = Duration::from_millis(60);
    let mut bot = Player::join_with(&server, options)?;
    let map = bot.map().cloned().ok_or_else(|| format!("no map: {:?}", bot.map_error()))?;
    let finder = PathFinder::new(map.clone(), bot.tuning_of(&map), map.tiles_of(FINISH));
    let (mut way, mut run, mut rest_since) = (Vec::new(), None::<(i32, Path)>, i32::MAX);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(240) {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            match event {
                Event::Chat { text, .. } => println!("{text}"),
                Event::RaceTime { time, is_finish: true, .. } => {
                    println!("finished in {}.{:02} s", time / 100, time % 100);
                    return Ok(std::env::args()
                        .nth(2)
                        .map_or(Ok(()), |file| std::fs::write(file, way.join("\n")))?);
                }
                Event::Snapshot { tick } => {
                    let Some(tee) = own_tee(&bot.world_at(tick)) else { continue };
                    way.push(format!("{},{}", tee.x, tee.y));
                    // A late input leads away from the path.
                    let expected = run.as_ref().and_then(|(start, path)| {
                        path.positions.get(usize::try_from(tick.checked_sub(*start)?).ok()?)
                    });
                    if expected.is_some_and(|expected| expected.distance(place(&tee)) > 2.0) {
                        run = None;
                        bot.set_input(Input::default());
                    }
                    let is_over = run.as_ref().is_some_and(|(start, path)| {
                        path.inputs.len() < usize::try_from(tick.saturating_sub(*start)).unwrap_or(0)
                    });
                    run = run.filter(|_| !is_over);
                    let is_resting = tee.vel_x.abs() < 3 && tee.vel_y == 0;
                    rest_since = if is_resting { rest_since.min(tick) } else { i32::MAX };
                }
                _ => {}
            }
        }
        let next = bot.next_input_tick().ok_or("not in the game")?;
        let is_rested = run.is_none() && next.saturating_sub(rest_since) > 20;
        let world = bot.predicted().world;
        let core = bot.local_player_id().and_then(|own| world.core(own));
        if let Some(core) = core.filter(|_| is_rested) {
            // A tee at rest is still there after the search.
            let left = finder.distance(core.at).unwrap_or(f32::NAN);
            let path = match finder.find(&core, 60_000) {
                Ok(path) => path,
                Err(NoPath::GaveUp { nearest, distance }) if distance + 64.0 < left => nearest,
                Err(_) => return Err(format!("no way to the finish, which is {left:.0} units away").into()),
            };
            println!("{left:.0} units to the finish: a path of {} ticks", path.inputs.len());
            // The search took time: let the clock of the inputs find the present again.
            let searched = Instant::now();
            while searched.elapsed() < Duration::from_secs(1) {
                bot.update()?;
                bot.wait(Duration::from_millis(2))?;
            }
            let start = bot.next_input_tick().ok_or("not in the game")?.saturating_add(5);
            bot.set_inputs(start, path.inputs.iter().map(Input::from).collect());
            (run, rest_since) = (Some((start, path)), i32::MAX);
        }
        bot.wait(Duration::from_millis(2))?;
    }
    Err("no finish in time".into())
}

fn own_tee(world: &World) -> Option<Character> {
    world.character(world.own()?.id).copied()
}

fn place(tee: &Character) -> Vec2 {
    Vec2::new(tee.x as f32, tee.y as f32)
}
