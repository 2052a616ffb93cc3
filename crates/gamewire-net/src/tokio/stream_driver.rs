use core::fmt;
use core::future::poll_fn;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use std::net::SocketAddr;

use ::tokio::net::TcpStream;
use ::tokio::task::consume_budget;
use ::tokio::time::{self, timeout_at};
use gamewire_machine::{Instant, Stream};

use crate::address::canonical;
use crate::stream_engine::{StreamEngine, nothing_more};
use crate::tokio::sockets::TokioStream;
use crate::{DriverConfig, OpenError, Stats, open};

/// Drives one machine over one stream over TCP.
///
/// It is used as [`Driver`](crate::tokio::Driver) is. Dropping it writes what is left, as far as
/// the system takes it at once.
///
/// When the peer ends the stream or resets it, the machine is told of the end; it is, too, when
/// more than [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES) wait for the peer to
/// read. Bad conditions of [`DriverConfig`] are for datagrams and change nothing here.
pub struct StreamDriver<M: Stream> {
    engine: StreamEngine<M, TokioStream>,
}

impl<M: Stream> StreamDriver<M> {
    /// Connects to `to` and drives `machine` over the stream. Takes at most `timeout`.
    ///
    /// # Errors
    /// There is no stream, or not in time.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O and time.
    pub async fn connect(to: SocketAddr, timeout: Duration, machine: M) -> Result<Self, OpenError> {
        Self::connect_with(to, timeout, machine, DriverConfig::default()).await
    }

    /// [`connect`](Self::connect) with settings.
    ///
    /// # Errors
    /// There is no stream, or not in time.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O and time.
    pub async fn connect_with(
        to: SocketAddr,
        timeout: Duration,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        let stream = time::timeout(timeout, TcpStream::connect(to)).await;
        let stream = stream.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        Self::new(stream.map_err(|source| OpenError::Connect { to, source })?, machine, settings)
    }

    /// Drives `machine` over a stream that is there already. It will no longer block.
    ///
    /// # Errors
    /// The system does not let the stream be set up.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn from_stream(
        stream: std::net::TcpStream,
        machine: M,
        settings: DriverConfig,
    ) -> Result<Self, OpenError> {
        open::set_up_stream(&stream)?;
        Self::new(TcpStream::from_std(stream)?, machine, settings)
    }

    fn new(stream: TcpStream, machine: M, settings: DriverConfig) -> Result<Self, OpenError> {
        stream.set_nodelay(true)?;
        let ends = (stream.local_addr()?, canonical(stream.peer_addr()?));
        Ok(Self { engine: StreamEngine::new(machine, TokioStream(stream), ends, settings) })
    }

    /// The next event, once there is one; the machine is driven meanwhile.
    ///
    /// It may be dropped at any await, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// The stream is over and nothing more can happen ([`io::ErrorKind::NotConnected`]).
    pub async fn next_event(&mut self) -> io::Result<M::Event> {
        loop {
            let taken = if self.engine.events().is_empty() { self.engine.receive() } else { 0 };
            let wake = self.engine.turn();
            // A stream that always has something must not keep other tasks from running.
            consume_budget().await;
            if let Some(event) = self.engine.events().pop_front() {
                return Ok(event);
            }
            if !self.engine.is_open() && wake.is_none() {
                return Err(nothing_more());
            }
            if taken > 0 {
                continue;
            }
            let wake = wake.and_then(|at| self.engine.observer().clock.monotonic(at));
            let ready = poll_fn(|context| self.poll(context));
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

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some((connection, read, write)) = self.engine.interest() else { return Poll::Pending };
        let (can_read, can_write) = connection.poll(context, read, write);
        self.engine.mark(can_read, can_write);
        if can_read || can_write { Poll::Ready(()) } else { Poll::Pending }
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
