use core::fmt;
use core::ops::{Deref, DerefMut};

use gamewire_net::Stats;
use gamewire_teeworlds::server::{Map, ServerConfig};

use crate::drive::MachineDriver;

/// A Teeworlds server, over either driver: see [`Server`](super::Server) and `tokio::Server`.
///
/// It dereferences to the machine, [`server::Server`](gamewire_teeworlds::server::Server): all of its
/// commands and getters are available here. Commands leave with the next update or await.
pub struct DrivenServer<D> {
    pub(super) driver: D,
}

impl<D: MachineDriver> DrivenServer<D> {
    /// Returns the port that the server listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.driver.port()
    }

    /// Returns the counters of the driver.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        self.driver.stats()
    }
}

impl<D: MachineDriver> Deref for DrivenServer<D> {
    type Target = D::Machine;

    fn deref(&self) -> &D::Machine {
        self.driver.machine()
    }
}

impl<D: MachineDriver> DerefMut for DrivenServer<D> {
    fn deref_mut(&mut self) -> &mut D::Machine {
        self.driver.machine_mut()
    }
}

impl<D: MachineDriver> fmt::Debug for DrivenServer<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("port", &self.port()).finish_non_exhaustive()
    }
}

/// The configuration of a server that only bots join: its map is a placeholder.
pub(super) fn default_config() -> ServerConfig {
    ServerConfig::new(crate::seed(), "gamewire", Map::new("gamewire", vec![0; 1000]))
}
