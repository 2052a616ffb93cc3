use core::time::Duration;
use std::net::ToSocketAddrs;
use std::time::Instant as Monotonic;

use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::play::{Event, OrderId, OrderReply};
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_freeciv::world::World;
use gamewire_net::DriverConfig;
use gamewire_net::blocking::{Blocking, Driver};

use super::error::{DEFAULT_TIMEOUT, PlayError};
use super::player::{DrivenPlayer, machine};
use crate::system::at_least_one;

/// A player for a program with a frame loop, or for a sequential program.
///
/// In a frame loop, call `update` once per frame; it never blocks. Functions that are documented to block drive the
/// player meanwhile. A program may have several players.
pub type Player = DrivenPlayer<Blocking>;

impl Player {
    /// Joins a server under a name. Blocks until the server has sent its rules, for at most a minute.
    ///
    /// # Errors
    /// [`PlayError::Resolve`], [`PlayError::Open`], [`PlayError::Closed`] or [`PlayError::Timeout`].
    pub fn join(server: impl ToSocketAddrs, name: &str) -> Result<Self, PlayError> {
        let mut player = Self::connect(server, name)?;
        player.wait_until_ready()?;
        Ok(player)
    }

    /// Begins to join a server under a name. Blocks only until the stream is open. Continue with
    /// [`wait_until_ready`](Self::wait_until_ready), or with `update` until [`Event::Ready`].
    ///
    /// # Errors
    /// [`PlayError::Resolve`] or [`PlayError::Open`].
    pub fn connect(server: impl ToSocketAddrs, name: &str) -> Result<Self, PlayError> {
        Self::connect_with(server, ClientConfig::new(name), DriverConfig::default())
    }

    /// Begins to join a server with a configuration. Blocks only until the stream is open. Every address of a name is
    /// tried in turn.
    ///
    /// # Errors
    /// [`PlayError::Resolve`], [`PlayError::Open`], or [`PlayError::Send`] if the name or the capabilities are too
    /// long.
    pub fn connect_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        settings: DriverConfig,
    ) -> Result<Self, PlayError> {
        let servers = server.to_socket_addrs().and_then(at_least_one).map_err(PlayError::Resolve)?;
        let driver = Driver::connect_any(&servers, DEFAULT_TIMEOUT, machine(config)?, settings)?;
        Ok(Self::new(driver))
    }

    /// Blocks until the server has sent its rules, for at most a minute.
    ///
    /// # Errors
    /// [`PlayError::Closed`] or [`PlayError::Timeout`].
    pub fn wait_until_ready(&mut self) -> Result<(), PlayError> {
        self.drive_until(DEFAULT_TIMEOUT, |player| player.machine().is_ready())
    }

    /// Receives, replies to pings and sends. Never blocks.
    ///
    /// # Errors
    /// [`PlayError::Closed`] after the connection has closed; [`PlayError::Io`] if the socket no longer works.
    pub fn update(&mut self) -> Result<(), PlayError> {
        let events: Vec<Event> = self.driver.update()?.collect();
        events.into_iter().for_each(|event| self.queue_event(event));
        self.check_open()
    }

    /// Returns the next event, except [`Event::Updated`] and [`Event::OrderFinished`]: see [`changes`](Self::changes)
    /// and [`try_reply`](Self::try_reply). The queue holds at most 1024 events; a further one displaces the oldest.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.pop_event()
    }

    /// Blocks until the server has processed an order, for at most a minute.
    ///
    /// # Errors
    /// [`PlayError::Closed`], [`PlayError::Timeout`], or [`PlayError::UnknownOrder`] if the reply was
    /// taken before.
    pub fn wait_for_reply(&mut self, order: OrderId) -> Result<OrderReply, PlayError> {
        self.drive_until(DEFAULT_TIMEOUT, |player| !player.machine().is_waiting(order))?;
        self.try_reply(order).ok_or(PlayError::UnknownOrder)
    }

    /// Sends an order and blocks until the server has processed it.
    ///
    /// # Errors
    /// The errors of [`order`](Self::order) and [`wait_for_reply`](Self::wait_for_reply).
    pub fn perform<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderReply, PlayError> {
        let order = self.order(packet)?;
        self.wait_for_reply(order)
    }

    /// Blocks until the world meets a condition.
    ///
    /// # Errors
    /// [`PlayError::Closed`] or [`PlayError::Timeout`].
    pub fn wait_until(
        &mut self,
        timeout: Duration,
        condition: impl Fn(&World) -> bool,
    ) -> Result<(), PlayError> {
        self.drive_until(timeout, |player| condition(player.world()))
    }

    /// Ends the turn, blocks until the next one begins and returns its number.
    ///
    /// # Errors
    /// [`PlayError::Ended`] if the game has ended or the nation was destroyed, [`PlayError::Closed`] or
    /// [`PlayError::Timeout`].
    pub fn next_turn(&mut self, timeout: Duration) -> Result<i16, PlayError> {
        let turn = self.world().turn();
        self.order(&orders::end_turn(self.world()))?;
        self.wait_until(timeout, |world| world.turn_started() > turn || world.ending().is_some())?;
        match self.world().ending() {
            None => Ok(self.world().turn()),
            Some(ending) => Err(PlayError::Ended(ending)),
        }
    }

    /// Sends the queued bytes and blocks until `update` has work, for at most `timeout`. It may return early.
    ///
    /// # Errors
    /// [`PlayError::Io`] if the system cannot wait for the socket.
    pub fn sleep(&mut self, timeout: Duration) -> Result<(), PlayError> {
        Ok(self.driver.wait(timeout)?)
    }

    fn drive_until(&mut self, timeout: Duration, is_done: impl Fn(&Self) -> bool) -> Result<(), PlayError> {
        let begin = Monotonic::now();
        loop {
            self.update()?;
            if is_done(self) {
                return Ok(());
            }
            let left = timeout.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(PlayError::Timeout { after: timeout });
            }
            self.sleep(left)?;
        }
    }
}
