//! The driver for programs without an asynchronous runtime.

use core::time::Duration;
use std::collections::vec_deque::Drain;
use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::task::Waker;
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, Machine};
use quinn_udp::{RecvMeta, Transmit, UdpSocketState};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::bind::set_up_stream;
use crate::connect::{ConnectAttempts, ConnectStep};
use crate::connections::Connections;
use crate::datagrams::RecvOutcome;
use crate::limits::{MAX_WAIT, POLL_INTERVAL};
use crate::queue::Singles;
use crate::socket::{DatagramSocket, SocketRuntime, StdStream, StreamListener};
use crate::waker::WakeReceiver;
use crate::{DriverConfig, OpenError, send_each};

/// A driver that blocks its thread while it waits.
///
/// Call `update` once a frame, or `next_event` in a program that does nothing else. Commands to the machine only queue
/// output. The next call of `update`, `wait` or `next_event` sends it. Dropping the driver sends the remaining output.
/// It waits for peers that read too slowly, for at most [`DRAIN_TIMEOUT`](crate::limits::DRAIN_TIMEOUT).
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
pub type Driver<M> = crate::Driver<M, Blocking>;

impl<M: Machine> Driver<M> {
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
        Self::connect_any(&[to], timeout, machine, config)
    }

    /// Opens a TCP stream to one of the addresses of a server, each in turn. Blocks until it is open, for at most
    /// `timeout`. While no route leads to any of them, the attempts are repeated.
    ///
    /// # Errors
    /// [`OpenError::Connect`] of the last address, or [`OpenError::SetUp`].
    pub fn connect_any(
        servers: &[SocketAddr],
        timeout: Duration,
        machine: M,
        config: DriverConfig,
    ) -> Result<Self, OpenError> {
        let mut attempts = ConnectAttempts::new(servers, timeout);
        loop {
            match attempts.step() {
                ConnectStep::Connect(to, timeout) => match TcpStream::connect_timeout(&to, timeout) {
                    Ok(stream) => return Self::from_stream(stream, machine, config),
                    Err(source) => attempts.failed(to, source),
                },
                ConnectStep::Wait(time) => std::thread::sleep(time),
                ConnectStep::Fail(error) => return Err(error),
            }
        }
    }

    /// Reads available data for up to [`RECEIVE_TIME`](crate::limits::RECEIVE_TIME), fires timers and sends. Never
    /// blocks. Returns the events. Events that the caller does not take from the iterator are lost.
    ///
    /// # Errors
    /// The UDP socket no longer works, or the system cannot poll the sockets.
    pub fn update(&mut self) -> io::Result<Drain<'_, M::Event>> {
        if let Some(connections) = &mut self.engine.connections {
            self.runtime.wait(None, Some(connections), Some(Duration::ZERO))?;
        }
        self.engine.update()?;
        Ok(self.engine.events.drain(..))
    }

    /// Returns a waker, with which another thread ends a [`wait`](Self::wait) or [`next_event`](Self::next_event) of this
    /// driver early. A wake between two waits ends the next one. Make the reason for the wake visible to this thread
    /// before waking it, for example by sending to a channel.
    ///
    /// ```
    /// # use std::{io, sync::mpsc::Receiver, time::Duration};
    /// # use gamewire_machine::Machine;
    /// # use gamewire_net::blocking::Driver;
    /// fn next_line<M: Machine>(driver: &mut Driver<M>) -> io::Result<Receiver<String>> {
    ///     let (waker, (sender, lines)) = (driver.waker()?, std::sync::mpsc::channel());
    ///     std::thread::spawn(move || {
    ///         for line in io::stdin().lines().map_while(Result::ok) {
    ///             let _ = sender.send(line);
    ///             waker.wake_by_ref();
    ///         }
    ///     });
    ///     Ok(lines)
    /// }
    /// ```
    ///
    /// # Errors
    /// The system has no socket left for the waker.
    pub fn waker(&mut self) -> io::Result<Waker> {
        self.runtime.waker()
    }

    /// Sends the machine's output, then blocks until [`update`](Self::update) has something to do, a
    /// [`waker`](Self::waker) is used, or `timeout` has passed. It may return early.
    ///
    /// # Errors
    /// The system cannot wait for the sockets.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let deadline = Monotonic::now().checked_add(timeout);
        let wake = self.engine.drive();
        // On a closed stream without a timer, only a waker can end the wait.
        let can_end = self.engine.check_alive().is_ok() || self.runtime.wakes.is_some();
        if self.engine.events.is_empty() && can_end {
            self.sleep(wake, deadline)?;
        }
        self.runtime.is_woken = false;
        Ok(())
    }

    /// Drives the machine until it has an event. Returns the event, or `None` after `timeout` or after a
    /// [`waker`](Self::waker) was used.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotConnected`] if the stream that the driver opened is closed and no timer is set, so that no
    /// event can follow. Another error if the UDP socket no longer works or the system cannot wait for the sockets.
    pub fn next_event(&mut self, timeout: Duration) -> io::Result<Option<M::Event>> {
        // `None` if the deadline is beyond the range of the system's clock: wait without a deadline.
        let deadline = Monotonic::now().checked_add(timeout);
        loop {
            // A busy driver never waits, so it polls the streams from time to time.
            self.runtime.refresh(self.engine.connections.as_mut())?;
            let outcome =
                if self.engine.events.is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.drive();
            let event = self.engine.events.pop_front();
            if event.is_some() {
                return Ok(event);
            }
            self.engine.check_alive()?;
            let is_woken = core::mem::take(&mut self.runtime.is_woken);
            if is_woken || deadline.is_some_and(|deadline| deadline <= Monotonic::now()) {
                return Ok(None);
            }
            if matches!(outcome, RecvOutcome::Last(_) | RecvOutcome::Nothing) {
                self.sleep(wake, deadline)?;
            }
        }
    }

    /// Waits for the earliest of a ready socket, `wake` and `deadline`.
    fn sleep(&mut self, wake: Option<Instant>, deadline: Option<Monotonic>) -> io::Result<()> {
        let wake = wake.and_then(|at| self.engine.observer.clock.monotonic(at));
        let until = [wake, deadline].into_iter().flatten().min();
        let timeout = until.map(|until| until.saturating_duration_since(Monotonic::now()));
        let socket = self.engine.datagrams.as_ref().map(|datagrams| &datagrams.port);
        self.runtime.wait(socket, self.engine.connections.as_mut(), timeout)
    }
}

