//! Memory of a server with 64 players.

use core::time::Duration;
use std::net::SocketAddr;

use crate::support::{DIALECTS, client_config, host, server_config};
use gamewire_machine::{Instant, Machine};
use gamewire_teeworlds::client::{Client, MapPolicy};
use gamewire_teeworlds::server::{Server, ServerConfig, WalkingGame};

const PLAYERS: usize = 64;
/// Initial bytes of the resend ring. It grows to 32 KiB.
const RING: usize = 1_024;
/// Maximum other bytes of an idle client.
const MAX_OTHER_BYTES: usize = 2_048;

/// A server with the maximum number of clients, and the heap memory that it has allocated.
struct Full {
    server: Server<WalkingGame>,
    clients: Vec<Client>,
    now: Instant,
    heap: i64,
}

fn address(number: usize) -> SocketAddr {
    host(100 + number as u8)
}

impl Full {
    fn new(maps: MapPolicy) -> Self {
        let config = ServerConfig { max_clients: 64, ..server_config(1) };
        let clients = (0..PLAYERS).map(|number| {
            let mut config = client_config(number as u64, DIALECTS[number % 4]);
            config.maps = maps;
            Client::connect(host(1), config, Instant::ZERO)
        });
        let server = Server::new(config, WalkingGame::default(), Instant::ZERO);
        Self { server, clients: clients.collect(), now: Instant::ZERO, heap: 0 }
    }

    /// Calls `act` with the server, and adds the growth of its heap to `heap`.
    fn measured<T>(&mut self, act: impl FnOnce(&mut Server<WalkingGame>, Instant) -> T) -> T {
        let mut result = None;
        let (server, now) = (&mut self.server, self.now);
        let info = allocation_counter::measure(|| result = Some(act(server, now)));
        self.heap += info.bytes_current;
        result.unwrap()
    }

    fn talk(&mut self, millis: u64) {
        let mut buffer = Vec::with_capacity(1_400);
        for _ in 0..millis / 10 {
            self.now = self.now + Duration::from_millis(10);
            let now = self.now;
            self.measured(|server, now| server.handle_timeout(now));
            for number in 0..PLAYERS {
                self.clients[number].handle_timeout(now);
                while self.clients[number].poll_transmit(now, &mut buffer).is_some() {
                    let _ =
                        self.measured(|server, now| server.handle_datagram(now, address(number), &buffer));
                }
                while self.clients[number].poll_event().is_some() {}
            }
            while let Some(transmit) = self.measured(|server, now| server.poll_transmit(now, &mut buffer)) {
                let number = (0..PLAYERS).find(|number| address(*number) == transmit.to).unwrap();
                let _ = self.clients[number].handle_datagram(now, host(1), &buffer);
            }
            while self.measured(|server, _| server.poll_event().map(drop)).is_some() {}
        }
    }
}

#[test]
fn sixty_four_idle_clients_hold_less_than_2_kib_each_plus_send_buffers_and_snapshots() {
    // The clients do not reply to the map change, so there are no snapshots yet and the ring is empty.
    let mut waiting = Full::new(MapPolicy::Ask);
    let empty = waiting.server.held_bytes();
    waiting.talk(5_000);
    assert_eq!(waiting.server.client_count(), PLAYERS);
    assert!(waiting.clients.iter().all(|client| client.state() == "map needed"));
    let connection = (waiting.server.held_bytes() - empty) / PLAYERS;
    println!(
        "before the game: {connection} bytes each, {} bytes of heap each",
        waiting.heap / PLAYERS as i64
    );
    assert!(connection < MAX_OTHER_BYTES + RING, "{connection} bytes");
    assert!(
        waiting.heap / (PLAYERS as i64) < (MAX_OTHER_BYTES + RING + 512) as i64,
        "{} bytes",
        waiting.heap
    );

    let mut playing = Full::new(MapPolicy::Assume);
    playing.talk(10_000);
    assert!(playing.clients.iter().all(|client| client.state() == "playing" && client.players().len() == 64));
    let held = (playing.server.held_bytes() - empty) / PLAYERS;
    let heap = playing.heap / PLAYERS as i64;
    playing.talk(10_000);
    let later = playing.heap / PLAYERS as i64;
    println!("in the game, all 64 seen by all: {held} bytes each, {heap} bytes of heap each, {later} later");
    // Snapshots of three seconds. Equal ones share their memory.
    assert!(held < 4 * 1024 * 1024 + 32 * 1024, "{held} bytes");
    assert!(later <= heap + heap / 10, "{heap} bytes, and {later} ten seconds later");
}
