use core::fmt;
use core::ops::{Deref, DerefMut};
use std::net::{Ipv4Addr, SocketAddr};

use gamewire_machine::Instant;
use gamewire_net::{Driver, OpenError, Runtime, Stats};
use gamewire_teeworlds::server::{GameLogic, Map, Server, ServerConfig};

/// A Teeworlds server, over either driver: see [`Server`](super::Server) and `tokio::Server`.
///
/// It dereferences to the machine, [`server::Server`](gamewire_teeworlds::server::Server): all of its
/// commands and getters are available here. Commands leave with the next update or await.
pub struct DrivenServer<G: GameLogic, R: Runtime> {
    pub(super) driver: Driver<Server<G>, R>,
}

impl<G: GameLogic, R: Runtime> DrivenServer<G, R> {
    /// Hosts `game` on a port of all IPv4 addresses. Port 0 selects a free port. The server has no map that the games
    /// could show, so only bots can join: [`start_with`](Self::start_with) accepts a map.
    ///
    /// # Errors
    /// [`OpenError`] if the system cannot open the socket.
    pub fn start(port: u16, game: G) -> Result<Self, OpenError> {
        Self::start_with((Ipv4Addr::UNSPECIFIED, port).into(), default_config(), game)
    }

    /// Hosts `game` at an address, with a configuration.
    ///
    /// # Errors
    /// [`OpenError`] if the system cannot open the socket.
    pub fn start_with(local: SocketAddr, config: ServerConfig, game: G) -> Result<Self, OpenError> {
        Ok(Self { driver: Driver::bind(local, Server::new(config, game, Instant::ZERO))? })
    }

    /// Returns the port that the server listens on.
    pub fn port(&self) -> u16 {
        self.driver.local_addr().port()
    }

    /// Returns the counters of the driver.
    pub fn stats(&self) -> &Stats {
        self.driver.stats()
    }
}

impl<G: GameLogic, R: Runtime> Deref for DrivenServer<G, R> {
    type Target = Server<G>;

    fn deref(&self) -> &Server<G> {
        self.driver.machine()
    }
}

impl<G: GameLogic, R: Runtime> DerefMut for DrivenServer<G, R> {
    fn deref_mut(&mut self) -> &mut Server<G> {
        self.driver.machine_mut()
    }
}

impl<G: GameLogic, R: Runtime> fmt::Debug for DrivenServer<G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("port", &self.port()).finish_non_exhaustive()
    }
}

/// Returns the configuration of a server that only bots join. Its map is a placeholder.
fn default_config() -> ServerConfig {
    ServerConfig::new(crate::seed(), "gamewire", Map::new("gamewire", vec![0; 1000]))
}
