use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use gamewire_machine::{EventLimits, EventQueue, Instant};
use gamewire_net::Stats;
use gamewire_net::blocking::{Blocking, Driver};
use gamewire_riptide::SendError;
use gamewire_riptide::client::{self, ClientConfig};
use gamewire_riptide::server::{self, ServerConfig};

use super::driven::{Driven, MachineLoop};
use super::handlers::HandledMachine;
use super::options::with_buffers;
use super::transport_driver::{TransportDriver, TransportMachine};
use super::{ConnectError, ConnectOptions, Transport};
use crate::system::{any_port_for, at_least_one};

/// A client for a program with a frame loop: call `update` once per frame.
pub type Client<S = ()> = Driven<S, client::Client, FrameLoop<client::Client>>;

/// A server for a program with a frame loop: call `update` once per frame.
///
/// ```no_run
/// use std::time::Duration;
/// use gamewire::riptide::{Message, Server, server::Event};
///
/// #[derive(Message)]
/// #[message(id = 1, mode = "unreliable")]
/// struct PlayerMove { x: f32, y: f32 }
///
/// let mut server = Server::start(7777, 10)?;
/// server.on::<PlayerMove>(|server, from, step| {
///     println!("{from} moves by {} {}", step.x, step.y);
///     server.send_to_all_except(&step, from);
/// })?;
/// loop {
///     server.update()?;
///     while let Some(failure) = server.poll_failure() {
///         eprintln!("{failure}");
///     }
///     while let Some(event) = server.poll_event() {
///         if let Event::ClientConnected { client, .. } = event {
///             println!("{client} is here");
///         }
///     }
///     server.wait(Duration::from_millis(10))?;
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Server<S = ()> = Driven<S, server::Server, FrameLoop<server::Server>>;

/// Limits of the queued events.
const MAX_UNPOLLED: EventLimits = EventLimits { max_events: 16_384, max_heap_bytes: 16 << 20 };

/// The driver or transport of a client or server, and its events.
pub struct FrameLoop<M: TransportMachine> {
    link: Link<M>,
    /// Events that are not dispatched yet.
    pending: VecDeque<M::Event>,
    /// Events without a handler that were not polled yet.
    events: EventQueue<M::Event>,
    /// True if the last update added events.
    has_new_events: bool,
}

enum Link<M: TransportMachine> {
    Sockets(Box<Driver<M>>),
    Own(Box<TransportDriver<M>>),
}

impl<M: TransportMachine> FrameLoop<M> {
    const fn over(link: Link<M>) -> Self {
        let events = EventQueue::new(MAX_UNPOLLED);
        Self { link, pending: VecDeque::new(), events, has_new_events: false }
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        match &mut self.link {
            Link::Sockets(driver) => driver.wait(timeout),
            Link::Own(driver) => {
                driver.wait(timeout);
                Ok(())
            }
        }
    }

    const fn driver(&self) -> Option<&Driver<M>> {
        match &self.link {
            Link::Sockets(driver) => Some(driver),
            Link::Own(_) => None,
        }
    }
}

impl<M: TransportMachine> MachineLoop for FrameLoop<M> {
    type Machine = M;
    type Runtime = Blocking;

    fn new(driver: Driver<M>) -> Self {
        Self::over(Link::Sockets(Box::new(driver)))
    }

    fn machine(&self) -> &M {
        match &self.link {
            Link::Sockets(driver) => driver.machine(),
            Link::Own(driver) => driver.machine(),
        }
    }

    fn machine_mut(&mut self) -> &mut M {
        match &mut self.link {
            Link::Sockets(driver) => driver.machine_mut(),
            Link::Own(driver) => driver.machine_mut(),
        }
    }
}

