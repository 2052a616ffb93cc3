use core::fmt;
use std::net::{SocketAddr, TcpStream, UdpSocket};

use gamewire_machine::{Instant, Machine};

use crate::bind::StdSockets;
use crate::engine::Engine;
use crate::log::log;
use crate::socket::SocketRuntime;
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, Transports};

/// Drives a machine over a UDP socket, over TCP streams that peers open, over both on one port, or over one TCP stream
/// that it opens. The runtime `R` waits for the sockets: see [`blocking::Driver`](crate::blocking::Driver) and
/// `tokio::Driver`.
///
/// Datagrams are not fragmented. A datagram that is too long for its path is dropped and counted.
///
/// The driver closes a stream if the peer ends or resets it, or reads so slowly that more than
/// [`MAX_STREAM_QUEUED_BYTES`](crate::limits::MAX_STREAM_QUEUED_BYTES) bytes are unsent. If the machine closes a stream, the
/// driver first delivers its unsent bytes, for at most [`CLOSING`](crate::limits::CLOSING).
pub struct Driver<M: Machine, R: Runtime> {
    pub(crate) engine: Engine<M, R::Socket, R::Listener>,
    pub(crate) runtime: R,
}

/// The runtime of a driver: [`Blocking`](crate::blocking::Blocking) or `Tokio`.
pub trait Runtime: SocketRuntime {}

impl<R: SocketRuntime> Runtime for R {}

impl<M: Machine, R: Runtime> Driver<M, R> {
    /// Binds a UDP socket to `local`. An IPv6 socket bound to the unspecified address also serves IPv4 where the
    /// system allows it. The machine receives the IPv4 addresses of such peers.
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

    /// Listens on `local` over UDP, TCP, or both on one port. Port 0 selects a port that is free for all requested
    /// transports.
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

    /// Advances the machine's clock and returns the machine, so that the caller can issue commands.
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

    /// Replaces the link conditions for datagrams in one direction. Datagrams in flight keep the old conditions.
    pub fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        self.engine.set_conditions(direction, conditions);
    }

    /// Returns whether data can still arrive. Returns false after the stream that the driver opened is closed.
    pub fn is_open(&self) -> bool {
        self.engine.is_open()
    }

    /// Returns the address that the sockets are bound to.
    pub const fn local_addr(&self) -> SocketAddr {
        self.engine.observer.local
    }

    /// Returns the addresses that [`DriverConfig::also_listen`] requested, with the ports that the system chose.
    pub fn also_local_addrs(&self) -> &[SocketAddr] {
        &self.engine.also_local
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
