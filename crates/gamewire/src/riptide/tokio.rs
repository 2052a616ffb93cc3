//! Client and server for programs on tokio.

use std::io;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_net::tokio::Driver;
use gamewire_net::{OpenError, Stats};
use gamewire_riptide::client::{self, ClientConfig};
use gamewire_riptide::server::{self, ServerConfig};

use super::driven::{Driven, MachineAccess};
use super::handlers::HandledMachine;
use super::{ConnectError, ConnectOptions, ListenOptions};
use crate::system::any_port;

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
    /// The last event was returned.
    is_over: bool,
}

impl<M: HandledMachine> EventLoop<M> {
    fn new(driver: Driver<M>) -> Self {
        Self { driver: Box::new(driver), is_over: false }
    }
}

impl<M: HandledMachine> MachineAccess for EventLoop<M> {
    type Machine = M;

    fn machine(&self) -> &M {
        self.driver.machine()
    }

    fn machine_mut(&mut self) -> &mut M {
        self.driver.machine_mut()
    }
}

impl<S, M: HandledMachine> Driven<S, M, EventLoop<M>> {
    /// Waits for the next event that no handler takes. Handlers run meanwhile, in the order of the events.
    ///
    /// It is cancel-safe: the future may be dropped at any await, as in `select!`, without losing anything.
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
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.driver.driver.stats()
    }
}

impl Client {
    /// Starts to connect over UDP.
    ///
    /// # Errors
    /// If the system has no socket. A server that does not answer is an [event](client::Event::ConnectionFailed).
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub async fn connect(server: SocketAddr, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp()).await
    }

    /// Starts to connect over UDP or TCP, with all options.
    ///
    /// # Errors
    /// If the system has no socket, or the stream cannot be opened.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub async fn connect_with(
        server: SocketAddr,
        config: ClientConfig,
        options: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        let machine = options.machine(&config, server)?;
        let driver = match options.tcp_timeout {
            None => Driver::bind_with(any_port(server), machine, options.driver)?,
            Some(timeout) => Driver::connect_with(server, timeout, machine, options.driver).await?,
        };
        Ok(Self::new(EventLoop::new(driver)))
    }
}

impl Server {
    /// Listens on a port of all addresses, over UDP and TCP, for up to `max_client_count` clients (1 to 65534). Port 0 is a
    /// free one.
    ///
    /// # Errors
    /// If the sockets cannot be opened.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn start(port: u16, max_client_count: u16) -> Result<Self, OpenError> {
        Self::start_with(ServerConfig::new(max_client_count), ListenOptions::port(port))
    }

    /// Listens with all options.
    ///
    /// # Errors
    /// If the sockets cannot be opened.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn start_with(config: ServerConfig, options: ListenOptions) -> Result<Self, OpenError> {
        let machine = server::Server::new(config, Instant::ZERO);
        let driver = Driver::listen_with(options.local, options.transports, machine, options.driver)?;
        Ok(Self::new(EventLoop::new(driver)))
    }
}

impl<S> Server<S> {
    /// Returns the address that the server listens on.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.driver.driver.local_addr()
    }

    /// Returns the port that the server listens on.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.local_addr().port()
    }
}
