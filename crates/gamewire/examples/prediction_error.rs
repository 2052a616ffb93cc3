//! Compares the predicted own tee with the tee that the server sends:
//! `prediction_error SERVER [SECONDS] [DELAY] [RULES] [DIALECT]`. DELAY is in milliseconds in each direction. RULES is
//! `0.7.5`, `ddnet-16` or `ddnet-20`, and DIALECT a dialect as in URLs, such as `tw-0.6`.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "ticks and positions of a test")]

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use gamewire::maps::MapCache;
use gamewire::net::Conditions;
use gamewire::teeworlds::client::{Client, Event};
use gamewire::teeworlds::model::{Input, World};
use gamewire::teeworlds::tee::rules::Rules;
use gamewire::teeworlds::{Dialect, Player, PlayerOptions};

/// Time until the clock of the inputs has found the delay.
const WARM_UP: Duration = Duration::from_secs(3);
/// Percentiles that are shown.
const PERCENTILES: [usize; 6] = [50, 75, 90, 95, 99, 100];

type Position = (i32, i32);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = arguments.first().ok_or("which server? HOST:PORT")?;
    let number = |at: usize, default| arguments.get(at).map_or(Ok(default), |text| text.parse::<u64>());
    let (seconds, delay) = (number(1, 20)?, Duration::from_millis(number(2, 0)?));
    let folder = std::env::temp_dir().join("gamewire-prediction-maps");
    let mut options = PlayerOptions::new("predictor").with_map_cache(MapCache::new(folder));
    // A late input makes the next ticks useless.
    options.input_margin = Duration::from_millis(60);
    options.rules = match arguments.get(3).map(String::as_str) {
        None => None,
        Some("0.7.5") => Some(Rules::Teeworlds07),
        Some("ddnet-16") => Some(Rules::Ddnet16),
        Some("ddnet-20") => Some(Rules::Ddnet20),
        Some(_) => return Err("unknown rules: use 0.7.5, ddnet-16 or ddnet-20".into()),
    };
    if let Some(name) = arguments.get(4) {
        let dialects = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
        let dialect = dialects.into_iter().find(|dialect| dialect.name() == name);
        options.offer = Some(dialect.ok_or("unknown dialect")?.into());
    }
    if !delay.is_zero() {
        options.driver = options.driver.impair(Conditions { delay, ..Conditions::PERFECT });
    }
    let mut bot = Player::join_with(server, options)?;
    if let Some(error) = bot.map_error() {
        return Err(error.into());
    }
    let (mut random, mut input) = (Random(7), Input::default());
    // For each tick: the tee in the latest snapshot, and the predicted one, when the input for the tick was sent.
    let mut expected: BTreeMap<i32, (Position, Position)> = BTreeMap::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(seconds) + WARM_UP {
        bot.update()?;
        while let Some(event) = bot.poll_event() {
            let Event::Snapshot { tick } = event else { continue };
            // An event may be older than the world.
            if bot.world().tick != tick {
                continue;
            }
            let is_settled = begin.elapsed() > WARM_UP;
            let pair = (expected.get(&tick).filter(|_| is_settled), own(&bot.world_at(tick)));
            if let (Some((shown, predicted)), Some(own)) = pair {
                before.push(distance(*shown, own));
                after.push(distance(*predicted, own));
            }
            expected = expected.split_off(&tick);
            random.change(&mut input);
            bot.set_input(input);
        }
        let predicted = bot.predicted();
        if let (Some(shown), Some(predicted_own)) = (own(bot.world()), own(&predicted.world)) {
            expected.insert(predicted.world.tick, (shown, predicted_own));
        }
        bot.wait(Duration::from_millis(2))?;
    }
    let timing = Client::stats(&bot).timing;
    bot.disconnect("measured");
    bot.update().ok();
    println!("delay {} ms, {} of {} inputs late", delay.as_millis(), timing.late, timing.reports);
    print("latest snapshot", &mut before);
    print("predicted", &mut after);
    let equal = after.iter().filter(|distance| **distance == 0.0).count();
    println!("compared {} equal {equal}", after.len());
    Ok(())
}

/// Returns the position of the own tee in a world.
fn own(world: &World) -> Option<Position> {
    let own = world.character(world.own()?.id)?;
    Some((own.x, own.y))
}

fn distance(one: Position, two: Position) -> f64 {
    f64::from(one.0 - two.0).hypot(f64::from(one.1 - two.1))
}

fn print(name: &str, distances: &mut [f64]) {
    distances.sort_by(f64::total_cmp);
    let last = distances.len().saturating_sub(1);
    let columns = PERCENTILES.map(|percent| {
        format!("{percent}%: {:.1}", distances.get(last * percent / 100).copied().unwrap_or(f64::NAN))
    });
    println!("{name}: {}", columns.join("  "));
}

/// A generator of random inputs.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((self.0 >> 33) % u64::from(bound.unsigned_abs().max(1))).unwrap_or(0)
    }

    /// Changes some keys and the aim. Weapons are not used.
    fn change(&mut self, input: &mut Input) {
        if self.below(100) < 8 {
            input.direction = self.below(3) - 1;
        }
        if self.below(100) < 15 {
            input.jump = !input.jump;
        }
        if self.below(100) < if input.hook { 5 } else { 12 } {
            input.hook = !input.hook;
        }
        if self.below(100) < 25 {
            (input.target_x, input.target_y) = (self.below(801) - 400, self.below(801) - 400);
        }
    }
}
