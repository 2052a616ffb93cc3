use core::fmt;
use std::net::{SocketAddr, TcpStream, UdpSocket};

use gamewire_machine::{Instant, Machine};

use crate::bind::StdSockets;
use crate::engine::Engine;
use crate::log::log;
use crate::socket::SocketRuntime;
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, Transports};

/// Drives a machine over a UDP socket, over TCP streams that peers open, over both on one port, or
/// over a TCP stream that it opens. The runtime `R` waits for the sockets: see
/// [`blocking::Driver`](crate::blocking::Driver) and `tokio::Driver`.
///
/// Datagrams are not fragmented: one that is too long for its path is dropped and counted.
///
/// A stream closes when its peer ends or resets it, or reads so slowly that more than
/// [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES) wait. A stream that the machine
/// closes goes when what was written before is delivered, after [`CLOSING`](crate::limits::CLOSING)
/// at the latest.
pub struct Driver<M: Machine, R: Runtime> {
    pub(crate) engine: Engine<M, R::Socket, R::Listener>,
    pub(crate) runtime: R,
}

/// The runtime of a driver: [`Blocking`](crate::blocking::Blocking) or `Tokio`.
pub trait Runtime: SocketRuntime {}

impl<R: SocketRuntime> Runtime for R {}

impl<M: Machine, R: Runtime> Driver<M, R> {
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
        let driver = Self::new(StdSockets::listen(local, transports)?, machine, config)?;
        log!(info, "listening on {} over {transports}", driver.local_addr());
        Ok(driver)
    }

    /// Drives `machine` over a UDP socket, which becomes non-blocking.
    ///
    /// # Errors
    /// [`OpenError::SetUp`].
    pub fn from_socket(socket: UdpSocket, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        Self::new(StdSockets { datagrams: Some(socket), ..StdSockets::default() }, machine, config)
    }

    /// Drives `machine` over a TCP stream, which becomes non-blocking.
    ///
    /// # Errors
    /// [`OpenError::SetUp`].
    pub fn from_stream(stream: TcpStream, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        Self::new(StdSockets { stream: Some(stream), ..StdSockets::default() }, machine, config)
    }

    fn new(sockets: StdSockets, machine: M, config: DriverConfig) -> Result<Self, OpenError> {
        let sockets = sockets.set_up::<R>(&config)?;
        log!(debug, "opened {}", sockets.local);
        Ok(Self { engine: Engine::new(machine, sockets, config), runtime: R::default() })
    }

    /// Returns the machine so that commands can be issued, after advancing its clock.
    pub fn machine_mut(&mut self) -> &mut M {
        self.engine.machine_mut()
    }

    /// Returns the machine.
    pub const fn machine(&self) -> &M {
        &self.engine.machine
    }

    /// Returns the current time of the machine's clock.
    pub fn now(&self) -> Instant {
        self.engine.observer.clock.now()
    }

    /// Replaces the link conditions for datagrams in one direction. Datagrams in flight keep the old
    /// ones.
    pub fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        self.engine.set_conditions(direction, conditions);
    }

    /// Returns whether anything can still arrive: false once the stream that the driver opened is
    /// closed.
    pub fn is_open(&self) -> bool {
        self.engine.is_open()
    }

    /// Returns the address that the sockets are bound to.
    pub const fn local_addr(&self) -> SocketAddr {
        self.engine.observer.local
    }

    /// Returns the counters of the driver.
    pub const fn stats(&self) -> &Stats {
        &self.engine.observer.stats
    }
}

impl<M: Machine + fmt::Debug, R: Runtime> fmt::Debug for Driver<M, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Driver")
            .field("local", &self.local_addr())
            .field("machine", self.machine())
            .field("stats", self.stats())
            .finish_non_exhaustive()
    }
}
