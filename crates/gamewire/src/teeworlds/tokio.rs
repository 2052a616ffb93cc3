//! Player and server for programs on tokio. Their constructors panic outside of a runtime with I/O and time.

use std::io;
use std::net::SocketAddr;

use gamewire_net::tokio::{Driver, Tokio};
use gamewire_teeworlds::Offer;
use gamewire_teeworlds::client::Event;
use gamewire_teeworlds::server::{self, GameLogic};
use tokio::net::lookup_host;
use tokio::time::timeout;

use super::detection::{Detection, browser};
use super::game_server::DrivenServer;
use super::options::{addresses, host_and_port};
use super::player::{DrivenPlayer, JOIN_TIMEOUT};
use super::{PlayError, PlayerOptions};

/// A player for a program on tokio: keep awaiting `next_event`.
///
/// It spawns no task: the program drives it by awaiting its functions.
pub type Player = DrivenPlayer<Tokio>;

/// A server for a program on tokio: keep awaiting `next_event`.
///
/// It spawns no task: it plays the game while `next_event` is awaited.
pub type Server<G> = DrivenServer<G, Tokio>;

impl Player {
    /// Joins a server under a name: `host`, `host:port`, or an address. Waits until the player is in the game, for at
    /// most a minute.
    ///
    /// # Errors
    /// Any [`PlayError`].
    pub async fn join(server: &str, name: &str) -> Result<Self, PlayError> {
        Self::join_with(server, PlayerOptions::new(name)).await
    }

    /// Joins a server with options. Waits until the player is in the game, for at most a minute.
    ///
    /// # Errors
    /// Any [`PlayError`].
    pub async fn join_with(server: &str, options: PlayerOptions) -> Result<Self, PlayError> {
        let mut player = Self::connect_with(server, options).await?;
        let entered = async {
            while !player.has_entered() {
                let event = player.receive().await?;
                player.queue_event(event);
                player.check_open()?;
            }
            Ok(())
        };
        timeout(JOIN_TIMEOUT, entered).await.unwrap_or(Err(PlayError::Timeout { after: JOIN_TIMEOUT }))?;
        Ok(player)
    }

    /// Begins to join a server: resolves the name and, without an offer in the options, queries the server's version
    /// for at most 3 s.
    ///
    /// # Errors
    /// [`PlayError::Resolve`], [`PlayError::NoAnswer`], [`PlayError::Open`] or [`PlayError::Io`].
    pub async fn connect_with(server: &str, options: PlayerOptions) -> Result<Self, PlayError> {
        let addresses = addresses(server, lookup_host(host_and_port(server)?).await)?;
        match options.offer {
            Some(offer) => Self::open(addresses, offer, options),
            None => {
                let (address, offer) = detect(server, &addresses).await?;
                Self::open(vec![address], offer, options)
            }
        }
    }

    /// Waits for the next event, and drives the player meanwhile.
    ///
    /// It is cancel-safe: the future may be dropped at any await, as in `select!`, without losing an event.
    ///
    /// # Errors
    /// [`PlayError::Closed`] after the last event, if the player does not reconnect. [`PlayError::Io`] if the socket no
    /// longer works.
    pub async fn next_event(&mut self) -> Result<Event, PlayError> {
        if let Some(event) = self.pop_event() {
            return Ok(event);
        }
        self.check_open()?;
        loop {
            let event = self.receive().await?;
            if self.on_event(&event) {
                return Ok(event);
            }
        }
    }

    /// Drives the machine until it has an event, and reconnects when it is time.
    async fn receive(&mut self) -> io::Result<Event> {
        loop {
            let Some(after) = self.reconnect_after() else { return self.driver.next_event().await };
            if let Ok(event) = timeout(after, self.driver.next_event()).await {
                return event;
            }
            self.reconnect_if_due();
        }
    }
}

impl<G: GameLogic> Server<G> {
    /// Waits for the next event, and plays the game meanwhile. It is cancel-safe.
    ///
    /// # Errors
    /// [`io::Error`] if the socket no longer works.
    pub async fn next_event(&mut self) -> io::Result<server::Event> {
        self.driver.next_event().await
    }
}

async fn detect(server: &str, addresses: &[SocketAddr]) -> Result<(SocketAddr, Offer), PlayError> {
    let (local, browser) = browser(addresses);
    let mut driver = Driver::bind(local, browser)?;
    let mut detection = Detection::new();
    while let Some(left) = detection.time_left() {
        if let Ok(event) = timeout(left, driver.next_event()).await {
            detection.on_event(&event?);
        }
    }
    detection.answer().ok_or_else(|| PlayError::NoAnswer { server: server.to_owned() })
}
