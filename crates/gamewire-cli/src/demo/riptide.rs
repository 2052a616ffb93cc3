use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Transport};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};
use gamewire_riptide::Format;
use gamewire_riptide::client::{Client, ClientConfig, Event};
use gamewire_riptide::server::{RelayFilter, Server, ServerConfig};

use super::figures::PageFigures;
use super::messages::{ChatLine, Position, is_known};
use super::sink::TrafficMonitor;
use super::stats::{ConversationStats, DemoClient, GameStats, Identity};
use crate::exit_status::Failure;
use crate::riptide::{new_client, open_client};

/// A Riptide server that relays all messages of its clients.
pub(super) struct DemoRelay {
    host: Driver<Server>,
}

impl DemoRelay {
    /// Opens a server with `places` slots on a free port.
    pub(super) fn open(local: SocketAddr, places: u16) -> Result<Self, Failure> {
        let mut config = ServerConfig::new(places);
        config.relay_filter = (0..=u16::MAX).collect::<RelayFilter>();
        let server = Server::new(config, Instant::ZERO);
        let host = Driver::listen_with(local, Transports::UdpAndTcp, server, DriverConfig::default())
            .map_err(|error| {
                Failure::Failed(format!("cannot open the sockets of the Riptide server: {error}"))
            })?;
        Ok(Self { host })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.host.local_addr()
    }

    /// Handles all pending events.
    pub(super) fn play(&mut self) -> Result<(), Failure> {
        self.host
            .update()
            .map(drop)
            .map_err(|error| Failure::Failed(format!("the Riptide server's sockets failed: {error}")))
    }

    /// Stops the server and disconnects its clients.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        self.host.machine_mut().stop();
        self.play()
    }
}

/// Interval of a client's position messages.
const WALK: Duration = Duration::from_millis(100);
/// Interval of a client's chat messages.
const TALK: Duration = Duration::from_secs(8);

/// A client of the demo's Riptide relay.
pub(super) struct RiptideDemoClient {
    name: String,
    driver: Driver<Client>,
    transport: Transport,
    has_entered: bool,
    /// Messages received from other clients. `corrupted` of them were not valid.
    received: u64,
    corrupted: u64,
    is_lost: bool,
    ahead: Duration,
    walked: u128,
    chat_step: u128,
}

impl RiptideDemoClient {
    /// Creates a client and starts to connect. The client acts earlier than the others by `ahead`.
    pub(super) fn new(
        format: Format,
        transport: Transport,
        number: u8,
        ahead: Duration,
        server: SocketAddr,
    ) -> Result<Self, Failure> {
        /// Timeout for opening a stream on this machine.
        const TIMEOUT: Duration = Duration::from_secs(5);
        let name = format!("rt-{format}-{}-{number}", transport.name());
        let client =
            new_client(transport.into(), None, &server.to_string(), server, &ClientConfig::new(format))
                .map_err(|error| Failure::no_socket(&name, error))?;
        let local = SocketAddr::new(server.ip(), 0);
        let driver = open_client(transport.into(), local, server, TIMEOUT, client, DriverConfig::default())
            .map_err(|error| Failure::no_socket(&name, error))?;
        Ok(Self {
            name,
            driver,
            transport,
            has_entered: false,
            received: 0,
            corrupted: 0,
            is_lost: false,
            ahead,
            walked: 0,
            chat_step: 0,
        })
    }

    fn act(&mut self, time: Duration) {
        let time = time.saturating_add(self.ahead);
        let step = |every: Duration| time.as_millis().checked_div(every.as_millis()).unwrap_or(0);
        let number = |step: u128| u32::try_from(step).unwrap_or(u32::MAX);
        if step(WALK) != self.walked {
            self.walked = step(WALK);
            let (y, x) = time.as_secs_f32().sin_cos();
            // If the link cannot send the message now, the message is lost.
            self.driver.machine_mut().send(&Position { tick: number(self.walked), x, y }).ok();
        }
        if step(TALK) != self.chat_step {
            self.chat_step = step(TALK);
            let text = format!("{} has received {} messages", self.name, self.received);
            self.driver.machine_mut().send(&ChatLine { number: number(self.chat_step), text }).ok();
        }
    }
}

impl DemoClient for RiptideDemoClient {
    fn play(&mut self, time: Duration) -> Result<(), Failure> {
        let events = self.driver.update().map_err(|error| Failure::socket_of(&self.name, error))?;
        for event in events {
            match event {
                Event::Connected { .. } => self.has_entered = true,
                Event::MessageReceived { message } => {
                    self.received = self.received.saturating_add(1);
                    self.corrupted = self.corrupted.saturating_add(u64::from(!is_known(&message)));
                }
                Event::ConnectionFailed { .. } | Event::Disconnected { .. } => self.is_lost = true,
                _ => {}
            }
        }
        if self.has_entered && !self.is_lost {
            self.act(time);
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.driver.machine_mut().disconnect();
    }

    fn stats(&self, monitor: &TrafficMonitor, page: PageFigures) -> ConversationStats {
        ConversationStats {
            name: self.name.clone(),
            view: monitor.view(self.transport, self.driver.local_addr()),
            has_entered: self.has_entered,
            received: self.received,
            page,
            game: GameStats::Riptide { corrupted: self.corrupted },
        }
    }

    fn identity(&self) -> Identity<'_> {
        Identity { name: &self.name, transport: self.transport, address: self.driver.local_addr() }
    }
}
