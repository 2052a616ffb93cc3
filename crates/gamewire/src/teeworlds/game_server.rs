use core::fmt;
use core::ops::{Deref, DerefMut};

use gamewire_net::{Driver, Runtime, Stats};
use gamewire_teeworlds::server::{GameLogic, Map, Server, ServerConfig};

/// A Teeworlds server, over either driver: see [`Server`](super::Server) and `tokio::Server`.
///
/// It dereferences to the machine, [`server::Server`](gamewire_teeworlds::server::Server): all of its
/// commands and getters are available here. Commands leave with the next update or await.
pub struct DrivenServer<G: GameLogic, R: Runtime> {
    pub(super) driver: Driver<Server<G>, R>,
}

impl<G: GameLogic, R: Runtime> DrivenServer<G, R> {
    /// Returns the port that the server listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.driver.local_addr().port()
    }

    /// Returns the counters of the driver.
    #[must_use]
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

/// The configuration of a server that only bots join: its map is a placeholder.
pub(super) fn default_config() -> ServerConfig {
    ServerConfig::new(crate::seed(), "gamewire", Map::new("gamewire", vec![0; 1000]))
}
