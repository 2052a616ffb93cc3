use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};

use gamewire_machine::Instant as Moment;
use gamewire_net::{Settings, blocking::Driver};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::handshake::{GateConfig, Plain};
use gamewire_teeworlds::link::LinkConfig;
use gamewire_teeworlds::server::{Map, Server, ServerConfig, Stroll};

use super::figures::{Figures, HEAD, Totals};
use super::options::Demo;
use super::player::Player;
use super::screen::Screen;
use super::watch::Watch;
use crate::end::{End, Failure};
use crate::interrupt::Interrupt;
use crate::palette::palette;

const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
/// How long the sockets are left alone between two looks at them.
const PAUSE: Duration = Duration::from_millis(2);
/// How often the table is drawn.
const DRAW: Duration = Duration::from_millis(100);
/// So that not all players talk at once.
const STAGGER: Duration = Duration::from_millis(470);
/// How long is waited for the last words.
const FAREWELL: Duration = Duration::from_millis(200);

impl Demo {
    pub(crate) fn run(self) -> Result<End, Failure> {
        let interrupt = Interrupt::listen()?;
        let mut stage = Stage::open(&self)?;
        let screen = Screen::new(stage.players.len(), self.json);
        let mut drawn = Duration::ZERO;
        let is_time = |time: Duration| self.time.is_some_and(|end| time >= end);
        while !interrupt.is_pressed() && !is_time(stage.time()) {
            stage.play()?;
            while let Some(line) = stage.watch.next_line() {
                screen.tell(&line)?;
            }
            if screen.is_live() && stage.time() >= drawn {
                drawn = stage.time().saturating_add(DRAW);
                screen.show(&stage.figures(), stage.time());
            }
            thread::sleep(PAUSE);
        }
        let (time, figures) = (stage.time(), stage.figures());
        stage.close()?;
        screen.close();
        self.sum_up(&figures, time)
    }

    fn sum_up(&self, figures: &[Figures], time: Duration) -> Result<End, Failure> {
        let totals = Totals::of(figures);
        let mut out = anstream::stdout().lock();
        if self.json {
            for one in figures {
                writeln!(out, "{}", one.json())?;
            }
            writeln!(out, "{}", totals.json(time))?;
        } else {
            writeln!(out, "{HEAD}")?;
            for one in figures {
                writeln!(out, "{}", one.row(time).trim_end())?;
            }
            writeln!(out, "{}", totals.text(time))?;
        }
        for one in figures {
            if let Some(error) = &one.seen.first_error {
                crate::end::warn(format_args!("{}: {error}", one.name));
            }
        }
        if !totals.outside.is_empty() {
            return Err(Failure::Failed(format!(
                "these did not get into the game: {}",
                totals.outside.join(", ")
            )));
        }
        Ok(if totals.errors > 0 { End::Damaged } else { End::Well })
    }
}

/// The server and its players.
struct Stage {
    server: Driver<Server<Stroll>>,
    players: Vec<Player>,
    watch: Watch,
    began: Instant,
}

impl Stage {
    fn open(options: &Demo) -> Result<Self, Failure> {
        let watch = Watch::new(palette());
        let settings = options.bad_link.apply(watch.on(Settings::default()));
        let server = Server::new(config(), Stroll::default(), Moment::ZERO);
        let loopback = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let server = Driver::bind_with(loopback, server, settings)
            .map_err(|error| Failure::Failed(format!("cannot open a socket for the server: {error}")))?;
        let mut players = Vec::new();
        let mut ahead = Duration::ZERO;
        for dialect in DIALECTS {
            for number in 1..=options.players {
                players.push(Player::new(dialect, number, ahead, server.local_addr())?);
                ahead = ahead.saturating_add(STAGGER);
            }
        }
        Ok(Self { server, players, watch, began: Instant::now() })
    }

    fn time(&self) -> Duration {
        self.began.elapsed()
    }

    /// Turns everybody once.
    fn play(&mut self) -> Result<(), Failure> {
        self.server.update().map(drop).map_err(|error| broken(&error))?;
        let time = self.time();
        self.players.iter_mut().try_for_each(|player| player.play(time))
    }

    fn figures(&self) -> Vec<Figures> {
        self.players.iter().map(|player| Figures::of(player, &self.watch)).collect()
    }

    /// Everybody leaves, as they do in a game.
    fn close(&mut self) -> Result<(), Failure> {
        for player in &mut self.players {
            player.driver.machine().disconnect("");
        }
        let began = Instant::now();
        while began.elapsed() < FAREWELL {
            self.play()?;
            thread::sleep(PAUSE);
        }
        self.server.machine().close("the demo is over");
        self.server.update().map(drop).map_err(|error| broken(&error))
    }
}

fn broken(error: &std::io::Error) -> Failure {
    Failure::Failed(format!("the server's socket does not work any more: {error}"))
}

/// A server of all dialects. What it hands out as a map is no map; nobody looks at it.
fn config() -> ServerConfig {
    let bytes: Vec<u8> = (0..20_000_u32).map(|place| place.wrapping_mul(place).to_be_bytes()[1]).collect();
    let mut config = ServerConfig::new(gamewire::seed(), "gamewire demo", Map::new("demo", bytes));
    config.motd = "Every dialect on one port".into();
    config.max_clients = 64;
    config.max_clients_per_address = 64;
    // Nobody forges addresses on loopback.
    config.gate =
        GateConfig { plain: Plain::Trust(LinkConfig::vanilla(Dialect::V06)), ..GateConfig::vanilla() };
    config
}
