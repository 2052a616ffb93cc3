//! Turns a second with the scripted opponent, and the server's processor time in the same turns.

use std::error::Error;
use std::path::PathBuf;
use std::process;
use std::time::{Duration, Instant};

use gamewire::freeciv::opponent::Opponent;
use gamewire::freeciv::{LocalServer, PlayError, Player, orders};

use crate::{config, processor};

/// Maximum time until the next turn begins.
const TURN: Duration = Duration::from_secs(120);
/// The numbers of AI players.
const OTHERS: [u32; 3] = [0, 1, 5];
const NAME: &str = "speed";

/// The player of the nation.
#[derive(Clone, Copy, PartialEq)]
enum Brain {
    /// The scripted opponent.
    Opponent,
    /// The server's AI. The client only ends the turns.
    Server,
}

/// Figures of one game.
struct Game {
    turns: u32,
    clock: Duration,
    client: Duration,
    server: Duration,
    version: String,
}

/// Plays 99 turns on each server, and prints a table.
pub(crate) fn measure(servers: &[Option<PathBuf>]) -> Result<(), Box<dyn Error>> {
    println!("| server | AI players | clock | client | server | turns a second | server, with its AI |");
    println!("|---|---|---|---|---|---|---|");
    for server in servers {
        for others in OTHERS {
            let game = play(server.clone(), others, Brain::Opponent)?;
            let alone = play(server.clone(), others, Brain::Server)?;
            println!(
                "| {} | {others} | {:.1} s | {:.2} s | {:.1} s | {:.0} | {:.1} s |",
                game.version,
                game.clock.as_secs_f64(),
                game.client.as_secs_f64(),
                game.server.as_secs_f64(),
                f64::from(game.turns) / game.clock.as_secs_f64(),
                alone.server.as_secs_f64(),
            );
        }
    }
    Ok(())
}

fn play(program: Option<PathBuf>, others: u32, brain: Brain) -> Result<Game, Box<dyn Error>> {
    let server = LocalServer::start(&config(program, others + 1))?;
    let processes = processor::listening_on(server.address().port());
    let mut player = Player::join(server.address(), NAME)?;
    player.perform(&orders::start_game()?)?;
    player.wait_until(TURN, |world| world.turn_started() > 0)?;
    if brain == Brain::Server {
        player.perform(&orders::toggle_ai(NAME)?)?;
    }
    let mut opponent = Opponent::new(NAME);
    let (begin, before) = (Instant::now(), processor::time_of_all(&processes));
    let (own_before, mut turns) = (processor::time_of(process::id()), 0);
    loop {
        if brain == Brain::Opponent {
            for order in opponent.turn(player.world()) {
                player.order(&order)?;
            }
        }
        match player.next_turn(TURN) {
            Ok(_) => turns += 1,
            Err(PlayError::Ended(_)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    let version = player
        .world()
        .server()
        .map(|server| format!("{}.{}.{}", server.major_version, server.minor_version, server.patch_version));
    Ok(Game {
        turns,
        clock: begin.elapsed(),
        client: processor::time_of(process::id()).saturating_sub(own_before),
        server: processor::time_of_all(&processes).saturating_sub(before),
        version: version.unwrap_or_default(),
    })
}
