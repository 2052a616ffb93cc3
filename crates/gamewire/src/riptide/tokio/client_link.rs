use std::io;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_net::Stats;
use gamewire_net::tokio::{Driver, StreamDriver};
use gamewire_riptide::client::{Client, ClientConfig, Event};

use crate::riptide::places::{ClientTransport, any_port};
use crate::riptide::{ConnectError, ConnectOptions};

/// What carries a client's packets.
pub(super) enum ClientLink {
    Udp(Box<Driver<Client>>),
    Tcp(Box<StreamDriver<Client>>),
}

impl ClientLink {
    pub(super) async fn connect(
        server: SocketAddr,
        config: &ClientConfig,
        via: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        let ConnectOptions { transport, settings } = via;
        Ok(match transport {
            ClientTransport::Udp => {
                let machine = Client::connect(config, server, Instant::ZERO)?;
                Self::Udp(Box::new(Driver::bind_with(any_port(server), machine, settings)?))
            }
            ClientTransport::Tcp { timeout } => {
                let machine = Client::connect_over_transport(config, Instant::ZERO)?;
                Self::Tcp(Box::new(StreamDriver::connect_with(server, timeout, machine, settings).await?))
            }
        })
    }

    pub(super) async fn next_event(&mut self) -> io::Result<Event> {
        match self {
            Self::Udp(driver) => driver.next_event().await,
            Self::Tcp(driver) => driver.next_event().await,
        }
    }

    pub(super) const fn machine(&self) -> &Client {
        match self {
            Self::Udp(driver) => driver.machine(),
            Self::Tcp(driver) => driver.machine(),
        }
    }

    pub(super) fn machine_mut(&mut self) -> &mut Client {
        match self {
            Self::Udp(driver) => driver.machine_mut(),
            Self::Tcp(driver) => driver.machine_mut(),
        }
    }

    pub(super) const fn stats(&self) -> &Stats {
        match self {
            Self::Udp(driver) => driver.stats(),
            Self::Tcp(driver) => driver.stats(),
        }
    }
}
