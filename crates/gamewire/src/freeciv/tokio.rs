//! The player for programs on tokio. Its constructors panic outside of a runtime with I/O and time.

use core::time::Duration;

use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::play::{Event, OrderId, OrderReply};
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_freeciv::world::World;
use gamewire_net::DriverConfig;
use gamewire_net::tokio::{Driver, Tokio};
use tokio::net::{ToSocketAddrs, lookup_host};
use tokio::time::timeout;

use super::error::{DEFAULT_TIMEOUT, PlayError};
use super::player::{DrivenPlayer, machine};
use crate::system::at_least_one;

/// A player for a program on tokio.
///
/// It spawns no task: the program drives it by awaiting its functions. It replies to pings only during that time, so
/// keep awaiting `next_event` while there is nothing else to do.
pub type Player = DrivenPlayer<Tokio>;

impl Player {
    /// Joins a server under a name. Waits until the server has sent its rules, for at most a minute.
    ///
    /// # Errors
    /// [`PlayError::Resolve`], [`PlayError::Open`], [`PlayError::Closed`] or [`PlayError::Timeout`].
    pub async fn join(server: impl ToSocketAddrs, name: &str) -> Result<Self, PlayError> {
        Self::join_with(server, ClientConfig::new(name), DriverConfig::default()).await
    }

    /// Joins a server with a configuration. Every address of a name is tried in turn. Waits until the server has sent its
    /// rules, for at most a minute.
    ///
    /// # Errors
    /// [`PlayError::Resolve`], [`PlayError::Open`], [`PlayError::Closed`], [`PlayError::Timeout`], or
    /// [`PlayError::Send`] if the name or the capabilities are too long.
    pub async fn join_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        settings: DriverConfig,
    ) -> Result<Self, PlayError> {
        let servers = lookup_host(server).await.and_then(at_least_one).map_err(PlayError::Resolve)?;
        let driver = Driver::connect_any(&servers, DEFAULT_TIMEOUT, machine(config)?, settings).await?;
        let mut player = Self::new(driver);
        player.drive_until(DEFAULT_TIMEOUT, |player| player.machine().is_ready()).await?;
        Ok(player)
    }

    /// Waits for the next event, and drives the player meanwhile. It is cancel-safe.
    ///
    /// # Errors
    /// [`PlayError::Closed`] after the last event; [`PlayError::Io`] if the socket no longer works.
    pub async fn next_event(&mut self) -> Result<Event, PlayError> {
        self.check_open()?;
        let event = self.driver.next_event().await?;
        self.on_event(&event);
        Ok(event)
    }

    /// Waits until the server has processed an order, for at most a minute.
    ///
    /// # Errors
    /// [`PlayError::Closed`], [`PlayError::Timeout`], or [`PlayError::UnknownOrder`] if the reply was
    /// taken before.
    pub async fn wait(&mut self, order: OrderId) -> Result<OrderReply, PlayError> {
        self.drive_until(DEFAULT_TIMEOUT, |player| !player.machine().is_waiting(order)).await?;
        self.try_reply(order).ok_or(PlayError::UnknownOrder)
    }

    /// Sends an order and waits for its reply.
    ///
    /// # Errors
    /// The errors of [`order`](Self::order) and [`wait`](Self::wait).
    pub async fn perform<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderReply, PlayError> {
        let order = self.order(packet)?;
        self.wait(order).await
    }

    /// Waits until the world meets a condition.
    ///
    /// # Errors
    /// [`PlayError::Closed`] or [`PlayError::Timeout`].
    pub async fn wait_until(
        &mut self,
        timeout: Duration,
        condition: impl Fn(&World) -> bool,
    ) -> Result<(), PlayError> {
        self.drive_until(timeout, |player| condition(player.world())).await
    }

    /// Ends the turn, waits until the next one begins and returns its number.
    ///
    /// # Errors
    /// [`PlayError::Ended`] if the game has ended or the nation was destroyed, [`PlayError::Closed`] or
    /// [`PlayError::Timeout`].
    pub async fn next_turn(&mut self, timeout: Duration) -> Result<i16, PlayError> {
        let turn = self.world().turn();
        self.order(&orders::end_turn(self.world()))?;
        self.wait_until(timeout, |world| world.turn_started() > turn || world.ending().is_some()).await?;
        match self.world().ending() {
            None => Ok(self.world().turn()),
            Some(ending) => Err(PlayError::Ended(ending)),
        }
    }

    async fn drive_until(
        &mut self,
        most: Duration,
        is_done: impl Fn(&Self) -> bool,
    ) -> Result<(), PlayError> {
        let driven = async {
            while !is_done(self) {
                self.next_event().await?;
                self.check_open()?;
            }
            Ok(())
        };
        timeout(most, driven).await.unwrap_or(Err(PlayError::Timeout { after: most }))
    }
}
