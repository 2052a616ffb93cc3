use std::sync::Arc;

use gamewire_tee::game_map::GameMap;
use gamewire_tee::rules::Rules;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::{Client, Event, MapInfo};

use crate::maps::MapCache;

/// A loader that reads the maps of a player from a folder, and downloads the missing ones.
#[derive(Debug)]
pub(super) struct MapLoader {
    cache: MapCache,
    rules: Option<Rules>,
    /// The map that is downloaded.
    wanted: Option<MapInfo>,
    error: Option<String>,
}

impl MapLoader {
    pub(super) const fn new(cache: MapCache, rules: Option<Rules>) -> Self {
        Self { cache, rules, wanted: None, error: None }
    }

    /// Returns why the last map could not be used.
    pub(super) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Continues the login of a client after an event. The client must ask for maps.
    pub(super) fn on_event(&mut self, event: &Event, client: &mut Client) {
        match event {
            Event::MapNeeded(map) => {
                (self.wanted, self.error) = (None, None);
                let stored = self.cache.find(map).ok().flatten();
                match stored.and_then(|path| std::fs::read(path).ok()) {
                    Some(bytes) => {
                        self.use_map(&bytes, client);
                        // The command fails only if another map replaced this one. Its event follows.
                        client.map_ready().ok();
                    }
                    None => {
                        self.wanted = Some(map.clone());
                        client.download_map().ok();
                    }
                }
            }
            Event::MapLoaded { bytes: Some(bytes) } => {
                // The event of a map that another one has replaced is ignored.
                if let Some(map) = self.wanted.take_if(|map| map.check(bytes).is_ok()) {
                    self.use_map(bytes, client);
                    if let Err(error) = self.cache.store(&map, bytes) {
                        self.error = Some(format!("cannot store the map {}: {error}", map.name));
                    }
                }
            }
            Event::MapRefused(refusal) => {
                self.error = Some(format!("cannot download the map: {refusal}"));
                client.map_ready().ok();
            }
            _ => {}
        }
    }

    fn use_map(&mut self, bytes: &[u8], client: &mut Client) {
        let rules = self.rules.unwrap_or_else(|| client.dialect().unwrap_or(Dialect::V07).rules());
        match GameMap::read(rules, bytes) {
            Ok(map) => client.set_map(Some(Arc::new(map))),
            Err(error) => self.error = Some(format!("cannot read the map: {error}")),
        }
    }
}
