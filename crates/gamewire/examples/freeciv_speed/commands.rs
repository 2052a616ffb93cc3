//! Commands a second of `gamewire play`, and the same packets by a bare client.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gamewire::freeciv::{LocalServer, Player, orders};
use serde_json::{Value, json};

use crate::play::Play;
use crate::{config, processor};

/// Questions that the command answers without the server.
const QUESTIONS: usize = 20_000;
/// Lists of legal actions.
const LISTS: usize = 27;
/// Orders of a round, and rounds. The command and the bare client take turns, so that both have the same machine.
const ORDERS: u8 = 50;
const ROUNDS: usize = 20;
/// Maximum time until the game starts.
const START: Duration = Duration::from_secs(60);

/// Starts two equal games, one for the command and one for the bare client, and prints a table.
pub(crate) fn measure(gamewire: &Path, program: Option<PathBuf>) -> Result<(), Box<dyn Error>> {
    let config = config(program, 2);
    let (server, bare_server) = (LocalServer::start(&config)?, LocalServer::start(&config)?);
    let mut play = Play::start(gamewire, server.address())?;
    let mut bare = Player::join(bare_server.address(), "bare")?;
    bare.perform(&orders::start_game()?)?;
    bare.wait_until(START, |world| world.turn_started() > 0)?;

    println!("| | number | clock | processor of `play` | a second |");
    println!("|---|---|---|---|---|");
    for part in ["game", "me", "own_units"] {
        let question = json!({ "command": "world", "parts": [part] });
        let name = format!("`world` for `{part}`, one by one");
        row(&name, QUESTIONS, &mut play, |play| (0..QUESTIONS).try_for_each(|_| replied(play, &question)))?;
    }
    let questions = vec![json!({ "command": "world", "parts": ["game"] }); QUESTIONS];
    row("`world` for `game`, pipelined", QUESTIONS, &mut play, |play| play.pipeline(&questions))?;

    let units: Vec<u32> = bare.world().my_units().map(|unit| unit.id()).collect();
    let of_units: Vec<Value> = units
        .iter()
        .cycle()
        .take(LISTS)
        .map(|unit| json!({ "command": "legal_actions", "unit": unit }))
        .collect();
    row("`legal_actions` of a unit, one by one", of_units.len(), &mut play, |play| {
        of_units.iter().try_for_each(|question| replied(play, question))
    })?;
    row("`legal_actions` of a unit, pipelined", of_units.len(), &mut play, |play| play.pipeline(&of_units))?;
    let all = json!({ "command": "legal_actions" });
    row("`legal_actions` of all, one by one", LISTS, &mut play, |play| {
        (0..LISTS).try_for_each(|_| replied(play, &all))
    })?;
    println!();
    orders(&mut play, &mut bare)
}

/// Executes a question, and checks that it was answered.
fn replied(play: &mut Play, question: &Value) -> Result<(), Box<dyn Error>> {
    let reply = play.execute(question)?;
    if reply.get("answer").is_none_or(Value::is_null) {
        Err(format!("{question}: {reply}").into())
    } else {
        Ok(())
    }
}

fn row(
    name: &str,
    number: usize,
    play: &mut Play,
    run: impl FnOnce(&mut Play) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (begin, before) = (Instant::now(), processor::time_of(play.process()));
    run(play)?;
    let (clock, used) = (begin.elapsed(), processor::time_of(play.process()).saturating_sub(before));
    let rate = number as f64 / clock.as_secs_f64();
    println!("| {name} | {number} | {:.0} ms | {:.0} ms | {rate:.0} |", millis(clock), millis(used));
    Ok(())
}

/// Sends the same orders by the command and by the bare client, and waits for the reply to each.
fn orders(play: &mut Play, bare: &mut Player) -> Result<(), Box<dyn Error>> {
    let (mut by_play, mut by_bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for number in 0..ORDERS {
            let science = if number % 2 == 0 { 50 } else { 60 };
            let command =
                json!({ "command": "tax_rates", "tax": 100 - science, "luxury": 0, "science": science });
            let begin = Instant::now();
            let reply = play.execute(&command)?;
            by_play.push(begin.elapsed());
            if reply.get("outcome").is_none_or(|outcome| outcome != "done") {
                return Err(format!("{command}: {reply}").into());
            }
        }
        for number in 0..ORDERS {
            let science = if number % 2 == 0 { 50 } else { 60 };
            let begin = Instant::now();
            bare.perform(&orders::set_tax_rates(100 - science, 0, science))?;
            by_bare.push(begin.elapsed());
        }
    }
    println!("| {} orders `tax_rates`, one by one | median | 90 % |", by_play.len());
    println!("|---|---|---|");
    for (name, times) in [("`play`", &mut by_play), ("bare client", &mut by_bare)] {
        times.sort_unstable();
        println!("| {name} | {:.3} ms | {:.3} ms |", millis(share(times, 50)), millis(share(times, 90)));
    }
    Ok(())
}

/// Returns the time that a share of sorted times does not exceed.
fn share(times: &[Duration], percent: usize) -> Duration {
    times.get(times.len() * percent / 100).copied().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
