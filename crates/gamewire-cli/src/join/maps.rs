use std::path::Path;

use gamewire::maps::MapCache;
use gamewire_teeworlds::client::NeededMap;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, stderr};

use crate::end::Failure;

/// The maps that are here, and the one that is coming.
pub(super) struct Maps {
    cache: MapCache,
    coming: Option<(NeededMap, ProgressBar)>,
}

impl Maps {
    pub(super) fn new(folder: &Path) -> Self {
        Self { cache: MapCache::new(folder), coming: None }
    }

    /// The file of a map, if it is here.
    pub(super) fn find(&self, map: &NeededMap) -> Result<Option<String>, Failure> {
        let found = self.cache.find(map).map_err(|error| self.failure(&error))?;
        Ok(found.map(|path| path.display().to_string()))
    }

    /// A download begins.
    pub(super) fn begin(&mut self, map: NeededMap) {
        let bar = if stderr().is_terminal() { bar(&map) } else { ProgressBar::hidden() };
        self.coming = Some((map, bar));
    }

    pub(super) fn progress(&self, received: usize) {
        if let Some((_, bar)) = &self.coming {
            bar.set_position(received.try_into().unwrap_or(u64::MAX));
        }
    }

    /// The download is complete: the map, and its file.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Result<Option<(NeededMap, String)>, Failure> {
        let Some((map, bar)) = self.coming.take() else { return Ok(None) };
        bar.finish_and_clear();
        let path = self.cache.keep(&map, bytes).map_err(|error| self.failure(&error))?;
        Ok(Some((map, path.display().to_string())))
    }

    fn failure(&self, error: &std::io::Error) -> Failure {
        Failure::Failed(format!(
            "the folder of maps {} does not work: {error}",
            self.cache.folder().display()
        ))
    }
}

fn bar(map: &NeededMap) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(map.size).unwrap_or(0));
    let style = ProgressStyle::with_template(
        "map {wide_bar:.cyan/dim} {bytes}/{total_bytes}  {binary_bytes_per_sec}",
    );
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}
