use std::path::Path;

use gamewire::maps::MapCache;
use gamewire_teeworlds::client::MapInfo;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, stderr};

use crate::exit_status::Failure;

/// The local maps, and the current download.
pub(super) struct Maps {
    cache: MapCache,
    /// The last map that was looked up, and its file. A server may announce the same map repeatedly.
    checked: Option<(MapInfo, Option<String>)>,
    coming: Option<(MapInfo, ProgressBar)>,
}

impl Maps {
    pub(super) fn new(folder: &Path) -> Self {
        Self { cache: MapCache::new(folder), checked: None, coming: None }
    }

    /// Returns the local file of a map, if there is one.
    pub(super) fn find(&mut self, map: &MapInfo) -> Result<Option<String>, Failure> {
        let wanted = content(map);
        if let Some((checked, file)) = &self.checked
            && *checked == wanted
        {
            return Ok(file.clone());
        }
        let found = self.cache.find(map).map_err(|error| self.failure(&error))?;
        let file = found.map(|path| path.display().to_string());
        self.checked = Some((wanted, file.clone()));
        Ok(file)
    }

    /// Starts a download.
    pub(super) fn begin(&mut self, map: MapInfo) {
        let bar = if stderr().is_terminal() { bar(&map) } else { ProgressBar::hidden() };
        self.coming = Some((map, bar));
    }

    pub(super) fn progress(&self, received: usize) {
        if let Some((_, bar)) = &self.coming {
            bar.set_position(received.try_into().unwrap_or(u64::MAX));
        }
    }

    /// Finishes the download and returns the map and its file.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Result<Option<(MapInfo, String)>, Failure> {
        let Some((map, bar)) = self.coming.take() else { return Ok(None) };
        bar.finish_and_clear();
        let path = self.cache.store(&map, bytes).map_err(|error| self.failure(&error))?;
        let file = path.display().to_string();
        self.checked = Some((content(&map), Some(file.clone())));
        Ok(Some((map, file)))
    }

    fn failure(&self, error: &std::io::Error) -> Failure {
        Failure::Failed(format!("cannot use the map folder {}: {error}", self.cache.folder().display()))
    }
}

/// Returns the map without its URL, which is not part of its identity.
fn content(map: &MapInfo) -> MapInfo {
    MapInfo { url: None, ..map.clone() }
}

fn bar(map: &MapInfo) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(map.size).unwrap_or(0));
    let style = ProgressStyle::with_template(
        "map {wide_bar:.cyan/dim} {bytes}/{total_bytes}  {binary_bytes_per_sec}",
    );
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn t11_a_map_is_read_again_only_if_another_was_named() {
        let folder = std::env::temp_dir().join(format!("gamewire-join-maps-{}", std::process::id()));
        let mut maps = Maps::new(&folder);
        let bytes = b"not really a map";
        let map = MapInfo { name: "dm1".into(), crc: 0x5f67_5e13, size: 16, sha256: None, url: None };
        assert_eq!(maps.find(&map).unwrap(), None);
        maps.begin(map.clone());
        let (_, file) = maps.keep(bytes).unwrap().unwrap();

        let mut later = Maps::new(&folder);
        assert_eq!(later.find(&map).unwrap(), Some(file.clone()));
        std::fs::remove_dir_all(&folder).unwrap();
        let elsewhere = MapInfo { url: Some("https://example.org/dm1.map".into()), ..map.clone() };
        for maps in [&mut maps, &mut later] {
            assert_eq!(maps.find(&elsewhere).unwrap(), Some(file.clone()), "without a look at the file");
            assert_eq!(maps.find(&MapInfo { crc: 1, ..map.clone() }).unwrap(), None);
            assert_eq!(maps.find(&map).unwrap(), None, "only the last one is remembered");
        }
    }
}
