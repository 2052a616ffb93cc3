use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};

use gamewire_machine::Instant as Moment;
use gamewire_net::{DriverConfig, blocking::Driver};
use gamewire_riptide::Format;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::LinkConfig;
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, TokenlessPolicy};

use super::freeciv::{FreecivDemoClient, FreecivDemoServer};
use super::monitor::TrafficMonitor;
use super::options::Demo;
use super::riptide::DemoRelay;
use super::riptide::RiptideDemoClient;
use super::stats::ConversationStats;
use super::teeworlds::Player;
use crate::exit_status::Failure;
use crate::output::palette;
use crate::url::UrlTransport;

const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
const KINDS: [(Format, UrlTransport); 4] = [
    (Format::V20, UrlTransport::Udp),
    (Format::V20, UrlTransport::Tcp),
    (Format::V21, UrlTransport::Udp),
    (Format::V21, UrlTransport::Tcp),
];
/// Time between two polls of the sockets.
pub(super) const PAUSE: Duration = Duration::from_millis(2);
/// Delay between the actions of clients.
const STAGGER: Duration = Duration::from_millis(470);
/// Time to wait for the last packets.
const FAREWELL: Duration = Duration::from_millis(200);

/// The servers and their clients.
pub(super) struct DemoRun {
    server: Driver<Server<WalkingGame>>,
    players: Vec<Player>,
    relay: DemoRelay,
    riptide_clients: Vec<RiptideDemoClient>,
    freeciv_server: FreecivDemoServer,
    freeciv_clients: Vec<FreecivDemoClient>,
    pub(super) watch: TrafficMonitor,
    began: Instant,
}

impl DemoRun {
    pub(super) fn open(options: &Demo) -> Result<Self, Failure> {
        let watch = TrafficMonitor::new(palette());
        let settings = || options.impair.apply(watch.on(DriverConfig::default()));
        let server = Server::new(config(), WalkingGame::default(), Moment::ZERO);
        let loopback = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let server = Driver::bind_with(loopback, server, settings())
            .map_err(|error| Failure::Failed(format!("cannot open a socket for the server: {error}")))?;
        let places = u16::from(options.players).saturating_mul(4);
        let relay = DemoRelay::open(loopback, places, settings())?;
        let (mut players, mut riptide_clients) = (Vec::new(), Vec::new());
        let mut ahead = Duration::ZERO;
        let mut next = || {
            ahead = ahead.saturating_add(STAGGER);
            ahead
        };
        for dialect in DIALECTS {
            for number in 1..=options.players {
                players.push(Player::new(dialect, number, next(), server.local_addr())?);
            }
        }
        for kind in KINDS {
            for number in 1..=options.players {
                riptide_clients.push(RiptideDemoClient::new(kind, number, next(), relay.address())?);
            }
        }
        let freeciv_server = FreecivDemoServer::open(loopback, options.players, settings())?;
        let freeciv_clients =
            (1..=options.players).map(|number| FreecivDemoClient::new(number, freeciv_server.address()));
        let freeciv_clients = freeciv_clients.collect::<Result<_, _>>()?;
        Ok(Self {
            server,
            players,
            relay,
            riptide_clients,
            freeciv_server,
            freeciv_clients,
            watch,
            began: Instant::now(),
        })
    }

    pub(super) fn time(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the number of clients.
    pub(super) const fn count(&self) -> usize {
        self.players
            .len()
            .saturating_add(self.riptide_clients.len())
            .saturating_add(self.freeciv_clients.len())
    }

    /// Polls every server and client once.
    pub(super) fn play(&mut self) -> Result<(), Failure> {
        self.server.update().map(drop).map_err(|error| socket_error(&error))?;
        self.relay.play()?;
        let time = self.time();
        self.players.iter_mut().try_for_each(|player| player.play(time))?;
        self.riptide_clients.iter_mut().try_for_each(|demo_client| demo_client.play(time))?;
        self.freeciv_server.play(time)?;
        self.freeciv_clients.iter_mut().try_for_each(FreecivDemoClient::play)
    }

    pub(super) fn figures(&self) -> Vec<ConversationStats> {
        let players = self.players.iter().map(|player| ConversationStats::of_player(player, &self.watch));
        let riptide_clients = self
            .riptide_clients
            .iter()
            .map(|demo_client| ConversationStats::of_riptide(demo_client, &self.watch));
        let freeciv_clients = self
            .freeciv_clients
            .iter()
            .map(|freeciv_client| ConversationStats::of_freeciv(freeciv_client, &self.watch));
        players.chain(riptide_clients).chain(freeciv_clients).collect()
    }

    /// Disconnects all clients.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        for player in &mut self.players {
            player.driver.machine_mut().disconnect("");
        }
        for demo_client in &mut self.riptide_clients {
            demo_client.driver.machine_mut().disconnect();
        }
        for freeciv_client in &mut self.freeciv_clients {
            freeciv_client.driver.machine_mut().close();
        }
        let began = Instant::now();
        while began.elapsed() < FAREWELL {
            self.play()?;
            thread::sleep(PAUSE);
        }
        self.relay.close()?;
        self.freeciv_server.close()?;
        self.server.machine_mut().close("the demo has ended");
        self.server.update().map(drop).map_err(|error| socket_error(&error))
    }
}

fn socket_error(error: &std::io::Error) -> Failure {
    Failure::Failed(format!("the server socket failed: {error}"))
}

/// Opens a server of all dialects. Its map is not a valid map.
fn config() -> ServerConfig {
    let bytes: Vec<u8> = (0..20_000_u32).map(|place| place.wrapping_mul(place).to_be_bytes()[1]).collect();
    let mut config = ServerConfig::new(gamewire::seed(), "gamewire demo", Map::new("demo", bytes));
    config.motd = "Every dialect on one port".into();
    config.max_clients = 64;
    config.max_clients_per_address = 64;
    // Loopback has no forged addresses.
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    config
}
