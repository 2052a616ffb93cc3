use core::fmt;
use core::time::Duration;
use std::collections::vec_deque::Drain;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, Stream};
use rustix::event::{PollFd, PollFlags};

use crate::address::canonical;
use crate::blocking::poller::{READABLE, WRITABLE, wait};
use crate::blocking::sockets::StdStream;
use crate::stream_engine::{StreamEngine, nothing_more};
use crate::{DriverConfig, OpenError, Stats, open};

/// Drives one machine over one stream over TCP.
///
/// It is used as [`Driver`](crate::blocking::Driver) is. Dropping it writes what is left: it
/// waits for a peer that reads too slowly, but no longer than
/// [`PARTING`](crate::limits::PARTING).
///
/// When the peer ends the stream or resets it, the machine is told of the end; it is, too, when
/// more than [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES) wait for the peer to
/// read. Bad conditions of [`DriverConfig`] are for datagrams and change nothing here.
pub struct StreamDriver<M: Stream> {
    engine: StreamEngine<M, StdStream>,
}

impl<M: Stream> StreamDriver<M> {
    /// Connects to `to` and drives `machine` over the stream. Blocks until it is there, for at
    /// most `timeout`.
    ///
    /// # Errors
    /// There is no stream, or not in time.
    pub fn connect(to: SocketAddr, timeout: Duration, machine: M) -> Result<Self, OpenError> {
        Self::connect_with(to, timeout, machine, DriverConfig::default())
    }

    /// [`connect`](Self::connect) with settings.
    ///
    /// # Errors
    /// There is no stream, or not in time.
    pub fn connect_with(
        to: SocketAddr,
        timeout: Duration,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        // The library has no timeout of zero.
        let timeout = timeout.max(Duration::from_nanos(1));
        let stream =
            TcpStream::connect_timeout(&to, timeout).map_err(|source| OpenError::Connect { to, source })?;
        Self::from_stream(stream, machine, settings)
    }

    /// Drives `machine` over a stream that is there already. It will no longer block.
    ///
    /// # Errors
    /// The system does not let the stream be set up.
    pub fn from_stream(stream: TcpStream, machine: M, settings: DriverConfig) -> Result<Self, OpenError> {
        open::set_up_stream(&stream)?;
        let ends = (stream.local_addr()?, canonical(stream.peer_addr()?));
        Ok(Self { engine: StreamEngine::new(machine, StdStream(stream), ends, settings) })
    }

    /// Does all that there is to do and never blocks: reads what has come, up to a bound, fires
    /// timers, writes. Returns what happened; events that are not taken from the iterator are
    /// lost.
    ///
    /// # Errors
    /// The system cannot tell of the socket.
    pub fn update(&mut self) -> io::Result<Drain<'_, M::Event>> {
        if self.engine.interest().is_some() {
            self.poll(Some(Duration::ZERO))?;
        }
        self.engine.update();
        Ok(self.engine.events().drain(..))
    }

    /// Writes what the machine has to say, then blocks until there is something for
    /// [`update`](Self::update) to do, or until `deadline`. It may return early.
    ///
    /// # Errors
    /// The system cannot wait for the socket.
    pub fn wait(&mut self, deadline: Monotonic) -> io::Result<()> {
        let wake = self.engine.turn();
        if self.engine.events().is_empty() { self.sleep(wake, Some(deadline)) } else { Ok(()) }
    }

    /// The next event: blocks until there is one, and drives the machine meanwhile. `None` after
    /// `timeout`.
    ///
    /// # Errors
    /// The stream is over and nothing more can happen ([`io::ErrorKind::NotConnected`]), or the
    /// system cannot wait for the socket.
    pub fn next_event(&mut self, timeout: Duration) -> io::Result<Option<M::Event>> {
        // A time that no clock reaches never comes.
        let deadline = Monotonic::now().checked_add(timeout);
        loop {
            let taken = if self.engine.events().is_empty() { self.engine.receive() } else { 0 };
            let wake = self.engine.turn();
            let event = self.engine.events().pop_front();
            if event.is_some() {
                return Ok(event);
            }
            if !self.engine.is_open() && wake.is_none() {
                return Err(nothing_more());
            }
            if deadline.is_some_and(|deadline| deadline <= Monotonic::now()) {
                return Ok(None);
            }
            if taken == 0 {
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

    /// Whether the stream is open. Once it is not, nothing more comes of it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.engine.is_open()
    }

    /// The address of this end.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.engine.observer().local
    }

    /// The address of the peer.
    #[must_use]
    pub const fn peer_addr(&self) -> SocketAddr {
        self.engine.peer()
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
        self.poll(until.map(|until| until.saturating_duration_since(Monotonic::now())))
    }

    fn poll(&mut self, most: Option<Duration>) -> io::Result<()> {
        let Some((connection, read, write)) = self.engine.interest() else { return wait(&mut [], most) };
        let read = if read { PollFlags::IN } else { PollFlags::empty() };
        let write = if write { PollFlags::OUT } else { PollFlags::empty() };
        let mut sockets = [PollFd::new(&connection.0, read | write)];
        wait(&mut sockets, most)?;
        let [socket] = sockets;
        let told = socket.revents();
        self.engine.mark(told.intersects(READABLE), told.intersects(WRITABLE));
        Ok(())
    }
}

impl<M: Stream + fmt::Debug> fmt::Debug for StreamDriver<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("StreamDriver")
            .field("local", &self.local_addr())
            .field("peer", &self.peer_addr())
            .field("machine", self.machine())
            .field("stats", self.stats())
            .finish_non_exhaustive()
    }
}