impl<S, M: TransportMachine + HandledMachine> Driven<S, M, FrameLoop<M>> {
    /// Receives, runs handlers in the order of the events, and sends. Never blocks. Events without a handler are queued
    /// until they are polled. Above 16,384 events or 16 MiB the oldest ones are dropped, and the next poll returns
    /// their number.
    ///
    /// # Errors
    /// [`io::Error`] if the UDP socket or the transport failed.
    pub fn update(&mut self) -> io::Result<()> {
        let FrameLoop { link, pending, has_new_events, .. } = &mut self.driver;
        *has_new_events = false;
        match link {
            Link::Sockets(driver) => pending.extend(driver.update()?),
            Link::Own(driver) => driver.update(pending)?,
        }
        while let Some(event) = self.driver.pending.pop_front() {
            if let Some(left) = self.dispatch(event) {
                self.driver.has_new_events = true;
                self.driver.events.push_newest(left);
            }
        }
        // Send the messages of handlers now instead of in the next frame.
        if self.has_run() { self.driver.wait(Duration::ZERO) } else { Ok(()) }
    }

    /// Sends the queued messages, then blocks until there is work for the next update, or until `timeout` has passed.
    /// It may return early; over a custom transport it returns after at most 2 ms.
    ///
    /// # Errors
    /// [`io::Error`] if the system cannot wait for the sockets.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let is_pending = self.driver.has_new_events && !self.driver.events.is_empty();
        self.driver.wait(if is_pending { Duration::ZERO } else { timeout })
    }

    /// Returns the next event without a handler.
    pub fn poll_event(&mut self) -> Option<M::Event> {
        self.driver.events.pop()
    }

    /// Returns the counters of the sockets' driver; `None` with a custom transport.
    pub fn stats(&self) -> Option<&Stats> {
        self.driver.driver().map(Driver::stats)
    }
}

impl Client {
    /// Starts to connect over UDP. Resolves a name first, which may block.
    ///
    /// # Errors
    /// [`ConnectError`], if the name has no address or the system has no socket. If the server does not reply,
    /// [`ConnectionFailed`](client::Event::ConnectionFailed) follows.
    pub fn connect(server: impl ToSocketAddrs, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp())
    }

    /// Starts to connect over UDP or TCP, with all options. Every address of a name is tried in turn.
    ///
    /// # Errors
    /// [`ConnectError`], if the name has no address, the system has no socket, or the stream cannot be opened.
    pub fn connect_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        options: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        let mut servers = at_least_one(server.to_socket_addrs()?)?;
        let local = any_port_for(&mut servers);
        let machine = options.machine(&config, &servers)?;
        let config = with_buffers(options.driver);
        let driver = match options.tcp_timeout {
            None => Driver::bind_with(local, machine, config)?,
            Some(timeout) => Driver::connect_any(&servers, timeout, machine, config)?,
        };
        Ok(Self::new(FrameLoop::new(driver)))
    }

    /// Creates a client over a custom transport, in which the server has the number `server`.
    ///
    /// # Errors
    /// [`SendError`] if [`ClientConfig::connect_data`] does not fit into a packet.
    pub fn with_transport(
        transport: impl Transport + Send + 'static,
        server: u64,
        config: ClientConfig,
    ) -> Result<Self, SendError> {
        let machine = client::Client::connect_over_transport(&config, Instant::ZERO)?;
        let driver = TransportDriver::new(machine, server, Box::new(transport));
        Ok(Self::new(FrameLoop::over(Link::Own(Box::new(driver)))))
    }
}

impl Server {
    /// Creates a server over a custom transport. Its clients are
    /// [`Endpoint::Other`](gamewire_riptide::Endpoint::Other).
    pub fn with_transport(transport: impl Transport + Send + 'static, config: ServerConfig) -> Self {
        let machine = server::Server::new(config, Instant::ZERO);
        let driver = TransportDriver::new(machine, 0, Box::new(transport));
        Self::new(FrameLoop::over(Link::Own(Box::new(driver))))
    }
}

impl<S> Server<S> {
    /// Returns the port that the server listens on; 0 with a custom transport.
    pub fn port(&self) -> u16 {
        self.driver.driver().map_or(0, |driver| driver.local_addr().port())
    }

    /// Returns the addresses of [`ListenOptions::websocket`](super::ListenOptions::websocket) with their ports, and after
    /// them those for WebSockets over TLS.
    pub fn websocket_addrs(&self) -> &[SocketAddr] {
        self.driver.driver().map_or(&[], Driver::also_local_addrs)
    }
}
