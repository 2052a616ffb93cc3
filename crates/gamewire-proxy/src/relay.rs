//! The sockets of a proxy, with one bridge per client and bounded queues.

mod client;
mod clients;
mod closing;
mod config;
mod control;
mod datagrams;
mod link;
mod new_clients;
mod outbox;
mod ready;
mod sockets;
mod stats;
mod stream;
mod streams;

pub use config::{BridgeFactory, Limits, NewClient, RelayConfig, Timeouts};
pub use control::{Control, ControlError};
pub use stats::RelayStats;

use core::time::Duration;
use std::io;
use std::net::SocketAddr;
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, Role, TimerTable};
use gamewire_net::{ReceiveBatch, bind_both};
use gamewire_watch::{CloseReason, Feed, ObservedPacket, Watched, feed, unix_nanos};
use mio::net::TcpListener;
use mio::{Events, Interest, Poll, Token, Waker};
use thiserror::Error;

use self::client::Path;
use self::clients::{Clients, Slot};
use self::config::{FLUSH, MAX_READ_BYTES, SWEEP};
use self::control::{Command, Controlled};
use self::link::{Links, Pushed};
use self::new_clients::NewClients;
use self::outbox::Outbox;
use self::ready::{LISTENER, Ready, UDP, WAKER, client_of};
use self::sockets::Socket;
use self::stats::increment;

/// Maximum number of socket events per poll.
const MAX_EVENTS: usize = 1_024;

