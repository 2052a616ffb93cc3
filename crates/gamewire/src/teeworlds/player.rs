use core::fmt;
use core::ops::{Deref, DerefMut};
use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Instant as Monotonic;

use gamewire_machine::Instant;
use gamewire_net::{Driver, Runtime, Stats};
use gamewire_teeworlds::client::{Client, CommandError, Event};
use gamewire_teeworlds::model::Audience;
use gamewire_teeworlds::{CloseReason, Offer};

use super::{PlayError, PlayerOptions};
use crate::system::any_port_for;

/// Time before the player reconnects. It limits the load of a server that always requests a reconnection.
const RECONNECT_DELAY: Duration = Duration::from_secs(2);
/// Maximum number of queued events. A further one displaces the oldest.
const MAX_EVENTS: usize = 1024;
/// Maximum time to enter the game.
pub(super) const JOIN_TIMEOUT: Duration = Duration::from_secs(60);

/// A player on a Teeworlds server, over either driver: see [`Player`](super::Player) and `tokio::Player`.
///
/// It dereferences to the machine, [`Client`]: all of its commands and getters are available here. Commands leave with
/// the next update or await. Dropping the player sends the queued bytes, but does not disconnect; call
/// [`disconnect`](Client::disconnect) for that.
pub struct DrivenPlayer<R: Runtime> {
    pub(super) driver: Driver<Client, R>,
    reconnects: bool,
    /// Time and port of the next reconnection.
    reconnect_at: Option<(Monotonic, Option<u16>)>,
    /// Other addresses of the server, until one has answered.
    alternatives: Vec<SocketAddr>,
    has_entered: bool,
    closed: Option<CloseReason>,
    events: VecDeque<Event>,
    #[cfg(feature = "map")]
    maps: Option<super::map_loader::MapLoader>,
}

impl<R: Runtime> DrivenPlayer<R> {
    /// Connects to a server at the first of its addresses that answers.
    pub(super) fn open(
        mut addresses: Vec<SocketAddr>,
        offer: Offer,
        options: PlayerOptions,
    ) -> Result<Self, PlayError> {
        let local = any_port_for(&mut addresses);
        addresses.reverse();
        let address = addresses.pop().unwrap_or(local);
        let client = Client::connect(address, options.config(offer), Instant::ZERO);
        #[cfg(feature = "map")]
        let maps = options.map_cache.map(|cache| super::map_loader::MapLoader::new(cache, options.rules));
        Ok(Self {
            #[cfg(feature = "map")]
            maps,
            driver: Driver::bind_with(local, client, options.driver)?,
            alternatives: addresses,
            reconnects: options.reconnects,
            reconnect_at: None,
            has_entered: false,
            closed: None,
            events: VecDeque::new(),
        })
    }

    /// Sends a line of chat to all players. [`Client::say`] sends to other audiences.
    ///
    /// # Errors
    /// The errors of [`Client::say`].
    pub fn say(&mut self, text: &str) -> Result<(), CommandError> {
        self.driver.machine_mut().say(Audience::All, text)
    }

    /// Returns whether the player is in the game.
    pub const fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// Returns the counters of the driver.
    pub fn stats(&self) -> &Stats {
        self.driver.stats()
    }

    /// Returns why the map of the server could not be used, if it could not. Predictions then do without it.
    #[cfg(feature = "map")]
    pub fn map_error(&self) -> Option<&str> {
        self.maps.as_ref().and_then(super::map_loader::MapLoader::error)
    }

    /// Updates the state after an event. Returns whether the application receives it.
    pub(super) fn on_event(&mut self, event: &Event) -> bool {
        #[cfg(feature = "map")]
        if let Some(maps) = &mut self.maps {
            maps.on_event(event, self.driver.machine_mut());
        }
        match event {
            Event::Closed(CloseReason::UnableToConnect) if self.try_next_address() => return false,
            Event::Connected { .. } => self.alternatives.clear(),
            Event::Entered => self.has_entered = true,
            Event::Reconnect if self.reconnects => self.schedule_reconnect(None),
            Event::Redirect { port } if self.reconnects => self.schedule_reconnect(Some(*port)),
            Event::Closed(reason) => {
                self.has_entered = false;
                if self.reconnects && *reason != CloseReason::Left {
                    self.schedule_reconnect(None);
                } else {
                    self.closed = Some(reason.clone());
                }
            }
            _ => {}
        }
        true
    }

