use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Transport};
use gamewire_net::blocking::Driver;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::{Client, ClientConfig, Event, MapPolicy};
use gamewire_teeworlds::model::message::{Audience, Input};
use gamewire_teeworlds::value::Emoticon;

use super::figures::PageFigures;
use super::sink::TrafficMonitor;
use super::stats::{ConversationStats, DemoClient, GameStats, Identity};
use crate::exit_status::Failure;

/// Interval of a player's turns.
const WALK: Duration = Duration::from_millis(1500);
/// Interval of a player's chat lines.
const TALK: Duration = Duration::from_secs(4);

/// A Teeworlds client of the demo.
pub(super) struct Player {
    name: String,
    driver: Driver<Client>,
    has_entered: bool,
    is_lost: bool,
    map_bytes: usize,
    /// This player acts this much earlier than the others.
    ahead: Duration,
    turned: u128,
    chat_step: u128,
}

impl Player {
    /// Creates a player and starts to connect. The player acts earlier than the others by `ahead`. The first player of
    /// each dialect downloads the map.
    pub(super) fn new(
        dialect: Dialect,
        number: u8,
        ahead: Duration,
        server: SocketAddr,
    ) -> Result<Self, Failure> {
        let name = format!("{}-{number}", dialect.name());
        let mut config = ClientConfig::new(dialect, &name, gamewire::seed());
        if number == 1 {
            config.maps = MapPolicy::Ask;
        }
        let client = Client::connect(server, config, Instant::ZERO);
        let driver = Driver::bind(SocketAddr::new(server.ip(), 0), client)
            .map_err(|error| Failure::no_socket("a player", error))?;
        Ok(Self {
            name,
            driver,
            has_entered: false,
            is_lost: false,
            map_bytes: 0,
            ahead,
            turned: 0,
            chat_step: 0,
        })
    }

    fn act(&mut self, time: Duration) {
        let time = time.saturating_add(self.ahead);
        let step = |every: Duration| time.as_millis().checked_div(every.as_millis()).unwrap_or(0);
        if step(WALK) != self.turned {
            self.turned = step(WALK);
            let direction = if self.turned.is_multiple_of(2) { 1 } else { -1 };
            let input = Input { direction, target_x: direction, target_y: -20, ..Input::default() };
            self.driver.machine_mut().set_input(input);
        }
        if step(TALK) != self.chat_step {
            self.chat_step = step(TALK);
            let line = format!(
                "{} has received {} snapshots",
                self.name,
                self.driver.machine().stats().snapshots.good
            );
            // If the link cannot send the line now, the line is lost.
            self.driver.machine_mut().say(Audience::All, &line).ok();
            self.driver.machine_mut().emoticon(Emoticon::HEARTS).ok();
        }
    }
}

impl DemoClient for Player {
    fn play(&mut self, time: Duration) -> Result<(), Failure> {
        let events = self.driver.update().map_err(|error| Failure::socket_of(&self.name, error))?;
        let mut needs_map = false;
        for event in events {
            match event {
                Event::MapNeeded(_) => needs_map = true,
                Event::MapLoaded { bytes: Some(bytes) } => self.map_bytes = bytes.len(),
                Event::Entered => self.has_entered = true,
                Event::Closed(_) => self.is_lost = true,
                _ => {}
            }
        }
        if needs_map {
            // The event has just been received, so this cannot fail.
            self.driver.machine_mut().download_map().ok();
        }
        if self.has_entered && !self.is_lost {
            self.act(time);
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.driver.machine_mut().disconnect("");
    }

    fn stats(&self, monitor: &TrafficMonitor, page: PageFigures) -> ConversationStats {
        let stats = self.driver.machine().stats();
        ConversationStats {
            name: self.name.clone(),
            view: monitor.view(Transport::Udp, self.driver.local_addr()),
            has_entered: self.has_entered,
            received: stats.snapshots.good.saturating_add(stats.snapshots.empty),
            page,
            game: GameStats::Teeworlds { checksum_errors: stats.snapshots.bad, map_bytes: self.map_bytes },
        }
    }

    fn identity(&self) -> Identity<'_> {
        Identity { name: &self.name, transport: Transport::Udp, address: self.driver.local_addr() }
    }
}
