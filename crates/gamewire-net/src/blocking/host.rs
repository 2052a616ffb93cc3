use core::fmt;
use core::time::Duration;
use std::collections::vec_deque::Drain;
use std::io;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::time::Instant as Monotonic;

use gamewire_machine::{Datagram, Instant, Streams};

use crate::blocking::poller::Poller;
use crate::blocking::sockets::{Listener, Socket};
use crate::datagrams::RecvOutcome;
use crate::host_engine::HostEngine;
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, Transports, open};

/// Drives one machine over UDP, over the streams that peers open over TCP, or over both on one
/// port.
///
/// It is used as [`Driver`](crate::blocking::Driver) is. Dropping it sends and writes what is
/// left: it waits for peers that read too slowly, but no longer than
/// [`PARTING`](crate::limits::PARTING).
///
/// A stream whose peer ends it or resets it is over at once, and so is one whose peer reads so
/// slowly that more than [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES) wait. A
/// stream that the machine closes goes once what was written before is delivered, after
/// [`CLOSING`](crate::limits::CLOSING) at the latest.
pub struct Host<M: Datagram + Streams> {
    engine: HostEngine<M, Socket, Listener>,
    poller: Poller,
}

impl<M: Datagram + Streams> Host<M> {
    /// Binds sockets for UDP and TCP to `local` and drives `machine` over them. If the port is 0,
    /// one is found that is free for both. Peers over IPv4 as with
    /// [`Driver::bind`](crate::blocking::Driver::bind).
    ///
    /// # Errors
    /// The system gives no such sockets.
    pub fn bind(local: SocketAddr, machine: M) -> Result<Self, OpenError> {
        Self::bind_with(local, Transports::UdpAndTcp, machine, DriverConfig::default())
    }

    /// [`bind`](Self::bind) with settings, for UDP, TCP, or both.
    ///
    /// # Errors
    /// The system gives no such sockets.
    pub fn bind_with(
        local: SocketAddr,
        transports: Transports,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        let (socket, listener) = open::bind_all(local, transports)?;
        Self::new(local, socket, listener, machine, settings)
    }

    /// Drives `machine` over sockets that are there already. They will no longer block.
    ///
    /// # Errors
    /// The system does not let the sockets be set up.
    pub fn from_sockets(
        socket: UdpSocket,
        listener: TcpListener,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        open::set_up_listener(&listener)?;
        let local = socket.local_addr()?;
        Self::new(local, Some(socket), Some(listener), machine, settings)
    }

    fn new(
        mut local: SocketAddr,
        socket: Option<UdpSocket>,
        listener: Option<TcpListener>,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        if let Some(listener) = &listener {
            local = listener.local_addr()?;
        }
        let socket = match socket {
            Some(socket) => {
                let state = open::set_up(&socket, &settings)?;
                local = socket.local_addr()?;
                Some(Socket { socket, state })
            }
            None => None,
        };
        let engine = HostEngine::new(machine, socket, listener.map(Listener), local, settings);
        Ok(Self { engine, poller: Poller::default() })
    }

    /// Does all that there is to do and never blocks: reads what has come, up to
    /// [`RECEIVED_PER_UPDATE`](crate::limits::RECEIVED_PER_UPDATE), fires timers, sends. Returns
    /// what happened; events that are not taken from the iterator are lost.
    ///
    /// # Errors
    /// The socket for datagrams no longer works.
    pub fn update(&mut self) -> io::Result<Drain<'_, M::Event>> {
        if let Some(connections) = &mut self.engine.connections {
            self.poller.wait(None, Some(connections), Some(Duration::ZERO))?;
        }
        self.engine.update()?;
        Ok(self.engine.events().drain(..))
    }

    /// Sends what the machine has to say, then blocks until there is something for
    /// [`update`](Self::update) to do, or until `deadline`. It may return early.
    ///
    /// # Errors
    /// The system cannot wait for the sockets.
    pub fn wait(&mut self, deadline: Monotonic) -> io::Result<()> {
        let wake = self.engine.turn();
        if self.engine.events().is_empty() { self.sleep(wake, Some(deadline)) } else { Ok(()) }
    }

    /// The next event: blocks until there is one, and drives the machine meanwhile. `None` after
    /// `timeout`.
    ///
    /// # Errors
    /// The socket for datagrams no longer works.
    pub fn next_event(&mut self, timeout: Duration) -> io::Result<Option<M::Event>> {
        // A time that no clock reaches never comes.
        let deadline = Monotonic::now().checked_add(timeout);
        loop {
            // A host that is always busy would not wait, nor notice that a stream has something.
            self.poller.refresh(self.engine.connections.as_mut())?;
            let intake =
                if self.engine.events().is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.turn();
            let event = self.engine.events().pop_front();
            if event.is_some() || deadline.is_some_and(|deadline| deadline <= Monotonic::now()) {
                return Ok(event);
            }
            if matches!(intake, RecvOutcome::Last(_) | RecvOutcome::Nothing) {
                self.sleep(wake, deadline)?;
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
        self.engine.observer().clock.now()
    }

    /// The machine, to look at.
    #[must_use]
    pub const fn machine(&self) -> &M {
        self.engine.machine()
    }

    /// From now on the link is like this for datagrams in one direction. What is under way
    /// arrives as it would have.
    pub fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        if let Some(datagrams) = &mut self.engine.datagrams {
            datagrams.set_conditions(direction, conditions);
        }
    }

    /// The address that the sockets are bound to.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.engine.observer().local
    }

    /// What was done so far.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.engine.stats()
    }

    /// Waits for the earliest of something to read or write, the machine's wake and the deadline.
    fn sleep(&mut self, wake: Option<Instant>, deadline: Option<Monotonic>) -> io::Result<()> {
        let wake = wake.and_then(|at| self.engine.observer().clock.monotonic(at));
        let until = [wake, deadline].into_iter().flatten().min();
        let most = until.map(|until| until.saturating_duration_since(Monotonic::now()));
        let socket = self.engine.datagrams.as_ref().map(|datagrams| &datagrams.port);
        self.poller.wait(socket, self.engine.connections.as_mut(), most)
    }
}

impl<M: Datagram + Streams + fmt::Debug> fmt::Debug for Host<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Host")
            .field("local", &self.local_addr())
            .field("machine", self.machine())
            .field("stats", self.stats())
            .finish_non_exhaustive()
    }
}
