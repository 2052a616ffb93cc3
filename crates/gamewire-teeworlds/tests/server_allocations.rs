//! After a warm-up, a server with players does not allocate: neither in its ticks, nor for received and sent datagrams.

use crate::support::{DIALECTS, client_config, host, server_config};
use gamewire_machine::{Instant, Machine as _};
use gamewire_teeworlds::client::{Client, MapPolicy};
use gamewire_teeworlds::model::Input;
use gamewire_teeworlds::server::{Server, ServerConfig, WalkingGame};

const PLAYERS: u8 = 32;

/// A server with walking players of all dialects.
struct Crowd {
    server: Server<WalkingGame>,
    clients: Vec<Client>,
    millis: u64,
    allocations: u64,
}

impl Crowd {
    fn new() -> Self {
        let config = ServerConfig { max_clients: PLAYERS, ..server_config(1) };
        let clients = (0..PLAYERS).map(|number| {
            let mut config = client_config(number.into(), DIALECTS[usize::from(number) % 4]);
            config.maps = MapPolicy::Assume;
            Client::connect(host(1), config, Instant::ZERO)
        });
        let server = Server::new(config, WalkingGame::default(), Instant::ZERO);
        Self { server, clients: clients.collect(), millis: 0, allocations: 0 }
    }

    /// Calls `act` with the server and counts its allocations.
    fn counted<T>(&mut self, act: impl FnOnce(&mut Server<WalkingGame>) -> T) -> T {
        let mut result = None;
        let counts = allocation_counter::measure(|| result = Some(act(&mut self.server)));
        self.allocations += counts.count_total;
        result.unwrap()
    }

    fn play(&mut self, seconds: u64) {
        let mut buffer = Vec::with_capacity(2_000);
        for _ in 0..seconds * 100 {
            self.millis += 10;
            let now = Instant::from_micros(self.millis * 1000);
            self.counted(|server| server.handle_timeout(now));
            while let Some(transmit) = self.counted(|server| server.poll_transmit(now, &mut buffer)) {
                let number = (0..PLAYERS).find(|number| host(100 + number) == transmit.to).unwrap();
                let client = &mut self.clients[usize::from(number)];
                client.handle_datagram(now, host(1), &buffer).unwrap();
            }
            for number in 0..PLAYERS {
                let client = &mut self.clients[usize::from(number)];
                let direction =
                    if (self.millis / 500 + u64::from(number)).is_multiple_of(2) { 1 } else { -1 };
                client.set_input(Input { direction, ..Input::default() });
                client.handle_timeout(now);
                while client.poll_event().is_some() {}
                while self.clients[usize::from(number)].poll_transmit(now, &mut buffer).is_some() {
                    self.counted(|server| server.handle_datagram(now, host(100 + number), &buffer)).unwrap();
                }
            }
            while self.counted(|server| server.poll_event().is_some()) {}
        }
    }
}

#[test]
fn a_warm_server_with_players_allocates_nothing() {
    let mut crowd = Crowd::new();
    crowd.play(10);
    assert_eq!(
        crowd.clients.iter().filter(|client| client.state() == "playing").count(),
        usize::from(PLAYERS)
    );
    let before: u64 = crowd.clients.iter().map(|client| client.stats().snapshots.good).sum();
    crowd.allocations = 0;
    crowd.play(5);
    let snapshots: u64 = crowd.clients.iter().map(|client| client.stats().snapshots.good).sum();
    assert!(snapshots - before >= 100 * u64::from(PLAYERS), "{} snapshots", snapshots - before);
    assert_eq!(crowd.allocations, 0, "in 250 ticks");
}
