//! A small game of Freeciv: a server with an invented world and rules, and its clients, which the scripted opponent
//! plays.

mod game;
mod rules;
mod server;

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::play::{Event, Player};
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_machine::{Instant, Transport};
use gamewire_net::DriverConfig;
use gamewire_net::blocking::Driver;

use self::game::{Summaries, Summary};
pub(super) use self::server::FreecivDemoServer;
use super::client::{ClientChange, DrivenClient, Play};
use super::stats::GameStats;
use crate::exit_status::Failure;

/// Number of turns between two chat lines of a client.
const TALK: i16 = 4;

/// A nation, which the scripted opponent plays.
pub(super) struct Nation {
    opponent: Opponent,
    /// The nations in the server's game. The demo shares them in memory to compare them with the world.
    summaries: Summaries,
    /// Number of the last turn that was played.
    turn: i16,
    /// Turns that were played. In `desynced_turns` of them, the client's world differed from the server's game.
    turns: u64,
    desynced_turns: u64,
}

impl DrivenClient<Nation> {
    /// Creates a client and starts to join.
    pub(super) fn freeciv(number: u8, server: SocketAddr, summaries: Summaries) -> Result<Self, Failure> {
        /// Timeout for opening a stream on this machine.
        const TIMEOUT: Duration = Duration::from_secs(5);
        let name = format!("fc-3.0-{number}");
        let player = Player::new(ClientConfig::new(name.clone()), Instant::ZERO)
            .map_err(|error| Failure::no_socket(&name, error))?;
        let driver = Driver::connect_with(server, TIMEOUT, player, DriverConfig::default())
            .map_err(|error| Failure::no_socket(&name, error))?;
        let opponent = Opponent::new(&name);
        let game = Nation { opponent, summaries, turn: 0, turns: 0, desynced_turns: 0 };
        let (ahead, has_entered, is_lost) = (Duration::ZERO, false, false);
        Ok(Self { name, transport: Transport::Tcp, driver, ahead, has_entered, is_lost, game })
    }
}

impl Play for Nation {
    type Machine = Player;

    fn on_event(&mut self, _: &mut Player, event: Event) -> ClientChange {
        match event {
            Event::Joined(_) => ClientChange::Entered,
            Event::Closed(_) => ClientChange::Lost,
            _ => ClientChange::None,
        }
    }

    /// At the start of a turn, checks the world, gives the orders, and ends the turn.
    fn act(&mut self, _: &str, player: &mut Player, _: Duration) {
        player.take_changes();
        let world = player.world();
        if world.turn_started() <= self.turn {
            return;
        }
        self.turn = world.turn_started();
        self.turns = self.turns.saturating_add(1);
        let kept = world.my_number().and_then(|me| self.summaries.borrow().get(&me).cloned());
        let is_right = kept.is_some() && kept == Summary::of(world);
        self.desynced_turns = self.desynced_turns.saturating_add(u64::from(!is_right));
        let mut orders = self.opponent.turn(world);
        if self.turn % TALK == 0 {
            let line = format!("turn {}, and I know of {} cities", self.turn, world.cities().iter().len());
            orders.extend(orders::chat(&line).ok().map(|chat| Packet::from(&chat).into()));
        }
        orders.push(Packet::from(&orders::end_turn(world)).into());
        for order in &orders {
            // The next turn shows whether the server accepted it.
            player.order(order).ok();
        }
    }

    fn leave(player: &mut Player) {
        player.close();
    }

    fn stats(&self, _: &Player) -> (u64, GameStats) {
        (self.turns, GameStats::Freeciv { desynced_turns: self.desynced_turns })
    }
}
