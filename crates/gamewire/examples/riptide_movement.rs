//! A server that moves all players: `riptide_movement [PORT]`. Clients send their direction and receive positions;
//! `riptide_mover` is such a client.

#![allow(clippy::arithmetic_side_effects, reason = "a game's own numbers are small")]

#[path = "messages/movement.rs"]
mod messages;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gamewire::riptide::server::Event;
use gamewire::riptide::{ClientId, Server, Vector2};
use messages::{Position, Positions, Steer};

/// Duration of a tick.
const TICK: Duration = Duration::from_millis(50);
/// Distance that a player moves per second.
const SPEED: f32 = 5.0;

#[derive(Default)]
struct World {
    tick: u32,
    players: BTreeMap<ClientId, Player>,
}

struct Player {
    at: Vector2,
    direction: Vector2,
    received: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map_or(Ok(7777), |port| port.parse())?;
    // 64 positions of 10 bytes are far below the maximum size of a message.
    let mut server = Server::start(port, 64)?.with_state(World::default());
    println!("listening on port {}", server.port());

    server.on_event(|server, event| match event {
        Event::ClientConnected { client, format, .. } => {
            println!("player {client} is here and speaks Riptide {format}");
            let player = Player { at: Vector2::default(), direction: Vector2::default(), received: 0 };
            server.state.players.insert(client, player);
        }
        Event::ClientDisconnected { client, reason, .. } => {
            println!("player {client} is gone: {reason}");
            server.state.players.remove(&client);
        }
        _ => {}
    });
    server.on::<Steer>(|server, from, steer| {
        let Some(player) = server.state.players.get_mut(&from) else { return };
        if steer.tick > player.received {
            player.received = steer.tick;
            player.direction = at_most_one(steer.direction);
        }
    })?;

    let mut next = Instant::now();
    loop {
        server.update()?;
        while let Some(failure) = server.poll_failure() {
            eprintln!("{failure}");
        }
        if Instant::now() >= next {
            next += TICK;
            let positions = server.state.step();
            // A failed send means that the client is disconnecting.
            server.send_to_all(&positions);
        }
        server.wait(next.saturating_duration_since(Instant::now()))?;
    }
}

impl World {
    fn step(&mut self) -> Positions {
        self.tick += 1;
        let far = SPEED * TICK.as_secs_f32();
        let players = self.players.iter_mut().map(|(id, player)| {
            player.at.x += player.direction.x * far;
            player.at.y += player.direction.y * far;
            Position { player: id.0, at: player.at }
        });
        Positions { tick: self.tick, players: players.collect() }
    }
}

/// Limits the speed of a player.
fn at_most_one(direction: Vector2) -> Vector2 {
    let length = direction.x.hypot(direction.y);
    match length {
        length if !length.is_finite() => Vector2::default(),
        length if length > 1.0 => Vector2 { x: direction.x / length, y: direction.y / length },
        _ => direction,
    }
}
