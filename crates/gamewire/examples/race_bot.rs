//! A bot that finds its way to the finish of a race of DDNet, and runs it: `race_bot SERVER [WAY]`. WAY is a file for the
//! positions, which the example `map_picture` of gamewire-tee draws.

use std::time::{Duration, Instant};

use gamewire::maps::MapCache;
use gamewire::teeworlds::client::Event;
use gamewire::teeworlds::model::Input;
use gamewire::teeworlds::tee::{path::NoPath, path::Path, path::PathFinder, vector::Vec2};
use gamewire::teeworlds::{Player, PlayerOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut options = PlayerOptions::new("racer").with_map_cache(MapCache::of_user());
    options.input_margin = Duration::from_millis(60);
    let mut bot = Player::join_with(&server, options)?;
    let map = bot.map().cloned().ok_or_else(|| format!("no map: {:?}", bot.map_error()))?;
    // Tile 34 is the finish of a race.
    let finder = PathFinder::new(map.clone(), bot.tuning_of(&map), map.tiles_of(34));
    let (mut way, mut run, mut rest_since) = (Vec::new(), None::<(i32, Path)>, i32::MAX);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(240) {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            match event {
                Event::Chat { text, .. } => println!("{text}"),
                Event::RaceTime { time, is_finish: true, .. } => {
                    println!("finished in {}.{:02} s", time / 100, time % 100);
                    let file = std::env::args().nth(2);
                    return Ok(file.map_or(Ok(()), |file| std::fs::write(file, way.join("\n")))?);
                }
                Event::Snapshot { tick } => {
                    let world = bot.world_at(tick);
                    let Some(tee) = world.own().and_then(|own| world.character(own.id)) else { continue };
                    way.push(format!("{},{}", tee.x, tee.y));
                    let at = Vec2::new(tee.x as f32, tee.y as f32);
                    run = run.filter(|(start, path)| {
                        let step = usize::try_from(tick.saturating_sub(*start)).unwrap_or(0);
                        let expected = path.positions.get(step).filter(|_| tick >= *start);
                        // A late input leads away from the path.
                        let is_lost = expected.is_some_and(|expected| expected.distance(at) > 2.0);
                        if is_lost {
                            bot.set_input(Input::default());
                        }
                        !is_lost && step <= path.inputs.len()
                    });
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
