use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_net::Stats;
use gamewire_net::blocking::Driver;
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig, Event};

use super::carried::{TransportClient, TransportDriver};
use super::clock::deadline;
use crate::riptide::places::{ClientTransport, any_port};
use crate::riptide::{ConnectError, ConnectOptions, Transport};

/// The driver or transport of a client.
pub(super) enum ClientLink {
    Sockets(Box<Driver<Client>>),
    Own(Box<TransportDriver<TransportClient>>),
}

impl ClientLink {
    pub(super) fn connect(
        server: SocketAddr,
        config: &ClientConfig,
        via: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        let ConnectOptions { transport, settings } = via;
        let driver = match transport {
            ClientTransport::Udp => {
                let machine = Client::connect(config, server, Instant::ZERO)?;
                Driver::bind_with(any_port(server), machine, settings)?
            }
            ClientTransport::Tcp { timeout } => {
                let machine = Client::connect_over_transport(config, Instant::ZERO)?;
                Driver::connect_with(server, timeout, machine, settings)?
            }
        };
        Ok(Self::Sockets(Box::new(driver)))
    }

    pub(super) fn over(
        config: &ClientConfig,
        transport: Box<dyn Transport + Send>,
        server: u64,
    ) -> Result<Self, SendError> {
        let client = Client::connect_over_transport(config, Instant::ZERO)?;
        Ok(Self::Own(Box::new(TransportDriver::new(TransportClient { client, server }, transport))))
    }

    pub(super) fn update(&mut self, events: &mut VecDeque<Event>) -> io::Result<()> {
        match self {
            Self::Sockets(driver) => driver.update().map(|happened| events.extend(happened)),
            Self::Own(carried) => carried.update(events),
        }
    }

    pub(super) fn wait(&mut self, most: Duration) -> io::Result<()> {
        match self {
            Self::Sockets(driver) => driver.wait(deadline(most)),
            Self::Own(carried) => {
                carried.wait(most);
                Ok(())
            }
        }
    }

    pub(super) fn machine(&self) -> &Client {
        match self {
            Self::Sockets(driver) => driver.machine(),
            Self::Own(carried) => &carried.machine().client,
        }
    }

    pub(super) fn machine_mut(&mut self) -> &mut Client {
        match self {
            Self::Sockets(driver) => driver.machine_mut(),
            Self::Own(carried) => &mut carried.machine_mut().client,
        }
    }

    pub(super) fn stats(&self) -> Option<&Stats> {
        match self {
            Self::Sockets(driver) => Some(driver.stats()),
            Self::Own(_) => None,
        }
    }
}
