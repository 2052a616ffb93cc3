use std::collections::vec_deque::Drain;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use gamewire_net::blocking::{Driver, StreamDriver};
use gamewire_net::{DriverConfig, OpenError, Stats};
use gamewire_riptide::client::{Client, Event};

use crate::url::UrlTransport;

/// A client over either transport.
#[derive(Debug)]
pub(crate) enum ClientDriver {
    Udp(Box<Driver<Client>>),
    Tcp(Box<StreamDriver<Client>>),
}

impl ClientDriver {
    /// Drives a client towards `server`, from `local` if that is by datagrams. A stream has `timeout` to
    /// come about.
    pub(crate) fn open(
        carrier: UrlTransport,
        (local, server): (SocketAddr, SocketAddr),
        timeout: Duration,
        client: Client,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        Ok(match carrier {
            UrlTransport::Udp => Self::Udp(Box::new(Driver::bind_with(local, client, settings)?)),
            UrlTransport::Tcp => {
                Self::Tcp(Box::new(StreamDriver::connect_with(server, timeout, client, settings)?))
            }
        })
    }

    /// Does all that there is to do and never blocks: what happened.
    pub(crate) fn update(&mut self) -> io::Result<Drain<'_, Event>> {
        match self {
            Self::Udp(driver) => driver.update(),
            Self::Tcp(driver) => driver.update(),
        }
    }

    /// The next event; `None` after `timeout`.
    pub(crate) fn next_event(&mut self, timeout: Duration) -> io::Result<Option<Event>> {
        match self {
            Self::Udp(driver) => driver.next_event(timeout),
            Self::Tcp(driver) => driver.next_event(timeout),
        }
    }

    pub(crate) fn machine_mut(&mut self) -> &mut Client {
        match self {
            Self::Udp(driver) => driver.machine_mut(),
            Self::Tcp(driver) => driver.machine_mut(),
        }
    }

    pub(crate) fn machine(&self) -> &Client {
        match self {
            Self::Udp(driver) => driver.machine(),
            Self::Tcp(driver) => driver.machine(),
        }
    }

    pub(crate) fn local_addr(&self) -> SocketAddr {
        match self {
            Self::Udp(driver) => driver.local_addr(),
            Self::Tcp(driver) => driver.local_addr(),
        }
    }

    pub(crate) fn stats(&self) -> &Stats {
        match self {
            Self::Udp(driver) => driver.stats(),
            Self::Tcp(driver) => driver.stats(),
        }
    }
}
