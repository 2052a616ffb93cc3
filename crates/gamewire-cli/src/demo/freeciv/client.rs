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

use super::summary::{Summaries, Summary};
use crate::demo::figures::PageFigures;
use crate::demo::sink::TrafficMonitor;
use crate::demo::stats::{ConversationStats, DemoClient, GameStats, Identity};
use crate::exit_status::Failure;

/// Number of turns between two chat lines of a client.
const TALK: i16 = 4;

/// A Freeciv client of the demo, which the scripted opponent plays.
pub(in crate::demo) struct FreecivDemoClient {
    name: String,
    driver: Driver<Player>,
    has_entered: bool,
    /// Turns that were played. In `desynced_turns` of them, the client's world differed from the server's game.
    turns: u64,
    desynced_turns: u64,
    opponent: Opponent,
    /// The nations in the server's game. The demo shares them in memory to compare them with the world.
    summaries: Summaries,
    is_lost: bool,
    done: i16,
}

impl FreecivDemoClient {
    /// Creates a client and starts to join.
    pub(in crate::demo) fn new(
        number: u8,
        server: SocketAddr,
        summaries: Summaries,
    ) -> Result<Self, Failure> {
        /// Timeout for opening a stream on this machine.
        const TIMEOUT: Duration = Duration::from_secs(5);
        let name = format!("fc-3.0-{number}");
        let player = Player::new(ClientConfig::new(name.clone()), Instant::ZERO)
            .map_err(|error| Failure::no_socket(&name, error))?;
        let driver = Driver::connect_with(server, TIMEOUT, player, DriverConfig::default())
            .map_err(|error| Failure::no_socket(&name, error))?;
        Ok(Self {
            opponent: Opponent::new(&name),
            summaries,
            name,
            driver,
            has_entered: false,
            turns: 0,
            desynced_turns: 0,
            is_lost: false,
            done: 0,
        })
    }

    /// Checks the world, gives the orders of a turn, and ends the turn.
    fn act(&mut self) {
        self.turns = self.turns.saturating_add(1);
        self.desynced_turns = self.desynced_turns.saturating_add(u64::from(!self.is_right()));
        let world = self.driver.machine().world();
        let (mut orders, cities) = (self.opponent.turn(world), world.cities().iter().len());
        if self.done % TALK == 0 {
            let line = format!("turn {}, and I know of {cities} cities", self.done);
            orders.extend(orders::chat(&line).ok().map(|chat| Packet::from(&chat).into()));
        }
        orders.push(Packet::from(&orders::end_turn(world)).into());
        for order in &orders {
            // The next turn shows whether the server accepted it.
            self.driver.machine_mut().order(order).ok();
        }
    }

    /// Returns true if the client's nation equals its nation in the server's game.
    fn is_right(&self) -> bool {
        let world = self.driver.machine().world();
        let Some(seen) = Summary::of(world) else { return false };
        let summaries = self.summaries.borrow();
        world.my_number().and_then(|me| summaries.get(&me)).is_some_and(|kept| *kept == seen)
    }
}

impl DemoClient for FreecivDemoClient {
    fn play(&mut self, _: Duration) -> Result<(), Failure> {
        let events = self.driver.update().map_err(|error| Failure::socket_of(&self.name, error))?;
        for event in events {
            match event {
                Event::Joined(_) => self.has_entered = true,
                Event::Closed(_) => self.is_lost = true,
                _ => {}
            }
        }
        self.driver.machine_mut().take_changes();
        let turn = self.driver.machine().world().turn_started();
        if turn > self.done && !self.is_lost {
            self.done = turn;
            self.act();
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.driver.machine_mut().close();
    }

    fn stats(&self, monitor: &TrafficMonitor, page: PageFigures) -> ConversationStats {
        ConversationStats {
            name: self.name.clone(),
            view: monitor.view(Transport::Tcp, self.driver.local_addr()),
            has_entered: self.has_entered,
            received: self.turns,
            page,
            game: GameStats::Freeciv { desynced_turns: self.desynced_turns },
        }
    }

    fn identity(&self) -> Identity<'_> {
        Identity { name: &self.name, transport: Transport::Tcp, address: self.driver.local_addr() }
    }
}
