use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Transport};
use gamewire_net::blocking::Driver;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::{Client, ClientConfig, Event, MapPolicy};
use gamewire_teeworlds::model::message::{Audience, Input};
use gamewire_teeworlds::value::Emoticon;

use super::client::{ClientChange, DrivenClient, Play, Repeated};
use super::stats::GameStats;
use crate::exit_status::Failure;

/// Interval of a player's turns.
const WALK: Duration = Duration::from_millis(1500);
/// Interval of a player's chat lines.
const TALK: Duration = Duration::from_secs(4);

/// A player of Teeworlds, which walks and talks.
pub(super) struct Walker {
    map_bytes: usize,
    walk: Repeated,
    talk: Repeated,
}

impl DrivenClient<Walker> {
    /// Creates a player and starts to connect. The player acts earlier than the others by `ahead`. The first player of
    /// each dialect downloads the map.
    pub(super) fn teeworlds(
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
        let game = Walker { map_bytes: 0, walk: Repeated::every(WALK), talk: Repeated::every(TALK) };
        Ok(Self { name, transport: Transport::Udp, driver, ahead, has_entered: false, is_lost: false, game })
    }
}

impl Play for Walker {
    type Machine = Client;

    fn on_event(&mut self, client: &mut Client, event: Event) -> ClientChange {
        match event {
            // The event has just been received, so this cannot fail.
            Event::MapNeeded(_) => _ = client.download_map(),
            Event::MapLoaded { bytes: Some(bytes) } => self.map_bytes = bytes.len(),
            Event::Entered => return ClientChange::Entered,
            Event::Closed(_) => return ClientChange::Lost,
            _ => {}
        }
        ClientChange::None
    }

    fn act(&mut self, name: &str, client: &mut Client, time: Duration) {
        if let Some(step) = self.walk.next(time) {
            let direction = if step.is_multiple_of(2) { 1 } else { -1 };
            client.set_input(Input { direction, target_x: direction, target_y: -20, ..Input::default() });
        }
        if self.talk.next(time).is_some() {
            let line = format!("{name} has received {} snapshots", client.stats().snapshots.good);
            // If the link cannot send the line now, the line is lost.
            client.say(Audience::All, &line).ok();
            client.emoticon(Emoticon::HEARTS).ok();
        }
    }

    fn leave(client: &mut Client) {
        client.disconnect("");
    }

    fn stats(&self, client: &Client) -> (u64, GameStats) {
        let snapshots = client.stats().snapshots;
        let game = GameStats::Teeworlds { checksum_errors: snapshots.bad, map_bytes: self.map_bytes };
        (snapshots.good.saturating_add(snapshots.empty), game)
    }
}