/// The runtime of the blocking driver: sockets of the standard library. One call of `poll` waits for all of them.
/// Waits reuse their memory, so they do not allocate.
#[derive(Default)]
pub struct Blocking {
    /// Empty between two waits. Kept to reuse its memory.
    sockets: Vec<PollFd<'static>>,
    /// Ready streams, by index.
    ready: Vec<(usize, PollFlags)>,
    /// Time of the last check of the streams.
    last_refresh: Option<Monotonic>,
    /// The receiver of wakes, if there is a waker.
    wakes: Option<WakeReceiver>,
    /// True after a wake, until a wait has ended because of it.
    is_woken: bool,
}

impl SocketRuntime for Blocking {
    type Socket = Socket;
    type Listener = Listener;

    fn socket(socket: UdpSocket, state: UdpSocketState) -> io::Result<Socket> {
        Ok(Socket { socket, state })
    }

    fn listener(listener: TcpListener) -> io::Result<Listener> {
        Ok(Listener(listener))
    }

    fn stream(stream: TcpStream) -> io::Result<StdStream> {
        Ok(StdStream(stream))
    }
}

impl Blocking {
    fn waker(&mut self) -> io::Result<Waker> {
        let wakes = match self.wakes.take() {
            Some(wakes) => wakes,
            None => WakeReceiver::open()?,
        };
        Ok(self.wakes.insert(wakes).waker().clone())
    }

    /// Marks the ready streams, unless the last check was recent.
    pub(super) fn refresh(&mut self, connections: Option<&mut Connections<Listener>>) -> io::Result<()> {
        if connections.is_none() || self.last_refresh.is_some_and(|at| at.elapsed() < POLL_INTERVAL) {
            return Ok(());
        }
        self.wait(None, connections, Some(Duration::ZERO))
    }

