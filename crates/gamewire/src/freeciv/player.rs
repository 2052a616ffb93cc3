use core::fmt;
use std::collections::VecDeque;

use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::play::{self, Event, OrderId, OrderReply};
use gamewire_freeciv::session::client::{ClientConfig, CloseReason};
use gamewire_freeciv::world::{Change, World};
use gamewire_machine::Instant;
use gamewire_net::{Driver, Runtime, Stats};

use super::error::PlayError;

/// Maximum number of queued events. A further one displaces the oldest.
const MAX_EVENTS: usize = 1024;

/// A player on a Freeciv server, over either driver: see [`Player`](super::Player) and
/// `tokio::Player`.
pub struct DrivenPlayer<R: Runtime> {
    pub(super) driver: Driver<play::Player, R>,
    events: VecDeque<Event>,
    closed: Option<CloseReason>,
}

/// Creates the machine of a player.
pub(super) fn machine(config: ClientConfig) -> Result<play::Player, PlayError> {
    Ok(play::Player::new(config, Instant::ZERO)?)
}

impl<R: Runtime> DrivenPlayer<R> {
    pub(super) const fn new(driver: Driver<play::Player, R>) -> Self {
        Self { driver, events: VecDeque::new(), closed: None }
    }

    /// Returns the world as the server has described it so far.
    pub fn world(&self) -> &World {
        self.driver.machine().world()
    }

    /// Returns the changes since the last call.
    pub fn changes(&mut self) -> Vec<Change> {
        self.driver.machine_mut().take_changes()
    }

    /// Sends an order, which is any packet of a client, with the next update, wait or await. The module `orders`
    /// creates orders.
    ///
    /// # Errors
    /// [`PlayError::Send`]. Nothing is sent.
    pub fn order<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderId, PlayError> {
        Ok(self.driver.machine_mut().order(packet)?)
    }

    /// Returns the reply to an order after the server has processed it. Each reply is returned once.
    pub fn try_reply(&mut self, order: OrderId) -> Option<OrderReply> {
        self.driver.machine_mut().take_reply(order)
    }

    /// Calls `watch` with every later packet of the server, after the packet has updated the world.
    pub fn watch_packets(&mut self, watch: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.driver.machine_mut().on_packet(watch);
    }

    /// Leaves the server. Dropping the player also leaves, without an [`Event::Closed`].
    pub fn leave(&mut self) {
        self.driver.machine_mut().close();
    }

    /// Returns the counters of the driver.
    pub fn stats(&self) -> &Stats {
        self.driver.stats()
    }

    /// Returns the machine.
    pub fn machine(&self) -> &play::Player {
        self.driver.machine()
    }

    /// Stores the reason after the connection has closed.
    pub(super) fn on_event(&mut self, event: &Event) {
        if let Event::Closed(reason) = event {
            self.closed = Some(reason.clone());
        }
    }

    /// Updates the state after an event, and queues the event.
    pub(super) fn queue_event(&mut self, event: Event) {
        self.on_event(&event);
        if matches!(event, Event::Updated | Event::OrderFinished(_)) {
            return;
        }
        self.events.push_back(event);
        if self.events.len() > MAX_EVENTS {
            self.events.pop_front();
        }
    }

    pub(super) fn pop_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Returns an error if the connection is closed.
    pub(super) fn check_open(&self) -> Result<(), PlayError> {
        self.closed.as_ref().map_or(Ok(()), |reason| Err(PlayError::Closed(reason.clone())))
    }
}

impl<R: Runtime> fmt::Debug for DrivenPlayer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("machine", self.driver.machine()).finish_non_exhaustive()
    }
}
