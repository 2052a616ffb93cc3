use core::fmt;
use core::time::Duration;
use std::collections::VecDeque;
use std::net::ToSocketAddrs;
use std::time::Instant as Monotonic;

use gamewire_freeciv::orders;
use gamewire_freeciv::play::{self, Event, OrderId, OrderReply};
use gamewire_freeciv::session::client::{ClientConfig, CloseReason};
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::v30::Packet;
use gamewire_freeciv::world::{Change, World};
use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Stats};

use super::error::{DEFAULT_TIMEOUT, PlayError, resolve};

/// A player for a program with a frame loop, or for one that does a thing after the other.
///
/// In a frame loop, call [`update`](Self::update) once a frame; it never blocks. Functions that say
/// so block, and drive the player meanwhile. Several players may be in one program.
pub struct Player {
    driver: Driver<play::Player>,
    events: VecDeque<Event>,
    over: Option<CloseReason>,
}

impl Player {
    /// Joins a server under a name. Blocks until the server has told its rules, for at most a minute.
    ///
    /// # Errors
    /// There is no such server, it does not let the player in, or not in time.
    pub fn join(server: impl ToSocketAddrs, name: &str) -> Result<Self, PlayError> {
        let mut player = Self::connect(server, name)?;
        player.wait_until_ready()?;
        Ok(player)
    }

    /// Begins to join a server under a name: blocks until there is a stream, and no longer.
    /// [`wait_until_ready`](Self::wait_until_ready) does the rest, or [`update`](Self::update) until
    /// there is [`Event::Ready`].
    ///
    /// # Errors
    /// There is no such server.
    pub fn connect(server: impl ToSocketAddrs, name: &str) -> Result<Self, PlayError> {
        Self::connect_with(server, ClientConfig::new(Definition::v30(), name), DriverConfig::default())
    }

    /// [`connect`](Self::connect) with all that can be chosen.
    ///
    /// # Errors
    /// There is no such server, or the name or the capabilities are too long.
    pub fn connect_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        settings: DriverConfig,
    ) -> Result<Self, PlayError> {
        let machine = play::Player::new(config, Instant::ZERO)?;
        let driver = Driver::connect_with(resolve(server)?, DEFAULT_TIMEOUT, machine, settings)?;
        Ok(Self { driver, events: VecDeque::new(), over: None })
    }

    /// Blocks until the server has told its rules, for at most a minute.
    ///
    /// # Errors
    /// The server does not let the player in, or not in time.
    pub fn wait_until_ready(&mut self) -> Result<(), PlayError> {
        let is_ready = self.drive_until(DEFAULT_TIMEOUT, |player| player.driver.machine().is_ready())?;
        if is_ready { Ok(()) } else { Err(PlayError::Timeout { after: DEFAULT_TIMEOUT }) }
    }

    /// Does all that there is to do and never blocks: reads what has come, answers pings, sends.
    ///
    /// # Errors
    /// The connection is over, or the socket no longer works.
    pub fn update(&mut self) -> Result<(), PlayError> {
        self.drain_events()?;
        match &self.over {
            Some(reason) => Err(PlayError::Closed(reason.clone())),
            None => Ok(()),
        }
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

    /// The next event that happened. [`Event::Updated`] and [`Event::Answered`] are not among them:
    /// see [`changes`](Self::changes) and [`answer`](Self::answer).
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Gives an order, which leaves with the next update or wait: any packet of a client.
    /// [`orders`] make them.
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

    /// Blocks until the server has dealt with an order, for at most a minute.
    ///
    /// # Errors
    /// The connection is over, the server takes too long, or the answer was taken before.
    pub fn wait_for_reply(&mut self, ticket: OrderId) -> Result<OrderReply, PlayError> {
        let is_answered =
            self.drive_until(DEFAULT_TIMEOUT, |player| !player.driver.machine().is_waiting(ticket))?;
        if !is_answered {
            return Err(PlayError::Timeout { after: DEFAULT_TIMEOUT });
        }
        self.try_reply(ticket).ok_or(PlayError::UnknownOrder)
    }

    /// Gives an order and blocks until the server has dealt with it.
    ///
    /// # Errors
    /// As [`order`](Self::order) and [`wait`](Self::wait).
    pub fn perform<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderReply, PlayError> {
        let ticket = self.order(packet)?;
        self.wait_for_reply(ticket)
    }

    /// Blocks until the world is so.
    ///
    /// # Errors
    /// The connection is over, or it did not become so in time.
    pub fn wait_until(
        &mut self,
        most: Duration,
        condition: impl Fn(&World) -> bool,
    ) -> Result<(), PlayError> {
        match self.drive_until(most, |player| condition(player.world()))? {
            true => Ok(()),
            false => Err(PlayError::Timeout { after: most }),
        }
    }

    /// Ends the turn and blocks until the next one begins; its number.
    ///
    /// # Errors
    /// The connection is over, or there is no new turn in time.
    pub fn next_turn(&mut self, most: Duration) -> Result<i16, PlayError> {
        let turn = self.world().turn();
        self.order(&orders::end_turn(self.world()))?;
        self.wait_until(most, |world| world.turn_started() > turn)?;
        Ok(self.world().turn())
    }

    /// Calls `watch` with every packet of the server from now on, after the world has taken it.
    pub fn watch_packets(&mut self, watch: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.driver.machine_mut().on_packet(watch);
    }

    /// Sends what is left and blocks until there is something for [`update`](Self::update) to do,
    /// or until `most` has passed. It may return early.
    ///
    /// # Errors
    /// The system cannot wait for the socket.
    pub fn sleep(&mut self, most: Duration) -> Result<(), PlayError> {
        Ok(self.driver.wait(Monotonic::now().checked_add(most).unwrap_or_else(Monotonic::now))?)
    }

    /// Leaves the server. Dropping the player does so, too, without an [`Event::Closed`].
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

    /// Drives the player until something is so; false if it is not in time.
    fn drive_until(&mut self, most: Duration, is_so: impl Fn(&Self) -> bool) -> Result<bool, PlayError> {
        let begin = Monotonic::now();
        loop {
            self.update()?;
            if is_so(self) {
                return Ok(true);
            }
            let Some(left) = most.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) else {
                return Ok(false);
            };
            self.sleep(left)?;
        }
    }

    fn drain_events(&mut self) -> Result<(), PlayError> {
        for event in self.driver.update()? {
            match event {
                Event::Updated | Event::OrderFinished(_) => {}
                Event::Closed(reason) => {
                    self.over = Some(reason.clone());
                    self.events.push_back(Event::Closed(reason));
                }
                event => self.events.push_back(event),
            }
            // Nobody needs to poll.
            if self.events.len() > MAX_EVENTS {
                self.events.pop_front();
            }
        }
        Ok(())
    }
}

/// So many events wait for somebody to take them; then the oldest goes.
const MAX_EVENTS: usize = 1024;

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("machine", self.driver.machine()).finish_non_exhaustive()
    }
}
