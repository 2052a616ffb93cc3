//! The driver for programs on tokio.

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::io::{self, ErrorKind, IoSliceMut};
use std::net::SocketAddr;
use std::time::Instant as Monotonic;

use ::tokio::io::{AsyncWrite, Interest};
use ::tokio::net::{TcpListener, TcpStream, UdpSocket};
use ::tokio::task::consume_budget;
use ::tokio::time::{self, timeout_at};
use gamewire_machine::Machine;
use quinn_udp::{RecvMeta, Transmit, UdpSocketState};

use crate::connect::{ConnectAttempts, ConnectStep};
use crate::datagrams::RecvOutcome;
use crate::engine::Engine;
use crate::limits::POLL_INTERVAL;
use crate::queue::Singles;
use crate::socket::request_quick_ack;
use crate::socket::{DatagramSocket, SocketRuntime, StdStream, StreamListener, StreamSocket};
use crate::{DriverConfig, OpenError, send_each};

/// An asynchronous driver: the application awaits its events.
///
/// It spawns no task. Timers fire and bytes move only while `next_event` is awaited, so keep awaiting it. Commands to
/// the machine only queue output, and the next await sends it. Dropping the driver sends as much of the remaining
/// output as the system accepts immediately.
///
/// All constructors panic outside of a tokio runtime with I/O and time enabled.
pub type Driver<M> = crate::Driver<M, Tokio>;

impl<M: Machine> Driver<M> {
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
        Self::connect_any(&[to], timeout, machine, config).await
    }

    /// Opens a TCP stream to one of the addresses of a server, each in turn, within `timeout`. While no route leads to
    /// any of them, the attempts are repeated.
    ///
    /// # Errors
    /// [`OpenError::Connect`] of the last address, or [`OpenError::SetUp`].
    pub async fn connect_any(
        servers: &[SocketAddr],
        timeout: Duration,
        machine: M,
        config: DriverConfig,
    ) -> Result<Self, OpenError> {
        let mut attempts = ConnectAttempts::new(servers, timeout);
        loop {
            match attempts.step() {
                ConnectStep::Connect(to, timeout) => {
                    let stream = time::timeout(timeout, TcpStream::connect(to)).await;
                    match stream.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into())) {
                        Ok(stream) => return Self::from_stream(stream.into_std()?, machine, config),
                        Err(source) => attempts.failed(to, source),
                    }
                }
                ConnectStep::Wait(time) => time::sleep(time).await,
                ConnectStep::Fail(error) => return Err(error),
            }
        }
    }

    /// Drives the machine until it has an event. Returns the event.
    ///
    /// This method is cancel-safe: no event is lost if the future is dropped at any await, as in `select!`.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotConnected`] if the stream that the driver opened is closed and no timer is set, so that no
    /// event can follow. Another error if the UDP socket no longer works.
    pub async fn next_event(&mut self) -> io::Result<M::Event> {
        loop {
            // A busy driver never waits, so it polls the streams from time to time.
            if self.engine.connections.is_some()
                && self.runtime.polled_at.is_none_or(|at| at.elapsed() >= POLL_INTERVAL)
            {
                poll_fn(|context| Poll::Ready(self.poll_sockets(context))).await;
            }
            let outcome =
                if self.engine.events.is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.drive();
            // Sockets that are always ready must not starve other tasks.
            consume_budget().await;
            if let Some(event) = self.engine.events.pop_front() {
                return Ok(event);
            }
            self.engine.check_alive()?;
            if outcome != RecvOutcome::Nothing {
                continue;
            }
            let wake = wake.and_then(|at| self.engine.observer.clock.monotonic(at));
            let ready =
                poll_fn(|context| if self.poll_sockets(context) { Poll::Ready(()) } else { Poll::Pending });
            match wake {
                // After a timeout, the machine's timer is due.
                Some(at) => timeout_at(at.into(), ready).await.unwrap_or(()),
                None => ready.await,
            }
        }
    }

    /// Marks the ready sockets. Returns whether there are any. If there are none, the task is woken when a socket
    /// becomes ready.
    fn poll_sockets(&mut self, context: &mut Context<'_>) -> bool {
        let Engine { datagrams, connections, .. } = &mut self.engine;
        let socket = datagrams.as_ref().map(|datagrams| &datagrams.port.socket);
        let mut has_any = socket.is_some_and(|socket| socket.poll_recv_ready(context).is_ready());
        let Some(connections) = connections else { return has_any };
        self.runtime.polled_at = Some(Monotonic::now());
        if connections.wants_accept() {
            // Poll all of them, so that each wakes the task.
            for listener in &mut connections.listeners {
                let is_acceptable = listener.socket.poll(context);
                connections.is_acceptable |= is_acceptable;
                has_any |= is_acceptable;
            }
        }
        for index in 0..connections.slots.len() {
            let Some(slot) = connections.slots.get(index) else { break };
            let (can_read, can_write) =
                slot.pipe.connection.poll(context, slot.wants_read(), slot.pipe.is_blocked);
            has_any |= can_read || can_write;
            connections.set_readiness(index, can_read, can_write);
        }
        has_any
    }
}

