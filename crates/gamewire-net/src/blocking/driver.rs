use core::fmt;
use core::time::Duration;
use std::collections::vec_deque::Drain;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, Machine};

use crate::bind::StdSockets;
use crate::blocking::poller::Poller;
use crate::blocking::sockets::{Listener, Socket};
use crate::datagrams::RecvOutcome;
use crate::engine::Engine;
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, Transports};

/// Drives a machine over a UDP socket, over TCP streams that peers open, over both on one port, or
/// over a TCP stream that it opens.
///
/// Call [`update`](Self::update) once a frame, or [`next_event`](Self::next_event) in a program that
/// does nothing else. The next such call sends what commands to the [`machine`](Self::machine_mut)
/// wrote. Dropping the driver sends what is left: it waits for peers that read too slowly, for at
/// most [`DRAIN_TIMEOUT`](crate::limits::DRAIN_TIMEOUT).
///
/// Datagrams are not fragmented: one that is too long for its path is dropped and counted.
///
/// A stream closes when its peer ends or resets it, or reads so slowly that more than
/// [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES) wait. A stream that the machine
/// closes goes when what was written before is delivered, after [`CLOSING`](crate::limits::CLOSING)
/// at the latest.
///
/// ```
/// use std::time::Duration;
/// use gamewire_machine::Machine;
/// use gamewire_net::blocking::Driver;
///
/// fn listen<M: Machine<Event: std::fmt::Debug>>(machine: M) -> Result<(), Box<dyn std::error::Error>> {
///     let mut driver = Driver::bind("0.0.0.0:0".parse()?, machine)?;
///     while let Some(event) = driver.next_event(Duration::from_secs(10))? {
///         println!("{event:?}");
///     }
///     Ok(())
/// }
/// ```
pub struct Driver<M: Machine> {
    engine: Engine<M, Socket, Listener>,
    poller: Poller,
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

    /// Opens a TCP stream to `to`. Blocks until it is open, for at most `timeout`.
    ///
    /// # Errors
    /// [`OpenError::Connect`] or [`OpenError::SetUp`].
    pub fn connect(to: SocketAddr, timeout: Duration, machine: M) -> Result<Self, OpenError> {
        Self::connect_with(to, timeout, machine, DriverConfig::default())
    }

    /// Opens a TCP stream to `to`, with a configuration. Blocks until it is open, for at most
    /// `timeout`.
    ///
    /// # Errors
    /// [`OpenError::Connect`] or [`OpenError::SetUp`].
    pub fn connect_with(
        to: SocketAddr,
        timeout: Duration,
        machine: M,
        config: DriverConfig,
    ) -> Result<Self, OpenError> {
        // The standard library rejects a timeout of zero.
        let timeout = timeout.max(Duration::from_nanos(1));
        let stream =
            TcpStream::connect_timeout(&to, timeout).map_err(|source| OpenError::Connect { to, source })?;
        Self::from_stream(stream, machine, config)
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
        Ok(Self { engine: Engine::new(machine, sockets, config), poller: Poller::default() })
    }

    /// Reads what has arrived, up to [`RECEIVED_PER_UPDATE`](crate::limits::RECEIVED_PER_UPDATE),
    /// fires timers and sends. Never blocks. Returns the events; those that are not taken from the
    /// iterator are lost.
    ///
    /// # Errors
    /// The UDP socket no longer works, or the system cannot poll the sockets.
    pub fn update(&mut self) -> io::Result<Drain<'_, M::Event>> {
        if let Some(connections) = &mut self.engine.connections {
            self.poller.wait(None, Some(connections), Some(Duration::ZERO))?;
        }
        self.engine.update()?;
        Ok(self.engine.events().drain(..))
    }

    /// Sends what the machine wrote, then blocks until [`update`](Self::update) has something to do
    /// or until `timeout` has passed. It may return early.
    ///
    /// # Errors
    /// The system cannot wait for the sockets.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let deadline = Monotonic::now().checked_add(timeout);
        let wake = self.engine.drive();
        if self.engine.events().is_empty() { self.sleep(wake, deadline) } else { Ok(()) }
    }

    /// Drives the machine until it has an event and returns that, or `None` after `timeout`.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotConnected`] if the stream that the driver opened is closed and no timer is
    /// set, so that nothing can happen any more; another error if the UDP socket no longer works or
    /// the system cannot wait for the sockets.
    pub fn next_event(&mut self, timeout: Duration) -> io::Result<Option<M::Event>> {
        // `None` if the system's clock does not reach that far: wait without a deadline.
        let deadline = Monotonic::now().checked_add(timeout);
        loop {
            // A busy driver never waits, so it polls the streams from time to time.
            self.poller.refresh(self.engine.connections.as_mut())?;
            let outcome =
                if self.engine.events().is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.drive();
            let event = self.engine.events().pop_front();
            if event.is_some() {
                return Ok(event);
            }
            self.engine.check_alive()?;
            if deadline.is_some_and(|deadline| deadline <= Monotonic::now()) {
                return Ok(None);
            }
            if matches!(outcome, RecvOutcome::Last(_) | RecvOutcome::Nothing) {
                self.sleep(wake, deadline)?;
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

    /// Waits for the earliest of a ready socket, `wake` and `deadline`.
    fn sleep(&mut self, wake: Option<Instant>, deadline: Option<Monotonic>) -> io::Result<()> {
        let wake = wake.and_then(|at| self.engine.observer().clock.monotonic(at));
        let until = [wake, deadline].into_iter().flatten().min();
        let most = until.map(|until| until.saturating_duration_since(Monotonic::now()));
        let socket = self.engine.datagrams.as_ref().map(|datagrams| &datagrams.port);
        self.poller.wait(socket, self.engine.connections.as_mut(), most)
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
