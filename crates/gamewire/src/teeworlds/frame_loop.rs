use core::time::Duration;
use std::collections::vec_deque::Drain;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Instant as Monotonic;

use gamewire_net::blocking::{Blocking, Driver};
use gamewire_teeworlds::Offer;
use gamewire_teeworlds::client::Event;
use gamewire_teeworlds::server::{self, GameLogic};

use super::detection::{Detection, browser};
use super::game_server::DrivenServer;
use super::options::{addresses, host_and_port};
use super::player::{DrivenPlayer, JOIN_TIMEOUT};
use super::{PlayError, PlayerOptions};

/// A player for a program with a frame loop: call `update` once per frame.
pub type Player = DrivenPlayer<Blocking>;

/// A server for a program with a frame loop: call `update` once per frame.
pub type Server<G> = DrivenServer<G, Blocking>;

impl Player {
    /// Joins a server under a name: `host`, `host:port`, or an address. Blocks until the player is in
    /// the game, for at most a minute.
    ///
    /// # Errors
    /// Any [`PlayError`].
    pub fn join(server: &str, name: &str) -> Result<Self, PlayError> {
        Self::join_with(server, PlayerOptions::new(name))
    }

    /// Joins a server with options. Blocks until the player is in the game, for at most a minute.
    ///
    /// # Errors
    /// Any [`PlayError`].
    pub fn join_with(server: &str, options: PlayerOptions) -> Result<Self, PlayError> {
        let mut player = Self::connect_with(server, options)?;
        let begin = Monotonic::now();
        while !player.has_entered() {
            player.update()?;
            let left = JOIN_TIMEOUT.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(PlayError::Timeout { after: JOIN_TIMEOUT });
            }
            player.wait(left)?;
        }
        Ok(player)
    }

    /// Begins to join a server. Blocks while the name is resolved. Without an offer in the options, also blocks for at
    /// most 3 s to query the server's version.
    ///
    /// # Errors
    /// [`PlayError::Resolve`], [`PlayError::NoAnswer`], [`PlayError::Open`] or [`PlayError::Io`].
    pub fn connect_with(server: &str, options: PlayerOptions) -> Result<Self, PlayError> {
        let addresses = addresses(server, host_and_port(server)?.to_socket_addrs())?;
        match options.offer {
            Some(offer) => Self::open(addresses, offer, options),
            None => {
                let (address, offer) = detect(server, &addresses)?;
                Self::open(vec![address], offer, options)
            }
        }
    }

    /// Receives, fires timers and sends. Never blocks.
    ///
    /// # Errors
    /// [`PlayError::Closed`] if the connection is closed and the player does not reconnect; its last events can still
    /// be polled. [`PlayError::Io`] if the socket no longer works.
    pub fn update(&mut self) -> Result<(), PlayError> {
        self.reconnect_if_due();
        let events: Vec<Event> = self.driver.update()?.collect();
        events.into_iter().for_each(|event| self.queue_event(event));
        self.check_open()
    }

    /// Returns the next event. The queue holds at most 1024 events; a further one displaces the oldest.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.pop_event()
    }

    /// Sends the queued bytes and blocks until `update` has work, for at most `timeout`. It may return early.
    ///
    /// # Errors
    /// [`PlayError::Io`] if the system cannot wait for the socket.
    pub fn wait(&mut self, timeout: Duration) -> Result<(), PlayError> {
        let timeout = self.reconnect_after().map_or(timeout, |after| after.min(timeout));
        Ok(self.driver.wait(timeout)?)
    }
}

impl<G: GameLogic> Server<G> {
    /// Receives, plays the ticks that are due and sends. Never blocks. Returns the events; the caller loses the events
    /// that it does not take from the iterator.
    ///
    /// # Errors
    /// [`io::Error`] if the socket no longer works.
    pub fn update(&mut self) -> io::Result<Drain<'_, server::Event>> {
        self.driver.update()
    }

    /// Sends the queued bytes and blocks until `update` has work, for at most `timeout`. It may return early.
    ///
    /// # Errors
    /// [`io::Error`] if the system cannot wait for the socket.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        self.driver.wait(timeout)
    }
}

fn detect(server: &str, addresses: &[SocketAddr]) -> Result<(SocketAddr, Offer), PlayError> {
    let (local, browser) = browser(addresses);
    let mut driver = Driver::bind(local, browser)?;
    let mut detection = Detection::new();
    while let Some(left) = detection.time_left() {
        if let Some(event) = driver.next_event(left)? {
            detection.on_event(&event);
        }
    }
    detection.answer().ok_or_else(|| PlayError::NoAnswer { server: server.to_owned() })
}
