use core::fmt;
use core::future::poll_fn;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Instant as Monotonic;

use ::tokio::task::consume_budget;
use ::tokio::time::{self, timeout_at};
use gamewire_machine::{Instant, Machine};

use crate::bind::StdSockets;
use crate::datagrams::RecvOutcome;
use crate::engine::Engine;
use crate::limits::POLL_INTERVAL;
use crate::tokio::sockets::{Listener, Socket};
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, Transports};

/// Drives a machine over a UDP socket, over TCP streams that peers open, over both on one port, or
/// over a TCP stream that it opens.
///
/// It spawns no task: time passes and bytes move while [`next_event`](Self::next_event) is awaited,
/// so keep awaiting it. The next await sends what commands to the [`machine`](Self::machine_mut)
/// wrote. Dropping the driver sends what is left, as much as the system takes immediately.
///
/// Datagrams and streams have the bounds of [`blocking::Driver`](crate::blocking::Driver). All
/// constructors panic outside of a tokio runtime with I/O and time.
pub struct Driver<M: Machine> {
    engine: Engine<M, Socket, Listener>,
    /// Time of the last check of the streams.
    polled_at: Option<Monotonic>,
}

impl<M: Machine> Driver<M> {
    /// Binds a UDP socket to `local`. An IPv6 socket bound to the unspecified address serves IPv4 as
    /// well where the system allows it; such peers have their IPv4 addresses.
    ///
    /// # Errors
    /// [`OpenError::Bind`] or [`OpenError::SetUp`].
    pub fn bind(local: SocketAddr, machine: M) -> Result<Self, OpenError> {
        Self::bind_with(local, machine, DriverConfig::default())
    }

    /// Binds a UDP socket to `local`, with a configuration.
    ///
    /// # Errors
    /// [`OpenError::Bind`] or [`OpenError::SetUp`].
    pub fn bind_with(local: SocketAddr, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        Self::new(StdSockets::bind(local)?, machine, config)
    }

    /// Listens on `local` over UDP, TCP, or both on one port. For port 0 it finds one that is free
    /// for all of them.
    ///
    /// # Errors
    /// [`OpenError::Bind`], [`OpenError::Listen`] or [`OpenError::SetUp`].
    pub fn listen(local: SocketAddr, transports: Transports, machine: M) -> Result<Self, OpenError> {
        Self::listen_with(local, transports, machine, DriverConfig::default())
    }

    /// Listens on `local` over UDP, TCP, or both on one port, with a configuration.
    ///
    /// # Errors
    /// [`OpenError::Bind`], [`OpenError::Listen`] or [`OpenError::SetUp`].
    pub fn listen_with(
        local: SocketAddr,
        transports: Transports,
        machine: M,
        config: DriverConfig,
    ) -> Result<Self, OpenError> {
        Self::new(StdSockets::listen(local, transports)?, machine, config)
    }

    /// Opens a TCP stream to `to`, within `timeout`.
    ///
    /// # Errors
    /// [`OpenError::Connect`] or [`OpenError::SetUp`].
    pub async fn connect(to: SocketAddr, timeout: Duration, machine: M) -> Result<Self, OpenError> {
        Self::connect_with(to, timeout, machine, DriverConfig::default()).await
    }

    /// Opens a TCP stream to `to`, within `timeout`, with a configuration.
    ///
    /// # Errors
    /// [`OpenError::Connect`] or [`OpenError::SetUp`].
    pub async fn connect_with(
        to: SocketAddr,
        timeout: Duration,
        machine: M,
        config: DriverConfig,
    ) -> Result<Self, OpenError> {
        let stream = time::timeout(timeout, ::tokio::net::TcpStream::connect(to)).await;
        let stream = stream.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let stream = stream.map_err(|source| OpenError::Connect { to, source })?;
        Self::from_stream(stream.into_std()?, machine, config)
    }

    /// Drives `machine` over a UDP socket, which becomes non-blocking.
    ///
    /// # Errors
    /// [`OpenError::SetUp`].
    pub fn from_socket(socket: UdpSocket, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        Self::new(StdSockets { datagrams: Some(socket), ..StdSockets::default() }, machine, config)
    }

