use core::time::Duration;
use std::collections::VecDeque;
use std::io;

use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{OpenError, Stats};
use gamewire_riptide::server::{Event, Server, ServerConfig};

use super::carried::TransportDriver;
use super::clock::deadline;
use crate::riptide::{ListenOptions, Transport};

/// The driver or transport of a server.
pub(super) enum ServerLink {
    Sockets(Box<Driver<Server>>),
    Own(Box<TransportDriver<Server>>),
}

impl ServerLink {
    pub(super) fn listen(config: ServerConfig, listen: ListenOptions) -> Result<Self, OpenError> {
        let ListenOptions { local, transports, settings } = listen;
        let machine = Server::new(config, Instant::ZERO);
        Driver::listen_with(local.address(), transports, machine, settings)
            .map(|host| Self::Sockets(Box::new(host)))
    }

    pub(super) fn over(config: ServerConfig, transport: Box<dyn Transport + Send>) -> Self {
        Self::Own(Box::new(TransportDriver::new(Server::new(config, Instant::ZERO), transport)))
    }

    pub(super) fn update(&mut self, events: &mut VecDeque<Event>) -> io::Result<()> {
        match self {
            Self::Sockets(host) => host.update().map(|happened| events.extend(happened)),
            Self::Own(carried) => carried.update(events),
        }
    }

    pub(super) fn wait(&mut self, most: Duration) -> io::Result<()> {
        match self {
            Self::Sockets(host) => host.wait(deadline(most)),
            Self::Own(carried) => {
                carried.wait(most);
                Ok(())
            }
        }
    }

    pub(super) fn machine(&self) -> &Server {
        match self {
            Self::Sockets(host) => host.machine(),
            Self::Own(carried) => carried.machine(),
        }
    }

    pub(super) fn machine_mut(&mut self) -> &mut Server {
        match self {
            Self::Sockets(host) => host.machine_mut(),
            Self::Own(carried) => carried.machine_mut(),
        }
    }

    /// 0 for a transport of the application.
    pub(super) fn port(&self) -> u16 {
        match self {
            Self::Sockets(host) => host.local_addr().port(),
            Self::Own(_) => 0,
        }
    }

    pub(super) fn stats(&self) -> Option<&Stats> {
        match self {
            Self::Sockets(host) => Some(host.stats()),
            Self::Own(_) => None,
        }
    }
}
