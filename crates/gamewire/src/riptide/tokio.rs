//! Client and server for programs on tokio. Their constructors panic outside of a runtime with I/O.

use std::io;
use std::net::SocketAddr;

use gamewire_net::Stats;
use gamewire_net::tokio::{Driver, Tokio};
use gamewire_riptide::client::{self, ClientConfig};
use gamewire_riptide::server;
use tokio::net::{ToSocketAddrs, lookup_host};

use super::driven::{Driven, MachineLoop};
use super::handlers::HandledMachine;
use super::options::with_buffers;
use super::{ConnectError, ConnectOptions};
use crate::system::{any_port_for, at_least_one};

/// A client for a program on tokio: keep awaiting `next_event`. It spawns no task.
pub type Client<S = ()> = Driven<S, client::Client, EventLoop<client::Client>>;

/// A server for a program on tokio: keep awaiting `next_event`. It spawns no task.
///
/// ```no_run
/// use gamewire::riptide::server::Event;
/// use gamewire::riptide::tokio::Server;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let mut server = Server::start(7777, 10)?;
/// loop {
///     if let Event::MessageReceived { client, message } = server.next_event().await? {
///         server.send(&message, client)?;
///     }
/// }
/// # }
/// ```
pub type Server<S = ()> = Driven<S, server::Server, EventLoop<server::Server>>;

/// The driver of a client or server.
pub struct EventLoop<M: HandledMachine> {
    driver: Box<Driver<M>>,
    /// Set after the last event was returned.
    is_over: bool,
}

impl<M: HandledMachine> MachineLoop for EventLoop<M> {
    type Machine = M;
    type Runtime = Tokio;

    fn new(driver: Driver<M>) -> Self {
        Self { driver: Box::new(driver), is_over: false }
    }

    fn machine(&self) -> &M {
        self.driver.machine()
    }

    fn machine_mut(&mut self) -> &mut M {
        self.driver.machine_mut()
    }
}

impl<S, M: HandledMachine> Driven<S, M, EventLoop<M>> {
    /// Waits for the next event without a handler. Handlers run meanwhile, in the order of the events.
    ///
    /// It is cancel-safe: the future may be dropped at any await, as in `select!`, without losing an event.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotConnected`] after the last event of a client. Another error if the UDP socket failed.
    pub async fn next_event(&mut self) -> io::Result<M::Event> {
        loop {
            if self.driver.is_over {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "the connection is closed"));
            }
            let event = self.driver.driver.next_event().await?;
            self.driver.is_over = M::is_last(&event);
            if let Some(event) = self.dispatch(event) {
                return Ok(event);
            }
        }
    }

    /// Returns the counters of the sockets' driver.
    pub const fn stats(&self) -> &Stats {
        self.driver.driver.stats()
    }
}

impl Client {
    /// Starts to connect over UDP.
    ///
    /// # Errors
    /// [`ConnectError`] if the name has no address, or the system has no socket. If the server does not reply,
    /// [`ConnectionFailed`](client::Event::ConnectionFailed) follows.
    pub async fn connect(server: impl ToSocketAddrs, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp()).await
    }

    /// Starts to connect over UDP or TCP, with all options. Every address of a name is tried in turn.
    ///
    /// # Errors
    /// [`ConnectError`] if the name has no address, the system has no socket, or the stream cannot be opened.
    pub async fn connect_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        options: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        let mut servers = at_least_one(lookup_host(server).await?)?;
        let local = any_port_for(&mut servers);
        let machine = options.machine(&config, &servers)?;
        let config = with_buffers(options.driver);
        let driver = match options.tcp_timeout {
            None => Driver::bind_with(local, machine, config)?,
            Some(timeout) => Driver::connect_any(&servers, timeout, machine, config).await?,
        };
        Ok(Self::new(EventLoop::new(driver)))
    }
}

impl<S> Server<S> {
    /// Returns the address that the server listens on.
    pub const fn local_addr(&self) -> SocketAddr {
        self.driver.driver.local_addr()
    }

    /// Returns the port that the server listens on.
    pub const fn port(&self) -> u16 {
        self.local_addr().port()
    }

    /// Returns the addresses of [`ListenOptions::websocket`](super::ListenOptions::websocket) with their ports, and after
    /// them those for WebSockets over TLS.
    pub fn websocket_addrs(&self) -> &[SocketAddr] {
        self.driver.driver.also_local_addrs()
    }
}
