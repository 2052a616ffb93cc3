//! G9: clocks that jump an hour ahead and back.

use core::time::Duration;

use gamewire_machine::{Instant, Machine};
use gamewire_teeworlds::CloseReason;
use gamewire_teeworlds::client::{self, Client};
use gamewire_teeworlds::server::{self, Server, WalkingGame};

use super::world::{START, events, sent, serve};
use crate::support::{DIALECTS, client_config, host, server_config};

const HOUR: Duration = Duration::from_secs(3_600);

/// A server and two players of every dialect.
struct Party {
    server: Server<WalkingGame>,
    players: Vec<Client>,
    now: Instant,
    /// Delays of the clocks of the server and of the players.
    behind: [Duration; 2],
}

fn back(now: Instant, by: Duration) -> Instant {
    Instant::from_micros(now.as_micros() - by.as_micros() as u64)
}

impl Party {
    fn new() -> Self {
        let mut config = server_config(1);
        config.max_clients_per_address = 8;
        let connect = |number: u64| {
            Client::connect(host(1), client_config(number, DIALECTS[number as usize % 4]), START)
        };
        let mut party = Self {
            server: serve(config),
            players: (0..8).map(connect).collect(),
            now: START,
            behind: [Duration::ZERO; 2],
        };
        party.talk(1_000);
        assert!(party.players.iter().all(|player| player.state() == "playing"));
        events(&mut party.server);
        party.players.iter_mut().for_each(|player| drop(events(player)));
        party
    }

    fn talk(&mut self, millis: u64) {
        let mut buffer = Vec::new();
        for _ in 0..millis / 10 {
            self.now = self.now + Duration::from_millis(10);
            let [here, there] = self.behind.map(|behind| back(self.now, behind));
            self.server.handle_timeout(here);
            self.players.iter_mut().for_each(|player| player.handle_timeout(there));
            for _ in 0..8 {
                for (number, player) in (10..).zip(&mut self.players) {
                    while player.poll_transmit(there, &mut buffer).is_some() {
                        let _ = self.server.handle_datagram(here, host(number), &buffer);
                    }
                }
                while let Some(transmit) = self.server.poll_transmit(here, &mut buffer) {
                    let number = (10..18).position(|number| host(number) == transmit.to).unwrap();
                    if let Some(player) = self.players.get_mut(number) {
                        let _ = player.handle_datagram(there, host(1), &buffer);
                    }
                }
            }
        }
    }
}

/// Returns the number of datagrams that a machine sends from `now` on for `time` without an answer.
fn alone<M: Machine>(machine: &mut M, now: Instant, time: Duration) -> usize {
    let (end, mut now, mut count) = (now + time, now, 0);
    loop {
        machine.handle_timeout(now);
        count += sent(machine, now).len();
        match machine.poll_timeout().filter(|wake| wake.at <= end) {
            Some(wake) => {
                assert!(wake.at > now, "{}", wake.reason);
                now = wake.at;
            }
            None => return count,
        }
    }
}

#[test]
fn g9_a_server_that_slept_an_hour_closes_every_client_once_without_a_storm() {
    let mut party = Party::new();
    let woken = party.now + HOUR;
    let sent = alone(&mut party.server, woken, Duration::from_secs(60));
    assert!(sent <= 8 * 8, "{sent} datagrams");
    let closed: Vec<_> = events(&mut party.server);
    let timeouts = closed.iter().filter(|event| {
        matches!(
            event,
            server::Event::Closed { reason: CloseReason::Timeout | CloseReason::TooWeak { .. }, .. }
        )
    });
    assert_eq!((timeouts.count(), closed.len()), (8, 8));
    assert_eq!(party.server.client_count(), 0);
}

#[test]
fn g9_a_client_that_slept_an_hour_closes_once_without_a_storm() {
    for (number, mut player) in Party::new().players.into_iter().enumerate() {
        let woken = START + HOUR;
        let sent = alone(&mut player, woken, Duration::from_secs(200));
        assert!(sent <= 4, "{number}: {sent} datagrams");
        let reported = events(&mut player);
        assert!(matches!(reported[..], [client::Event::Closed(_)]), "{number}: {reported:?}");
    }
}

#[test]
fn g9_a_clock_that_goes_back_an_hour_closes_no_connection() {
    for behind in [[HOUR, Duration::ZERO], [Duration::ZERO, HOUR], [HOUR, HOUR]] {
        let mut party = Party::new();
        // A machine with a clock that goes back gets times of the past.
        party.behind = behind;
        party.talk(5_000);
        // Afterwards the state is unchanged.
        party.behind = [Duration::ZERO; 2];
        party.talk(5_000);
        assert!(party.players.iter().all(|player| player.state() == "playing"));
        assert_eq!(party.server.client_count(), 8);
        assert_eq!(events(&mut party.server), [], "no client joined or left");
        let tick = party.players[0].world().tick;
        party.talk(200);
        assert!(party.players[0].world().tick > tick, "the game goes on");
    }
}

#[test]
fn g9_after_any_pause_no_timer_is_in_the_past() {
    for pause in (510..1_000).step_by(10) {
        let mut party = Party::new();
        // The last client is silent and times out after the pause. The server notifies the other clients of this, after
        // it has already handled their connections.
        party.players.truncate(7);
        party.talk(10_010 - pause);
        events(&mut party.server);
        let now = party.now + Duration::from_millis(pause);
        party.server.handle_timeout(now);
        let wake = party.server.poll_timeout().unwrap();
        assert!(wake.at > now, "{pause} ms: {}", wake.reason);
        assert!(matches!(events(&mut party.server)[..], [server::Event::Closed { .. }]), "{pause} ms");
        for player in &mut party.players {
            player.handle_timeout(now);
            let wake = player.poll_timeout().unwrap();
            assert!(wake.at > now, "{pause} ms: {}", wake.reason);
        }
    }
}