/// An error at the start of a relay.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The server's address is the proxy's own address.
    #[error("the proxy cannot be its own server: {0} is where it listens")]
    Itself(SocketAddr),
    /// The system cannot bind the address.
    #[error("cannot listen on {transport} address {local}: {source}")]
    Bind {
        /// UDP or TCP.
        transport: &'static str,
        /// The requested address.
        local: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The system cannot register the sockets with the poller.
    #[error("cannot set up a socket: {0}")]
    SetUp(#[from] io::Error),
}

/// A proxy's sockets, tables and timers. [`run`](Self::run) relays traffic until a [`Control`] stops it.
pub struct Relay {
    config: RelayConfig,
    poll: Poll,
    local: SocketAddr,
    udp: Option<Socket>,
    listener: Option<TcpListener>,
    clients: Clients,
    links: Links,
    timers: TimerTable,
    new_clients: NewClients,
    feed: Feed,
    stats: RelayStats,
    /// Sockets that may have data to read or space to write.
    ready: Ready,
    /// Streams that are not read, because the link to the other side is busy.
    held_up: Ready,
    /// Reusable receive buffers, taken while they are in use.
    batch: Option<ReceiveBatch>,
    received: Vec<u8>,
    sent: Vec<u8>,
    outbox: Outbox,
    controlled: Controlled,
    began: Monotonic,
    next_sweep: Instant,
    /// Time to pass the collected packets to the watcher.
    flush_at: Option<Instant>,
    is_stopped: bool,
}

/// The result of [`Relay::open`].
pub struct OpenedRelay {
    /// The relay, to run.
    pub relay: Relay,
    /// Controls the relay from another thread.
    pub control: Control,
    /// The relay's reports of its traffic, for a [`Watcher`](gamewire_watch::Watcher). If it is dropped, so are the
    /// reports.
    pub watched: Watched,
}

impl Relay {
    /// Binds the sockets.
    ///
    /// # Errors
    /// [`OpenError`] if the server is the proxy itself, or if the system cannot bind the address or set up the
    /// sockets.
    pub fn open(config: RelayConfig) -> Result<OpenedRelay, OpenError> {
        sockets::raise_socket_limit();
        let mut local = config.listen;
        // Check this before binding, because binding fails if the address is in use.
        if sockets::is_itself(local, config.server) {
            return Err(OpenError::Itself(config.server));
        }
        let (mut listener, mut udp) = bind(&config)?;
        let poll = Poll::new()?;
        if let Some(socket) = &mut listener {
            local = socket.local_addr()?;
            poll.registry().register(socket, LISTENER, Interest::READABLE)?;
        }
        if let Some(Socket { socket, .. }) = &mut udp {
            local = socket.local_addr()?;
            poll.registry().register(socket, UDP, Interest::READABLE)?;
        }
        if sockets::is_itself(local, config.server) {
            return Err(OpenError::Itself(config.server));
        }
        let (control, controlled) = Control::new(Waker::new(poll.registry(), WAKER)?);
        let (feed, watched) = feed();
        let burst = u32::try_from(config.limits.clients).unwrap_or(u32::MAX);
        let relay = Self {
            poll,
            local,
            udp,
            listener,
            clients: Clients::default(),
            links: Links::new(config.conditions, config.seed),
            timers: TimerTable::new(),
            new_clients: NewClients::new(burst, config.limits.new_clients_per_second),
            feed,
            stats: RelayStats::default(),
            ready: Ready::default(),
            held_up: Ready::default(),
            batch: Some(ReceiveBatch::new()),
            received: vec![0; MAX_READ_BYTES],
            sent: Vec::new(),
            outbox: Outbox::default(),
            controlled,
            began: Monotonic::now(),
            next_sweep: Instant::ZERO,
            flush_at: None,
            is_stopped: false,
            config,
        };
        Ok(OpenedRelay { relay, control, watched })
    }

    /// Returns the address to which the sockets are bound.
    pub const fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// Returns the server's address.
    pub const fn server_addr(&self) -> SocketAddr {
        self.config.server
    }

    /// Relays traffic until a [`Control`] stops the relay, and returns the counters.
    ///
    /// # Errors
    /// An I/O error if polling the sockets fails.
    pub fn run(mut self) -> io::Result<RelayStats> {
        let mut events = Events::with_capacity(MAX_EVENTS);
        while !self.is_stopped {
            self.turn(&mut events)?;
        }
        let all: Vec<Slot> = self.clients.iter().map(|(slot, _)| slot).collect();
        for slot in all {
            self.close(slot, CloseReason::Stopped);
        }
        self.publish();
        self.feed.finish();
        Ok(self.stats)
    }

    /// Waits for sockets and timers, and handles those that are ready.
    fn turn(&mut self, events: &mut Events) -> io::Result<()> {
        let wait = if self.ready.is_empty() { self.wait() } else { Duration::ZERO };
        match self.poll.poll(events, Some(wait)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        for event in &*events {
            self.ready.add(event.token());
        }
        self.execute_commands();
        let now = self.now();
        self.fire_timers(now);
        self.send_due(now);
        self.send_datagrams();
        for _ in 0..self.ready.len() {
            let Some(token) = self.ready.pop() else { break };
            self.serve(token);
        }
        if self.next_sweep <= now {
            self.next_sweep = now + SWEEP;
            self.sweep(now);
        }
        self.flush_feed(now);
        Ok(())
    }

    /// Passes packets to the watcher with a short delay: waking it for each packet would cost as much as relaying the
    /// packet.
    fn flush_feed(&mut self, now: Instant) {
        match self.flush_at {
            Some(at) if at <= now => {
                self.flush_at = None;
                self.feed.flush();
            }
            None if !self.feed.is_empty() => self.flush_at = Some(now + FLUSH),
            _ => {}
        }
    }

    /// Returns the time until the next timer is due.
    fn wait(&self) -> Duration {
        let timer = self.timers.next().map(|wake| wake.at);
        let wakes = [timer, self.links.wake(), Some(self.next_sweep), self.flush_at];
        let next = wakes.into_iter().flatten().min();
        let wait = next.map_or(SWEEP, |next| next.since(self.now()));
        // The poller rounds the wait down to whole milliseconds.
        if wait.is_zero() { wait } else { wait.max(Duration::from_millis(1)) }
    }

    fn now(&self) -> Instant {
        let micros = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        Instant::from_micros(micros)
    }

    fn serve(&mut self, token: Token) {
        match token {
            UDP => {
                self.receive_from_clients();
                self.send_datagrams();
            }
            LISTENER => self.accept(),
            WAKER => {}
            socket => {
                let (index, side) = client_of(socket);
                let Some(slot) = self.clients.at(index) else { return };
                match self.clients.get(slot).map(|client| &client.path) {
                    Some(Path::Udp(_)) => {
                        self.receive_from_server(slot);
                        self.send_datagrams();
                    }
                    Some(Path::Tcp(_)) => self.serve_stream(slot, side),
                    None => {}
                }
            }
        }
    }

    fn execute_commands(&mut self) {
        while let Ok(command) = self.controlled.commands.try_recv() {
            match command {
                Command::SetConditions(to, conditions) => self.links.set(to, conditions),
                Command::Close(number) => {
                    let slot = self.clients.iter().map(|(slot, _)| slot).find(|slot| slot.client == number);
                    if let Some(slot) = slot {
                        self.close(slot, CloseReason::Requested);
                    }
                }
                Command::SetServer(server) if !sockets::is_itself(self.local, server) => {
                    self.config.server = server;
                }
                // A name now resolves to the proxy. Keep the earlier address.
                Command::SetServer(_) => {}
                Command::Stop => self.is_stopped = true,
            }
        }
    }

    fn fire_timers(&mut self, now: Instant) {
        while let Some(index) = self.timers.pop_due(now) {
            let Some(slot) = self.clients.at(index) else { continue };
            if let Some(client) = self.clients.get_mut(slot) {
                client.bridge.handle_timeout(now);
            }
            self.drain(slot, now);
        }
    }

    /// Sends the delayed bytes that are due.
    fn send_due(&mut self, now: Instant) {
        let mut datagram = core::mem::take(&mut self.sent);
        let mut has_sent = false;
        while let Some((to, slot)) = self.links.pop(now, &mut datagram) {
            self.send(slot, to, &datagram);
            has_sent = true;
        }
        self.sent = datagram;
        if has_sent {
            while let Some(token) = self.held_up.pop() {
                self.ready.add(token);
            }
        }
    }

    /// Passes bytes from one side to the bridge, and sends the bridge's output. The arrival time is given in the
    /// bridges' clock and in nanoseconds since 1970.
    fn deliver(&mut self, slot: Slot, from: Role, bytes: &[u8], now: Instant, time: i64) {
        let Some(client) = self.clients.get_mut(slot) else { return };
        let is_proof = client.received(now, from, bytes.len());
        self.feed.packet(client.packet(time, from, from.other()), bytes);
        client.bridge.handle(now, from, bytes);
        if is_proof {
            self.clients.proven(slot);
        }
        self.drain(slot, now);
    }

    /// Sends the bridge's output for both sides, and sets its timer.
    fn drain(&mut self, slot: Slot, now: Instant) {
        let mut bytes = core::mem::take(&mut self.sent);
        for to in Role::BOTH {
            while let Some(client) = self.clients.get_mut(slot) {
                if !client.bridge.poll_transmit(now, to, &mut bytes) {
                    break;
                }
                let transport = client.transport();
                match self.links.push(now, transport, to, slot, &bytes) {
                    Pushed::SendNow => self.send(slot, to, &bytes),
                    Pushed::Delayed => {}
                    Pushed::Lost => {
                        if let Some(client) = self.clients.get(slot) {
                            let packet = client.packet(unix_nanos(), to, to);
                            self.feed.packet(ObservedPacket { is_lost: true, ..packet }, &bytes);
                        }
                    }
                }
            }
        }
        self.sent = bytes;
        let Some(client) = self.clients.get(slot) else { return };
        self.timers.set(slot.index, client.bridge.poll_timeout());
        if client.bridge.is_over() {
            self.finish(slot);
        }
    }

    /// Writes bytes to the stream of one side, or queues them as a datagram for it.
    fn send(&mut self, slot: Slot, to: Role, bytes: &[u8]) {
        let Some(client) = self.clients.get_mut(slot) else { return };
        let Path::Tcp(streams) = &mut client.path else {
            return self.queue_datagram(slot, to, bytes);
        };
        let end = streams.end(to);
        end.push(bytes);
        match end.write() {
            Ok(()) => {
                client.stats_to(to).count_sent(bytes.len());
                self.feed.packet(client.packet(unix_nanos(), to, to), bytes);
            }
            Err(error) => {
                increment(&mut client.stats_to(to).not_sent);
                self.close(slot, CloseReason::NoServer(error.kind()));
            }
        }
    }
}

/// Binds the sockets for clients to one port.
fn bind(config: &RelayConfig) -> Result<(Option<TcpListener>, Option<Socket>), OpenError> {
    let error = |transport| move |source| OpenError::Bind { transport, local: config.listen, source };
    let listen = |local| -> Result<_, OpenError> {
        let listener = TcpListener::bind(local).map_err(error("TCP"))?;
        let port = listener.local_addr()?.port();
        Ok((listener, port))
    };
    let bind = |local| sockets::bind_udp(local).map_err(error("UDP"));
    Ok(match (config.tcp, config.udp) {
        (true, true) => {
            let (listener, socket) = bind_both(config.listen, listen, bind)?;
            (Some(listener), Some(socket))
        }
        (true, false) => (Some(listen(config.listen)?.0), None),
        (false, true) => (None, Some(bind(config.listen)?)),
        (false, false) => (None, None),
    })
}