    /// Drives `machine` over a UDP socket and a TCP listener, which become non-blocking.
    ///
    /// # Errors
    /// [`OpenError::SetUp`].
    pub fn from_sockets(
        socket: UdpSocket,
        listener: TcpListener,
        machine: M,
        config: DriverConfig,
    ) -> Result<Self, OpenError> {
        let (datagrams, listener) = (Some(socket), Some(listener));
        Self::new(StdSockets { datagrams, listener, stream: None }, machine, config)
    }

    /// Drives `machine` over a TCP stream, which becomes non-blocking.
    ///
    /// # Errors
    /// [`OpenError::SetUp`].
    pub fn from_stream(stream: TcpStream, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        Self::new(StdSockets { stream: Some(stream), ..StdSockets::default() }, machine, config)
    }

    fn new(sockets: StdSockets, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        let sockets = sockets.set_up(&config)?;
        Ok(Self { engine: Engine::new(machine, sockets, config), polled_at: None })
    }

    /// Drives the machine until it has an event and returns that.
    ///
    /// It is cancel-safe: the future may be dropped at any await, as in `select!`, without losing
    /// anything.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotConnected`] if the stream that the driver opened is closed and no timer is
    /// set, so that nothing can happen any more; another error if the UDP socket no longer works.
    pub async fn next_event(&mut self) -> io::Result<M::Event> {
        loop {
            // A busy driver never waits, so it polls the streams from time to time.
            if self.engine.connections.is_some()
                && self.polled_at.is_none_or(|at| at.elapsed() >= POLL_INTERVAL)
            {
                poll_fn(|context| Poll::Ready(self.poll_sockets(context))).await;
            }
            let outcome =
                if self.engine.events().is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.drive();
            // Sockets that are always ready must not starve other tasks.
            consume_budget().await;
            if let Some(event) = self.engine.events().pop_front() {
                return Ok(event);
            }
            self.engine.check_alive()?;
            if outcome != RecvOutcome::Nothing {
                continue;
            }
            let wake = wake.and_then(|at| self.engine.observer().clock.monotonic(at));
            let ready =
                poll_fn(|context| if self.poll_sockets(context) { Poll::Ready(()) } else { Poll::Pending });
            match wake {
                // A timeout is not a failure: the machine's timer is due.
                Some(at) => timeout_at(at.into(), ready).await.unwrap_or(()),
                None => ready.await,
            }
        }
    }

    /// Returns the machine so that commands can be issued, after advancing its clock.
    pub fn machine_mut(&mut self) -> &mut M {
        self.engine.machine_mut()
    }

    /// Returns the machine.
    #[must_use]
    pub const fn machine(&self) -> &M {
        self.engine.machine()
    }

    /// Returns the current time of the machine's clock.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.engine.observer().clock.now()
    }

    /// Replaces the link conditions for datagrams in one direction. Datagrams in flight keep the old
    /// ones.
    pub fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        self.engine.set_conditions(direction, conditions);
    }

    /// Returns whether anything can still arrive: false once the stream that the driver opened is
    /// closed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.engine.is_open()
    }

    /// Returns the address that the sockets are bound to.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.engine.observer().local
    }

    /// Returns the counters of the driver.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.engine.stats()
    }

    /// Marks the sockets that are ready and returns whether there are any. If not, the task is woken
    /// when one is.
    fn poll_sockets(&mut self, context: &mut Context<'_>) -> bool {
        let Engine { datagrams, connections, .. } = &mut self.engine;
        let socket = datagrams.as_ref().map(|datagrams| &datagrams.port.socket);
        let mut has_any = socket.is_some_and(|socket| socket.poll_recv_ready(context).is_ready());
        let Some(connections) = connections else { return has_any };
        self.polled_at = Some(Monotonic::now());
        if connections.wants_accept()
            && connections.listener.as_mut().is_some_and(|listener| listener.poll(context))
        {
            connections.mark_listener();
            has_any = true;
        }
        for index in 0..connections.slots().len() {
            let Some(slot) = connections.slots().get(index) else { break };
            let (can_read, can_write) =
                slot.pipe.connection.poll(context, slot.wants_read(), slot.pipe.is_blocked);
            has_any |= can_read || can_write;
            connections.set_readiness(index, can_read, can_write);
        }
        has_any
    }
}

impl<M: Machine + fmt::Debug> fmt::Debug for Driver<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Driver")
            .field("local", &self.local_addr())
            .field("machine", self.machine())
            .field("stats", self.stats())
            .finish_non_exhaustive()
    }
}
