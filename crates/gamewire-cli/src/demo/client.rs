use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Machine, Transport};
use gamewire_net::blocking::Driver;

use super::figures::PageFigures;
use super::sink::TrafficMonitor;
use super::stats::{ConversationStats, GameStats};
use crate::exit_status::Failure;

/// A client of the demo.
pub(super) trait DemoClient {
    /// Performs the actions that are due, `time` after the start.
    fn play(&mut self, time: Duration) -> Result<(), Failure>;

    /// Disconnects from the server.
    fn leave(&mut self);

    /// Returns the player's figures; `page` are those that the page shows.
    fn stats(&self, monitor: &TrafficMonitor, page: PageFigures) -> ConversationStats;

    fn identity(&self) -> Identity<'_>;
}

/// A client of the demo, as the page shows it.
pub(super) struct Identity<'a> {
    pub(super) name: &'a str,
    pub(super) transport: Transport,
    /// The address of its socket.
    pub(super) address: SocketAddr,
}

/// The actions of a client in its game.
pub(super) trait Play {
    type Machine: Machine;

    /// Handles an event.
    fn on_event(
        &mut self,
        machine: &mut Self::Machine,
        event: <Self::Machine as Machine>::Event,
    ) -> ClientChange;

    /// Performs the actions that are due at `time`. The client has entered the game.
    fn act(&mut self, name: &str, machine: &mut Self::Machine, time: Duration);

    /// Disconnects from the server.
    fn leave(machine: &mut Self::Machine);

    /// Returns [`ConversationStats::received`] and the figures of the game.
    fn stats(&self, machine: &Self::Machine) -> (u64, GameStats);
}

/// The meaning of an event for the connection.
pub(super) enum ClientChange {
    None,
    Entered,
    Lost,
}

/// A client on its socket.
pub(super) struct DrivenClient<P: Play> {
    pub(super) name: String,
    pub(super) transport: Transport,
    pub(super) driver: Driver<P::Machine>,
    /// The client acts this much earlier than the others.
    pub(super) ahead: Duration,
    pub(super) has_entered: bool,
    pub(super) is_lost: bool,
    pub(super) game: P,
}

impl<P: Play> DemoClient for DrivenClient<P> {
    fn play(&mut self, time: Duration) -> Result<(), Failure> {
        let events = self.driver.update().map_err(|error| Failure::socket_of(&self.name, error))?;
        let events: Vec<_> = events.collect();
        let machine = self.driver.machine_mut();
        for event in events {
            match self.game.on_event(machine, event) {
                ClientChange::None => {}
                ClientChange::Entered => self.has_entered = true,
                ClientChange::Lost => self.is_lost = true,
            }
        }
        if self.has_entered && !self.is_lost {
            self.game.act(&self.name, machine, time.saturating_add(self.ahead));
        }
        Ok(())
    }

    fn leave(&mut self) {
        P::leave(self.driver.machine_mut());
    }

    fn stats(&self, monitor: &TrafficMonitor, page: PageFigures) -> ConversationStats {
        let (received, game) = self.game.stats(self.driver.machine());
        ConversationStats {
            name: self.name.clone(),
            view: monitor.view(self.transport, self.driver.local_addr()),
            has_entered: self.has_entered,
            received,
            page,
            game,
        }
    }

    fn identity(&self) -> Identity<'_> {
        Identity { name: &self.name, transport: self.transport, address: self.driver.local_addr() }
    }
}

/// An action that is repeated at an interval.
pub(super) struct Repeated {
    interval: Duration,
    step: u128,
}

impl Repeated {
    pub(super) const fn every(interval: Duration) -> Self {
        Self { interval, step: 0 }
    }

    /// Returns the number of the action if it is due at `time`.
    pub(super) fn next(&mut self, time: Duration) -> Option<u32> {
        let step = time.as_millis().checked_div(self.interval.as_millis()).unwrap_or(0);
        let is_due = std::mem::replace(&mut self.step, step) != step;
        is_due.then(|| u32::try_from(step).unwrap_or(u32::MAX))
    }
}
