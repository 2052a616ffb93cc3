use core::fmt;
use core::future::poll_fn;
use core::task::{Context, Poll};
use std::io;
use std::net::SocketAddr;
use std::time::Instant as Monotonic;

use ::tokio::net::{TcpListener, UdpSocket};
use ::tokio::task::consume_budget;
use ::tokio::time::timeout_at;
use gamewire_machine::{Datagram, Instant, Streams};

use crate::datagrams::RecvOutcome;
use crate::host_engine::HostEngine;
use crate::limits::POLL_INTERVAL;
use crate::tokio::sockets::{Listener, Socket};
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, Transports, open};

/// Drives one machine over UDP, over the streams that peers open over TCP, or over both on one
/// port.
///
/// It is used as [`Driver`](crate::tokio::Driver) is. Dropping it sends and writes what is left,
/// as far as the system takes it at once.
///
/// A stream whose peer ends it or resets it is over at once, and so is one whose peer reads so
/// slowly that more than [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES) wait. A
/// stream that the machine closes goes once what was written before is delivered, after
/// [`CLOSING`](crate::limits::CLOSING) at the latest.
pub struct Host<M: Datagram + Streams> {
    engine: HostEngine<M, Socket, Listener>,
    /// When it last looked at streams.
    looked: Option<Monotonic>,
}

impl<M: Datagram + Streams> Host<M> {
    /// Binds sockets for UDP and TCP to `local` and drives `machine` over them. If the port is 0,
    /// one is found that is free for both. Peers over IPv4 as with
    /// [`Driver::bind`](crate::blocking::Driver::bind).
    ///
    /// # Errors
    /// The system gives no such sockets.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn bind(local: SocketAddr, machine: M) -> Result<Self, OpenError> {
        Self::bind_with(local, Transports::UdpAndTcp, machine, DriverConfig::default())
    }

    /// [`bind`](Self::bind) with settings, for UDP, TCP, or both.
    ///
    /// # Errors
    /// The system gives no such sockets.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
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
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn from_sockets(
        socket: std::net::UdpSocket,
        listener: std::net::TcpListener,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        open::set_up_listener(&listener)?;
        let local = socket.local_addr()?;
        Self::new(local, Some(socket), Some(listener), machine, settings)
    }

    fn new(
        mut local: SocketAddr,
        socket: Option<std::net::UdpSocket>,
        listener: Option<std::net::TcpListener>,
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
                Some(Socket { socket: UdpSocket::from_std(socket)?, state })
            }
            None => None,
        };
        let listener = listener.map(TcpListener::from_std).transpose()?.map(Listener::new);
        Ok(Self { engine: HostEngine::new(machine, socket, listener, local, settings), looked: None })
    }

    /// The next event, once there is one; the machine is driven meanwhile.
    ///
    /// It may be dropped at any await, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// The socket for datagrams no longer works.
    pub async fn next_event(&mut self) -> io::Result<M::Event> {
        loop {
            // A host that is always busy would not wait, nor notice that a stream has something.
            if self.looked.is_none_or(|at| at.elapsed() >= POLL_INTERVAL) {
                poll_fn(|context| Poll::Ready(self.look(context))).await;
            }
            let intake =
                if self.engine.events().is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.turn();
            // Sockets that always have something must not keep other tasks from running.
            consume_budget().await;
            if let Some(event) = self.engine.events().pop_front() {
                return Ok(event);
            }
            if intake != RecvOutcome::Nothing {
                continue;
            }
            let wake = wake.and_then(|at| self.engine.observer().clock.monotonic(at));
            let ready = poll_fn(|context| if self.look(context) { Poll::Ready(()) } else { Poll::Pending });
            match wake {
                // That the time is up is no failure.
                Some(at) => timeout_at(at.into(), ready).await.unwrap_or(()),
                None => ready.await,
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

    /// Marks what there is to do, and whether there is anything; if not, the task is woken when
    /// there is.
    fn look(&mut self, context: &mut Context<'_>) -> bool {
        let HostEngine { datagrams, connections, .. } = &mut self.engine;
        let socket = datagrams.as_ref().map(|datagrams| &datagrams.port.socket);
        let mut has_any = socket.is_some_and(|socket| socket.poll_recv_ready(context).is_ready());
        let Some(connections) = connections else { return has_any };
        self.looked = Some(Monotonic::now());
        if connections.wants_accept() && connections.listener.poll(context) {
            connections.mark_listener();
            has_any = true;
        }
        for place in 0..connections.slots().len() {
            let Some(line) = connections.slots().get(place) else { break };
            let (can_read, can_write) =
                line.pipe.connection.poll(context, line.wants_read(), line.pipe.is_blocked);
            has_any |= can_read || can_write;
            connections.set_readiness(place, can_read, can_write);
        }
        has_any
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
