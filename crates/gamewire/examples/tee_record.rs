//! Records players with random inputs: `tee_record SERVER FILE [PLAYERS] [SECONDS] [SEED]`. The file is a capture for
//! `tee_check`.

#![allow(clippy::arithmetic_side_effects, reason = "small random numbers")]

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use gamewire::inspect::recording::Recorder;
use gamewire::net::TapPacket;
use gamewire::teeworlds::client::Event;
use gamewire::teeworlds::model::Input;
use gamewire::teeworlds::{Player, PlayerOptions};

/// Time after which all players die once.
const BEFORE_DEATH: Duration = Duration::from_secs(2);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let server = arguments.next().ok_or("which server? HOST:PORT")?;
    let file = arguments.next().ok_or("which file?")?;
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (players, seconds, seed) = (number(4)?, number(20)?, number(1)?);

    let recorder = Arc::new(Mutex::new(Recorder::create(&file)?));
    let join = |index: u64| {
        let mut options = PlayerOptions::new(&format!("tee {index}"));
        // A late input makes a tick useless.
        options.input_margin = Duration::from_millis(60);
        let recorder = Arc::clone(&recorder);
        options.driver.tap = Some(Box::new(move |packet: &TapPacket<'_>| {
            let time = i64::try_from(packet.unix_micros).unwrap_or(0).saturating_mul(1000);
            if let Ok(mut recorder) = recorder.lock() {
                let _ = recorder.datagram(time, packet.from(), packet.to(), packet.bytes);
            }
        }));
        Player::join_with(&server, options)
    };
    // A player that waits for others to join sends no inputs.
    let joined: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..players).map(|index| scope.spawn(move || join(index))).collect();
        threads.into_iter().map(|thread| thread.join()).collect()
    });
    let mut bots = Vec::new();
    for (index, player) in (0..).zip(joined) {
        let player = player.map_err(|_| "a thread failed")??;
        bots.push(Bot { player, random: Random(seed.wrapping_mul(1000) + index), input: Input::default() });
    }
    // Tees tick in the order of their births. The snapshots show it for tees that spawn from now on.
    let mut must_die = true;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(seconds) {
        for bot in &mut bots {
            bot.update()?;
        }
        if must_die && begin.elapsed() > BEFORE_DEATH {
            must_die = false;
            bots.iter_mut().for_each(|bot| _ = bot.player.kill());
        }
        thread::sleep(Duration::from_millis(1));
    }
    for bot in &mut bots {
        bot.player.disconnect("recorded");
        bot.player.update().ok();
    }
    let mut recorder = recorder.lock().map_err(|_| "a tap failed")?;
    recorder.flush()?;
    println!("{players} players for {seconds} s: {} bytes", recorder.length());
    Ok(())
}

/// A player with random inputs.
struct Bot {
    player: Player,
    random: Random,
    input: Input,
}

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`.
    fn below(&mut self, bound: i32) -> i32 {
        i32::try_from(self.next() % u64::from(bound.unsigned_abs().max(1))).unwrap_or(0)
    }

    /// Returns whether something happens, in percent.
    fn percent(&mut self, chance: i32) -> bool {
        self.below(100) < chance
    }
}

impl Bot {
    /// Exchanges packets, and changes the input with each snapshot.
    fn update(&mut self) -> Result<(), Box<dyn Error>> {
        self.player.update()?;
        while let Some(event) = self.player.poll_event() {
            if matches!(event, Event::Snapshot { .. }) {
                self.change_input();
            }
        }
        Ok(())
    }

    fn change_input(&mut self) {
        let random = &mut self.random;
        let input = &mut self.input;
        if random.percent(8) {
            input.direction = random.below(3) - 1;
        }
        if random.percent(15) {
            input.jump = !input.jump;
        }
        if random.percent(if input.hook { 5 } else { 12 }) {
            input.hook = !input.hook;
        }
        if random.percent(25) {
            (input.target_x, input.target_y) = (random.below(801) - 400, random.below(801) - 400);
        }
        if random.percent(10) {
            let own = self.player.local_player_id();
            let world = self.player.predicted().world;
            let pair = own.and_then(|own| Some((world.character(own)?, world.nearest_to(own)?)));
            if let Some((own, other)) = pair {
                (input.target_x, input.target_y) = (other.x - own.x, other.y - own.y);
            }
        }
        if random.percent(25) {
            input.fire = input.fire.wrapping_add(1) & 0x3f;
        }
        input.wanted_weapon = if random.percent(4) { 1 + random.below(5) } else { 0 };
        if random.percent(2) {
            input.next_weapon = input.next_weapon.wrapping_add(1) & 0x3f;
        }
        let dies = random.below(3000) == 0;
        self.player.set_input(*input);
        if dies {
            self.player.kill().ok();
        }
    }
}
