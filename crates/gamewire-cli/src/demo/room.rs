use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};
use gamewire_riptide::server::{RelayFilter, Server, ServerConfig};

use crate::end::Failure;

/// A Riptide server that relays all messages of its clients.
pub(super) struct Room {
    host: Driver<Server>,
}

impl Room {
    /// Opens a server with `places` slots on a free port.
    pub(super) fn open(local: SocketAddr, places: u16, settings: DriverConfig) -> Result<Self, Failure> {
        let mut config = ServerConfig::new(places);
        config.relay_filter = (0..=u16::MAX).collect::<RelayFilter>();
        let server = Server::new(config, Instant::ZERO);
        let host = Driver::listen_with(local, Transports::UdpAndTcp, server, settings).map_err(|error| {
            Failure::Failed(format!("cannot open the sockets of the Riptide server: {error}"))
        })?;
        Ok(Self { host })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.host.local_addr()
    }

    /// Handles all pending events.
    pub(super) fn play(&mut self) -> Result<(), Failure> {
        self.host
            .update()
            .map(drop)
            .map_err(|error| Failure::Failed(format!("the Riptide server's sockets failed: {error}")))
    }

    /// Stops the server and disconnects its clients.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        self.host.machine_mut().stop();
        self.play()
    }
}
