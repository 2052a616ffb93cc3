use core::fmt;
use core::time::Duration;
use std::collections::vec_deque::Drain;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Instant as Monotonic;

use gamewire_machine::{Datagram, Instant};
use rustix::event::{PollFd, PollFlags};

use crate::blocking::poller::wait;
use crate::blocking::sockets::Socket;
use crate::datagrams::RecvOutcome;
use crate::engine::Engine;
use crate::{Conditions, Direction, DriverConfig, OpenError, Stats, open};

/// Drives one machine over one UDP socket.
///
/// Call [`update`](Self::update) once a frame, or [`next_event`](Self::next_event) where the
/// program has nothing else to do. Commands to the [`machine`](Self::machine) are sent by the next
/// such call. Dropping the driver sends what is left.
///
/// Datagrams are not fragmented on their way: one that is too long for it is dropped and counted.
///
/// ```
/// use std::time::Duration;
/// use gamewire_machine::Datagram;
/// use gamewire_net::blocking::Driver;
///
/// fn listen<M: Datagram<Event: std::fmt::Debug>>(machine: M) -> Result<(), Box<dyn std::error::Error>> {
///     let mut driver = Driver::bind("0.0.0.0:0".parse()?, machine)?;
///     while let Some(event) = driver.next_event(Duration::from_secs(10))? {
///         println!("{event:?}");
///     }
///     Ok(())
/// }
/// ```
pub struct Driver<M: Datagram> {
    engine: Engine<M, Socket>,
}

impl<M: Datagram> Driver<M> {
    /// Binds a socket to `local` and drives `machine` over it. An IPv6 socket bound to the
    /// unspecified address serves IPv4 as well where the system has it so; such peers are known
    /// by their IPv4 addresses.
    ///
    /// # Errors
    /// The system gives no such socket.
    pub fn bind(local: SocketAddr, machine: M) -> Result<Self, OpenError> {
        Self::bind_with(local, machine, DriverConfig::default())
    }

    /// [`bind`](Self::bind) with settings.
    ///
    /// # Errors
    /// The system gives no such socket.
    pub fn bind_with(local: SocketAddr, machine: M, settings: DriverConfig) -> Result<Self, OpenError> {
        Self::from_socket(open::bind(local)?, machine, settings)
    }

    /// Drives `machine` over a socket that is there already. It will no longer block.
    ///
    /// # Errors
    /// The system does not let the socket be set up.
    pub fn from_socket(socket: UdpSocket, machine: M, settings: DriverConfig) -> Result<Self, OpenError> {
        let state = open::set_up(&socket, &settings)?;
        let local = socket.local_addr()?;
        Ok(Self { engine: Engine::new(machine, Socket { socket, state }, local, settings) })
    }

    /// Does all that there is to do and never blocks: reads what has come, up to
    /// [`RECEIVED_PER_UPDATE`](crate::limits::RECEIVED_PER_UPDATE), fires timers, sends. Returns
    /// what happened; events that are not taken from the iterator are lost.
    ///
    /// # Errors
    /// The socket no longer works.
    pub fn update(&mut self) -> io::Result<Drain<'_, M::Event>> {
        self.engine.update()?;
        Ok(self.engine.events().drain(..))
    }

    /// Sends what the machine has to say, then blocks until there is something for
    /// [`update`](Self::update) to do: a datagram, the machine's timer, an event; or until
    /// `deadline`. It may return early.
    ///
    /// # Errors
    /// The system cannot wait for the socket.
    pub fn wait(&mut self, deadline: Monotonic) -> io::Result<()> {
        let wake = self.engine.drive();
        if self.engine.events().is_empty() { self.sleep(wake, Some(deadline)) } else { Ok(()) }
    }

    /// The next event: blocks until there is one, and drives the machine meanwhile. `None` after
    /// `timeout`.
    ///
    /// # Errors
    /// The socket no longer works.
    pub fn next_event(&mut self, timeout: Duration) -> io::Result<Option<M::Event>> {
        // A time that no clock reaches never comes.
        let deadline = Monotonic::now().checked_add(timeout);
        loop {
            let intake =
                if self.engine.events().is_empty() { self.engine.receive()? } else { RecvOutcome::Nothing };
            let wake = self.engine.drive();
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

    /// Waits for the earliest of a datagram, the machine's wake and the deadline.
    fn sleep(&self, wake: Option<Instant>, deadline: Option<Monotonic>) -> io::Result<()> {
        let wake = wake.and_then(|at| self.engine.clock().monotonic(at));
        let until = [wake, deadline].into_iter().flatten().min();
        let socket = PollFd::new(&self.engine.port().socket, PollFlags::IN);
        wait(&mut [socket], until.map(|until| until.saturating_duration_since(Monotonic::now())))
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
