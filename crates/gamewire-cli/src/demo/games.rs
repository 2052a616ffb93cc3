use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};

use gamewire_machine::{Instant as Moment, Transport};
use gamewire_net::blocking::Driver;
use gamewire_page::Source;
use gamewire_riptide::Format;
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};

use super::client::{DemoClient, DrivenClient, Identity};
use super::freeciv::FreecivDemoServer;
use super::proxies::{Proxies, UnseenPackets};
use super::riptide::DemoRelay;
use super::sink::TrafficMonitor;
use super::stats::ConversationStats;
use crate::exit_status::Failure;
use crate::impairment::Impairment;

const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
const KINDS: [(Format, Transport); 4] = [
    (Format::V20, Transport::Udp),
    (Format::V20, Transport::Tcp),
    (Format::V21, Transport::Udp),
    (Format::V21, Transport::Tcp),
];
/// Time between two polls of the sockets.
pub(super) const PAUSE: Duration = Duration::from_millis(2);
/// Delay between the actions of clients.
const STAGGER: Duration = Duration::from_millis(470);
/// Time to wait for the last packets.
const FAREWELL: Duration = Duration::from_millis(200);

/// The servers, clients and proxies of the demo.
pub(super) struct DemoRun {
    server: Driver<Server<WalkingGame>>,
    relay: DemoRelay,
    freeciv_server: FreecivDemoServer,
    clients: Vec<Box<dyn DemoClient>>,
    pub(super) proxies: Proxies,
    pub(super) monitor: TrafficMonitor,
    began: Instant,
}

impl DemoRun {
    /// Opens the servers, the proxies in front of them, and the players. Adds the names of the players to `source`.
    pub(super) fn open(players: u8, impairment: Impairment, source: &Source) -> Result<Self, Failure> {
        let monitor = TrafficMonitor::new();
        let mut proxies = Proxies::new(source.clone(), monitor.clone(), impairment.0);
        let game = WalkingGame { spawn: super::map::SPAWN, ..WalkingGame::default() };
        let server = Server::new(config()?, game, Moment::ZERO);
        let loopback = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let server =
            Driver::bind(loopback, server).map_err(|error| Failure::no_socket("the server", error))?;
        let relay = DemoRelay::open(loopback, u16::from(players).saturating_mul(4))?;
        let freeciv_server = FreecivDemoServer::open(loopback, players)?;
        let teeworlds = proxies.open(server.local_addr(), Transport::Udp)?;
        let riptide_udp = proxies.open(relay.address(), Transport::Udp)?;
        let riptide_tcp = proxies.open(relay.address(), Transport::Tcp)?;
        let freeciv = proxies.open(freeciv_server.address(), Transport::Tcp)?;
        let mut clients: Vec<Box<dyn DemoClient>> = Vec::new();
        let mut ahead = Duration::ZERO;
        let mut next = || {
            ahead = ahead.saturating_add(STAGGER);
            ahead
        };
        for dialect in DIALECTS {
            for number in 1..=players {
                clients.push(Box::new(DrivenClient::teeworlds(dialect, number, next(), teeworlds)?));
            }
        }
        for (format, transport) in KINDS {
            let server = if transport == Transport::Udp { riptide_udp } else { riptide_tcp };
            for number in 1..=players {
                let client = DrivenClient::riptide(format, transport, number, next(), server)?;
                clients.push(Box::new(client));
            }
        }
        for number in 1..=players {
            clients.push(Box::new(DrivenClient::freeciv(number, freeciv, freeciv_server.summaries())?));
        }
        for client in &clients {
            let Identity { name, transport, address } = client.identity();
            source.set_client_name(address, transport, name);
            monitor.set_name(transport, address, name);
        }
        Ok(Self { server, relay, freeciv_server, clients, proxies, monitor, began: Instant::now() })
    }

    pub(super) fn time(&self) -> Duration {
        self.began.elapsed()
    }

    /// Polls every server and client once.
    pub(super) fn play(&mut self) -> Result<(), Failure> {
        let time = self.time();
        self.server.update().map(drop).map_err(Failure::server_socket)?;
        self.relay.play()?;
        self.freeciv_server.play(time)?;
        self.clients.iter_mut().try_for_each(|client| client.play(time))
    }

    pub(super) fn stats(&self) -> Vec<ConversationStats> {
        let mut pages = self.proxies.figures();
        let mut page = |name| pages.remove(name).unwrap_or_default();
        self.clients.iter().map(|client| client.stats(&self.monitor, page(client.identity().name))).collect()
    }

    /// Disconnects all clients. Returns the packets that are not in the figures of any player.
    pub(super) fn close(&mut self) -> Result<UnseenPackets, Failure> {
        self.clients.iter_mut().for_each(|client| client.leave());
        let began = Instant::now();
        while began.elapsed() < FAREWELL {
            self.play()?;
            thread::sleep(PAUSE);
        }
        self.relay.close()?;
        self.freeciv_server.close()?;
        self.server.machine_mut().close("the demo has ended");
        self.server.update().map(drop).map_err(Failure::server_socket)?;
        Ok(self.proxies.close())
    }
}

/// Returns the configuration of a server for all dialects.
fn config() -> Result<ServerConfig, Failure> {
    let bytes = super::map::room().map_err(|error| Failure::Failed(format!("no map: {error}")))?;
    let mut config = ServerConfig::new(gamewire::seed(), "gamewire demo", Map::new("demo", bytes));
    config.motd = "Every dialect on one port".into();
    config.max_clients = 64;
    config.max_clients_per_address = 64;
    // No address is forged on loopback, so clients without tokens are accepted.
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    Ok(config)
}