    /// Waits until a socket is ready, for at most `timeout`. Marks the ready streams.
    pub(super) fn wait(
        &mut self,
        socket: Option<&Socket>,
        connections: Option<&mut Connections<Listener>>,
        timeout: Option<Duration>,
    ) -> io::Result<()> {
        let mut sockets: Vec<PollFd<'_>> = core::mem::take(&mut self.sockets);
        sockets.extend(self.wakes.as_ref().map(|wakes| PollFd::new(wakes.socket(), PollFlags::IN)));
        let wakes = sockets.len();
        sockets.extend(socket.map(|socket| PollFd::new(&socket.socket, PollFlags::IN)));
        let datagrams = sockets.len();
        let Some(connections) = connections else {
            let result = wait(&mut sockets, timeout);
            let is_woken = is_any_ready(sockets.get(..wakes));
            self.sockets = recycle(sockets);
            self.take_wakes(is_woken);
            return result;
        };
        let wants_accept = connections.wants_accept();
        let listeners = connections.listeners.iter().filter(|_| wants_accept);
        sockets.extend(listeners.map(|listener| PollFd::new(&listener.socket.0, PollFlags::IN)));
        let others = sockets.len();
        sockets.extend(connections.slots.iter().map(|slot| {
            let read = if slot.wants_read() { PollFlags::IN } else { PollFlags::empty() };
            let write = if slot.pipe.is_blocked { PollFlags::OUT } else { PollFlags::empty() };
            PollFd::new(&slot.pipe.connection.0, read | write)
        }));
        let result = wait(&mut sockets, timeout);
        let is_woken = is_any_ready(sockets.get(..wakes));
        let can_accept = is_any_ready(sockets.get(datagrams..others));
        let events = sockets.iter().skip(others).map(PollFd::revents).enumerate();
        self.last_refresh = Some(Monotonic::now());
        self.ready.extend(events.filter(|(_, events)| !events.is_empty()));
        self.sockets = recycle(sockets);
        self.take_wakes(is_woken);
        if can_accept {
            connections.is_acceptable = true;
        }
        for (index, events) in self.ready.drain(..) {
            connections.set_readiness(index, events.intersects(READABLE), events.intersects(WRITABLE));
        }
        result
    }

    fn take_wakes(&mut self, is_woken: bool) {
        if let Some(wakes) = self.wakes.as_ref().filter(|_| is_woken) {
            wakes.clear();
            self.is_woken = true;
        }
    }
}

/// Returns whether one of the sockets is ready.
fn is_any_ready(sockets: Option<&[PollFd<'_>]>) -> bool {
    sockets.is_some_and(|sockets| sockets.iter().any(|socket| !socket.revents().is_empty()))
}

/// Returns an empty list with the same memory, because collecting reuses it.
fn recycle(sockets: Vec<PollFd<'_>>) -> Vec<PollFd<'static>> {
    sockets.into_iter().map_while(|_| None).collect()
}

/// Events of a stream that can be read or has failed.
const READABLE: PollFlags = PollFlags::IN.union(FAILED);
/// Events of a stream that can be written to or has failed.
const WRITABLE: PollFlags = PollFlags::OUT.union(FAILED);
const FAILED: PollFlags = PollFlags::ERR.union(PollFlags::HUP).union(PollFlags::NVAL);

/// Waits until one of `sockets` is ready, for at most `timeout`. `None` waits without a limit.
fn wait(sockets: &mut [PollFd<'_>], timeout: Option<Duration>) -> io::Result<()> {
    // Not every system can poll an empty list.
    if let (true, Some(timeout)) = (sockets.is_empty(), timeout) {
        std::thread::sleep(timeout.min(MAX_WAIT));
        return Ok(());
    }
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout.min(MAX_WAIT)).ok());
    match poll(sockets, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// A UDP socket.
pub struct Socket {
    socket: UdpSocket,
    state: UdpSocketState,
}

impl DatagramSocket for Socket {
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize> {
        self.state.recv((&self.socket).into(), buffers, meta)
    }

    fn send_batch(&self, transmit: &Transmit<'_>) -> io::Result<()> {
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
pub struct Listener(TcpListener);

impl StreamListener for Listener {
    type Stream = StdStream;

    fn accept(&mut self) -> io::Result<(StdStream, SocketAddr)> {
        let (stream, peer) = self.0.accept()?;
        set_up_stream(&stream)?;
        Ok((StdStream(stream), peer))
    }
}