    /// Connects to the next address of the server, if there is one.
    fn try_next_address(&mut self) -> bool {
        let Some(server) = self.alternatives.pop() else { return false };
        let now = self.driver.now();
        let client = self.driver.machine_mut();
        *client = Client::connect(server, client.config().clone(), now);
        true
    }

    /// Updates the state after an event, and queues the event.
    pub(super) fn queue_event(&mut self, event: Event) {
        if !self.on_event(&event) {
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

    /// Returns an error if the connection is closed and the player does not reconnect.
    pub(super) fn check_open(&self) -> Result<(), PlayError> {
        self.closed.as_ref().map_or(Ok(()), |reason| Err(PlayError::Closed(reason.clone())))
    }

    /// Returns the time to the next reconnection.
    pub(super) fn reconnect_after(&self) -> Option<Duration> {
        self.reconnect_at.map(|(at, _)| at.saturating_duration_since(Monotonic::now()))
    }

    /// Reconnects if the attempt is due.
    pub(super) fn reconnect_if_due(&mut self) {
        let Some((_, port)) = self.reconnect_at.take_if(|(at, _)| *at <= Monotonic::now()) else { return };
        self.has_entered = false;
        let now = self.driver.now();
        let client = self.driver.machine_mut();
        if client.reconnect(port).is_err() {
            // A closed machine stays closed, so replace it.
            let mut server = client.server();
            server.set_port(port.unwrap_or_else(|| server.port()));
            let mut config = client.config().clone();
            config.seed = crate::seed();
            *client = Client::connect(server, config, now);
        }
    }

    fn schedule_reconnect(&mut self, port: Option<u16>) {
        let (at, earlier) = match self.reconnect_at {
            Some((at, earlier)) => (Some(at), earlier),
            None => (Monotonic::now().checked_add(RECONNECT_DELAY), None),
        };
        // The port of a redirection counts in either order, and a close does not replace it.
        self.reconnect_at = at.map(|at| (at, port.or(earlier)));
    }
}

impl<R: Runtime> Deref for DrivenPlayer<R> {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.driver.machine()
    }
}

impl<R: Runtime> DerefMut for DrivenPlayer<R> {
    fn deref_mut(&mut self) -> &mut Client {
        self.driver.machine_mut()
    }
}

impl<R: Runtime> fmt::Debug for DrivenPlayer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("client", self.driver.machine()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teeworlds::{Dialect, Player};

    #[test]
    fn every_address_of_a_server_is_tried() {
        use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
        let local = SocketAddr::from(([127, 0, 0, 1], 0));
        let config = ServerConfig::new([3; 32], "test", Map::new("dm1", vec![9; 5000]));
        let server = Server::new(config, WalkingGame::default(), Instant::ZERO);
        let mut server = gamewire_net::blocking::Driver::bind(local, server).unwrap();
        let silent = std::net::UdpSocket::bind(local).unwrap().local_addr().unwrap();
        let addresses = vec![silent, server.local_addr()];
        let options = PlayerOptions::new("anna");
        let mut player: Player = DrivenPlayer::open(addresses, Dialect::V07.into(), options).unwrap();
        let begin = Monotonic::now();
        while !player.has_entered() {
            player.update().unwrap();
            drop(server.update().unwrap());
            assert!(begin.elapsed() < Duration::from_secs(120));
            server.wait(Duration::from_millis(1)).unwrap();
        }
    }

    #[test]
    fn a_redirection_sets_the_port_before_and_after_a_reconnect() {
        let server = SocketAddr::from(([127, 0, 0, 1], 8303));
        let [reconnect, redirect] = [Event::Reconnect, Event::Redirect { port: 8304 }];
        let close = Event::Closed(CloseReason::Timeout);
        for events in [[&reconnect, &redirect, &close], [&redirect, &reconnect, &close]] {
            let options = PlayerOptions { reconnects: true, ..PlayerOptions::new("anna") };
            let mut player: Player = DrivenPlayer::open(vec![server], Dialect::V07.into(), options).unwrap();
            assert!(events.into_iter().all(|event| player.on_event(event)));
            assert_eq!(player.reconnect_at.and_then(|(_, port)| port), Some(8304), "{events:?}");
        }
    }
}
