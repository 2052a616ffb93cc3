use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Transport};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};
use gamewire_riptide::Format;
use gamewire_riptide::client::{Client, ClientConfig, Event};
use gamewire_riptide::server::{RelayFilter, Server, ServerConfig};

use super::client::{ClientChange, DrivenClient, Play, Repeated};
use super::messages::{ChatLine, Position, is_known};
use super::stats::GameStats;
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

/// A client of the demo's Riptide relay, which sends positions and lines of chat.
pub(super) struct Messenger {
    /// Messages received from other clients. `corrupted` of them were not valid.
    received: u64,
    corrupted: u64,
    walk: Repeated,
    talk: Repeated,
}

impl DrivenClient<Messenger> {
    /// Creates a client and starts to connect. The client acts earlier than the others by `ahead`.
    pub(super) fn riptide(
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
        let (walk, talk) = (Repeated::every(WALK), Repeated::every(TALK));
        let game = Messenger { received: 0, corrupted: 0, walk, talk };
        Ok(Self { name, transport, driver, ahead, has_entered: false, is_lost: false, game })
    }
}

impl Play for Messenger {
    type Machine = Client;

    fn on_event(&mut self, _: &mut Client, event: Event) -> ClientChange {
        match event {
            Event::Connected { .. } => ClientChange::Entered,
            Event::ConnectionFailed { .. } | Event::Disconnected { .. } => ClientChange::Lost,
            Event::MessageReceived { message } => {
                self.received = self.received.saturating_add(1);
                self.corrupted = self.corrupted.saturating_add(u64::from(!is_known(&message)));
                ClientChange::None
            }
            _ => ClientChange::None,
        }
    }

    fn act(&mut self, name: &str, client: &mut Client, time: Duration) {
        if let Some(tick) = self.walk.next(time) {
            let (y, x) = time.as_secs_f32().sin_cos();
            // If the link cannot send the message now, the message is lost.
            client.send(&Position { tick, x, y }).ok();
        }
        if let Some(number) = self.talk.next(time) {
            let text = format!("{name} has received {} messages", self.received);
            client.send(&ChatLine { number, text }).ok();
        }
    }

    fn leave(client: &mut Client) {
        client.disconnect();
    }

    fn stats(&self, _: &Client) -> (u64, GameStats) {
        (self.received, GameStats::Riptide { corrupted: self.corrupted })
    }
}
