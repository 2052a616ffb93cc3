use core::fmt;
use core::time::Duration;
use std::io;

use gamewire_freeciv::orders;
use gamewire_freeciv::play::{self, Event, OrderId, OrderReply};
use gamewire_freeciv::session::client::{ClientConfig, CloseReason};
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::v30::Packet;
use gamewire_freeciv::world::{Change, World};
use gamewire_machine::Instant;
use gamewire_net::tokio::Driver;
use gamewire_net::{DriverConfig, Stats};
use tokio::net::{ToSocketAddrs, lookup_host};
use tokio::time::timeout;

use crate::freeciv::PlayError;
use crate::freeciv::error::DEFAULT_TIMEOUT;

/// A player for a program on tokio.
///
/// There is no task behind it: it is driven while one of its functions is awaited. Pings are
/// answered then, so keep awaiting [`next_event`](Self::next_event) while there is nothing else to do.
pub struct Player {
    driver: Driver<play::Player>,
    over: Option<CloseReason>,
}

impl Player {
    /// Joins a server under a name. Takes until the server has told its rules, at most a minute.
    ///
    /// # Errors
    /// There is no such server, it does not let the player in, or not in time.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O and time.
    pub async fn join(server: impl ToSocketAddrs, name: &str) -> Result<Self, PlayError> {
        Self::join_with(server, ClientConfig::new(Definition::v30(), name), DriverConfig::default()).await
    }

    /// [`join`](Self::join) with all that can be chosen.
    ///
    /// # Errors
    /// As before.
    ///
    /// # Panics
    /// As before.
    pub async fn join_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        settings: DriverConfig,
    ) -> Result<Self, PlayError> {
        let server = lookup_host(server).await.map_err(PlayError::Resolve)?.next();
        let server = server.ok_or_else(|| PlayError::Resolve(io::ErrorKind::NotFound.into()))?;
        let machine = play::Player::new(config, Instant::ZERO)?;
        let driver = Driver::connect_with(server, DEFAULT_TIMEOUT, machine, settings).await?;
        let mut player = Self { driver, over: None };
        player.drive_until(DEFAULT_TIMEOUT, |player| player.driver.machine().is_ready()).await?;
        Ok(player)
    }

    /// The next event, once there is one. It may be dropped at any await: nothing is lost.
    ///
    /// # Errors
    /// The connection is over, and that was told.
    pub async fn next_event(&mut self) -> Result<Event, PlayError> {
        if let Some(reason) = &self.over {
            return Err(PlayError::Closed(reason.clone()));
        }
        let event = self.driver.next_event().await?;
        if let Event::Closed(reason) = &event {
            self.over = Some(reason.clone());
        }
        Ok(event)
    }

    /// The world as the server has told it so far.
    #[must_use]
    pub fn world(&self) -> &World {
        self.driver.machine().world()
    }

    /// What is otherwise than at the last call.
    pub fn changes(&mut self) -> Vec<Change> {
        self.driver.machine_mut().take_changes()
    }

    /// Gives an order, which leaves with the next await: any packet of a client. [`orders`] make
    /// them.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn order<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderId, PlayError> {
        Ok(self.driver.machine_mut().order(packet)?)
    }

    /// What became of an order, once the server has dealt with it. The answer is given once.
    pub fn try_reply(&mut self, ticket: OrderId) -> Option<OrderReply> {
        self.driver.machine_mut().take_reply(ticket)
    }

    /// What became of an order, as soon as the server has dealt with it, within a minute.
    ///
    /// # Errors
    /// The connection is over, the server takes too long, or the answer was taken before.
    pub async fn wait(&mut self, ticket: OrderId) -> Result<OrderReply, PlayError> {
        self.drive_until(DEFAULT_TIMEOUT, |player| !player.driver.machine().is_waiting(ticket)).await?;
        self.try_reply(ticket).ok_or(PlayError::UnknownOrder)
    }

    /// Gives an order and awaits its answer.
    ///
    /// # Errors
    /// As [`order`](Self::order) and [`wait`](Self::wait).
    pub async fn perform<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderReply, PlayError> {
        let ticket = self.order(packet)?;
        self.wait(ticket).await
    }

    /// Takes until the world is so.
    ///
    /// # Errors
    /// The connection is over, or it did not become so in time.
    pub async fn wait_until(
        &mut self,
        most: Duration,
        is_so: impl Fn(&World) -> bool,
    ) -> Result<(), PlayError> {
        self.drive_until(most, |player| is_so(player.world())).await
    }

    /// Ends the turn and takes until the next one begins; its number.
    ///
    /// # Errors
    /// The connection is over, or there is no new turn in time.
    pub async fn next_turn(&mut self, most: Duration) -> Result<i16, PlayError> {
        let turn = self.world().turn();
        self.order(&orders::end_turn(self.world()))?;
        self.wait_until(most, |world| world.turn_started() > turn).await?;
        Ok(self.world().turn())
    }

    /// Calls `watch` with every packet of the server from now on, after the world has taken it.
    pub fn watch_packets(&mut self, watch: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.driver.machine_mut().on_packet(watch);
    }

    /// Leaves the server. Dropping the player does so, too.
    pub fn leave(&mut self) {
        self.driver.machine_mut().close();
    }

    /// What the driver of the socket did so far.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.driver.stats()
    }

    /// The machine beneath.
    #[must_use]
    pub const fn machine(&self) -> &play::Player {
        self.driver.machine()
    }

    async fn drive_until(&mut self, most: Duration, is_so: impl Fn(&Self) -> bool) -> Result<(), PlayError> {
        let driven = async {
            while !is_so(self) {
                if let Event::Closed(reason) = self.next_event().await? {
                    return Err(PlayError::Closed(reason));
                }
            }
            Ok(())
        };
        timeout(most, driven).await.unwrap_or(Err(PlayError::Timeout { after: most }))
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("machine", self.driver.machine()).finish_non_exhaustive()
    }
}