/// The runtime of the tokio driver: sockets that are registered with tokio.
#[derive(Default)]
pub struct Tokio {
    /// Time of the last check of the streams.
    polled_at: Option<Monotonic>,
}

impl SocketRuntime for Tokio {
    type Socket = Socket;
    type Listener = Listener;

    fn socket(socket: std::net::UdpSocket, state: UdpSocketState) -> io::Result<Socket> {
        Ok(Socket { socket: UdpSocket::from_std(socket)?, state })
    }

    fn listener(listener: std::net::TcpListener) -> io::Result<Listener> {
        Ok(Listener { listener: TcpListener::from_std(listener)?, accepted: None })
    }

    fn stream(stream: std::net::TcpStream) -> io::Result<TokioStream> {
        TcpStream::from_std(stream).map(TokioStream)
    }
}

/// A UDP socket.
pub struct Socket {
    socket: UdpSocket,
    state: UdpSocketState,
}

impl DatagramSocket for Socket {
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize> {
        let receive = || self.state.recv((&self.socket).into(), buffers, meta);
        self.socket.try_io(Interest::READABLE, receive)
    }

    fn send_batch(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        // Call the system directly, because tokio does not know at first that a socket is writable.
        self.state.try_send((&self.socket).into(), transmit)
    }

    fn send_each(&self, datagrams: Singles<'_>) -> io::Result<usize> {
        send_each(&self.socket, datagrams.map(|(to, datagram)| (Some(to), datagram)))
    }

    fn max_gso_segments(&self) -> usize {
        self.state.max_gso_segments()
    }
}

/// A TCP listener.
pub struct Listener {
    listener: TcpListener,
    /// A stream that was accepted while waiting, because tokio cannot wait for a stream without accepting it.
    accepted: Option<io::Result<(TcpStream, SocketAddr)>>,
}

impl Listener {
    /// Returns whether there is a stream to accept. If there is none, the task is woken when one arrives.
    fn poll(&mut self, context: &mut Context<'_>) -> bool {
        if self.accepted.is_none()
            && let Poll::Ready(accepted) = self.listener.poll_accept(context)
        {
            self.accepted = Some(accepted);
        }
        self.accepted.is_some()
    }
}

impl StreamListener for Listener {
    type Stream = TokioStream;

    fn accept(&mut self) -> io::Result<(TokioStream, SocketAddr)> {
        if !self.poll(&mut Context::from_waker(Waker::noop())) {
            return Err(ErrorKind::WouldBlock.into());
        }
        let (stream, peer) = self.accepted.take().unwrap_or_else(|| Err(ErrorKind::WouldBlock.into()))?;
        stream.set_nodelay(true)?;
        Ok((TokioStream(stream), peer))
    }
}

/// A stream's socket that is registered with tokio.
pub struct TokioStream(TcpStream);

impl TokioStream {
    /// Returns which of the requested directions are ready. If none is ready, the task is woken when one becomes
    /// ready.
    fn poll(&self, context: &mut Context<'_>, read: bool, write: bool) -> (bool, bool) {
        // The next read or write returns the error.
        let can_read = read && self.0.poll_read_ready(context).is_ready();
        let can_write = write && self.0.poll_write_ready(context).is_ready();
        (can_read, can_write)
    }
}

impl StreamSocket for TokioStream {
    // A task must not block its thread.
    const DRAIN_TIMEOUT: Duration = Duration::ZERO;

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.try_read(buffer)?;
        request_quick_ack(&self.0);
        Ok(count)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn finish(&mut self) {
        // The call completes immediately. A failure means that the peer is already disconnected.
        drop(Pin::new(&mut self.0).poll_shutdown(&mut Context::from_waker(Waker::noop())));
    }

    fn into_std(self) -> Option<StdStream> {
        self.0.into_std().ok().map(StdStream)
    }
}
