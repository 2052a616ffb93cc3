use core::fmt;
use std::io;
use std::net::SocketAddr;

use ::tokio::net::UdpSocket;
use ::tokio::task::consume_budget;
use ::tokio::time::timeout_at;
use gamewire_machine::{Datagram, Instant};

use crate::datagrams::RecvOutcome;
use crate::engine::Engine;
use crate::tokio::sockets::Socket;
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, open};

/// Drives one machine over one UDP socket.
///
/// There is no task behind it: time passes and datagrams move while
/// [`next_event`](Self::next_event) is awaited, so keep awaiting it. Commands to the
/// [`machine`](Self::machine) are sent by the next await. Dropping the driver sends what is left.
pub struct Driver<M: Datagram> {
    engine: Engine<M, Socket>,
}

impl<M: Datagram> Driver<M> {
    /// Binds a socket to `local` and drives `machine` over it; peers as with
    /// [`blocking::Driver::bind`](crate::blocking::Driver::bind).
    ///
    /// # Errors
    /// The system gives no such socket.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn bind(local: SocketAddr, machine: M) -> Result<Self, OpenError> {
        Self::bind_with(local, machine, DriverConfig::default())
    }

    /// [`bind`](Self::bind) with settings.
    ///
    /// # Errors
    /// The system gives no such socket.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn bind_with(local: SocketAddr, machine: M, settings: DriverConfig) -> Result<Self, OpenError> {
        Self::from_socket(open::bind(local)?, machine, settings)
    }

    /// Drives `machine` over a socket that is there already. It will no longer block.
    ///
    /// # Errors
    /// The system does not let the socket be set up.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn from_socket(
        socket: std::net::UdpSocket,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        let state = open::set_up(&socket, &settings)?;
        let local = socket.local_addr()?;
        let socket = UdpSocket::from_std(socket)?;
        Ok(Self { engine: Engine::new(machine, Socket { socket, state }, local, settings) })
    }

    /// The next event, once there is one; the machine is driven meanwhile.
    ///
    /// It may be dropped at any await, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// The socket no longer works.
    pub async fn next_event(&mut self) -> io::Result<M::Event> {
        loop {
            let intake =
                if self.engine.events().is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.drive();
            // A socket that always has something must not keep other tasks from running.
            consume_budget().await;
            if let Some(event) = self.engine.events().pop_front() {
                return Ok(event);
            }
            if intake != RecvOutcome::Nothing {
                continue;
            }
            let readable = self.engine.port().socket.readable();
            match wake.and_then(|at| self.engine.clock().monotonic(at)) {
                Some(at) => timeout_at(at.into(), readable).await.unwrap_or(Ok(()))?,
                None => readable.await?,
            }
        }
    }

    /// The machine, to command it. It has been told the time.
    pub fn machine_mut(&mut self) -> &mut M {
        self.engine.machine_mut()
    }

    /// The time that the machine is told: for a machine that takes the place of this one.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.engine.clock().now()
    }

    /// The machine, to look at.
    #[must_use]
    pub const fn machine(&self) -> &M {
        self.engine.machine()
    }

    /// From now on the link is like this in one direction. What is under way arrives as it would
    /// have.
    pub fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        self.engine.set_conditions(direction, conditions);
    }

    /// The address that the socket is bound to.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.engine.local()
    }

    /// What was done so far.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.engine.stats()
    }
}

impl<M: Datagram + fmt::Debug> fmt::Debug for Driver<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Driver")
            .field("local", &self.local_addr())
            .field("machine", self.machine())
            .field("stats", self.stats())
            .finish_non_exhaustive()
    }
}
