//! A folder of downloaded maps.
//!
//! File names are the same as in the games' clients: the map's name and the checksum of its content. No server can
//! write outside the folder, and a file with other content is not used.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use gamewire_teeworlds::client::MapInfo;

/// A folder of downloaded maps.
#[derive(Clone, Debug)]
pub struct MapCache {
    folder: PathBuf,
}

impl MapCache {
    /// Creates a cache in `folder`. The folder is created with the first map.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Creates a cache in the folder of the user for cached data: `gamewire/maps` in `XDG_CACHE_HOME`, `~/.cache` or
    /// `LOCALAPPDATA`. Without such a folder, in the folder for temporary files.
    #[must_use]
    pub fn of_user() -> Self {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || variable("HOME").map(|home| home.join(".cache"));
        let folder = variable("XDG_CACHE_HOME").or_else(home).or_else(|| variable("LOCALAPPDATA"));
        Self::new(folder.unwrap_or_else(std::env::temp_dir).join("gamewire").join("maps"))
    }

    /// Returns the file of a map, if it is stored and its content has the server's checksums.
    ///
    /// # Errors
    /// [`io::Error`] if the file exists but cannot be read.
    pub fn find(&self, map: &MapInfo) -> io::Result<Option<PathBuf>> {
        let Some(path) = self.path(map) else { return Ok(None) };
        match fs::read(&path) {
            Ok(bytes) => Ok(map.check(&bytes).is_ok().then_some(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores a map atomically and returns its file.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if the map's name is not a file name, [`io::ErrorKind::InvalidData`] if the
    /// content does not have the server's checksums, or another [`io::Error`] if the file cannot be written.
    pub fn store(&self, map: &MapInfo, bytes: &[u8]) -> io::Result<PathBuf> {
        map.check(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let invalid = || io::Error::new(io::ErrorKind::InvalidInput, "the map's name is not a file name");
        let path = self.path(map).ok_or_else(invalid)?;
        fs::create_dir_all(&self.folder)?;
        let part = path.with_extension(format!("{}.part", std::process::id()));
        let written = fs::File::create(&part).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&part, &path)
        });
        if written.is_err() {
            // Remove the partial file, because nothing uses it.
            fs::remove_file(&part).ok();
        }
        written.map(|()| path)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, map: &MapInfo) -> Option<PathBuf> {
        map.file_name().map(|name| self.folder.join(name))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test panics")]
mod tests {
    use super::*;

    const BYTES: &[u8] = b"not really a map";
    /// CRC-32 of `BYTES`, computed by zlib.
    const CRC: u32 = 0x5f67_5e13;

    fn named(name: &str) -> MapInfo {
        let size = i32::try_from(BYTES.len()).unwrap();
        MapInfo { name: name.into(), crc: CRC, size, sha256: None, url: None }
    }

    fn cache(test: &str) -> MapCache {
        let folder = std::env::temp_dir().join(format!("gamewire-maps-{}-{test}", std::process::id()));
        fs::remove_dir_all(&folder).ok();
        MapCache::new(folder)
    }

    fn files(cache: &MapCache) -> Vec<String> {
        let entries = fs::read_dir(cache.folder()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_stored_map_is_found() {
        let (cache, map) = (cache("kept"), named("dm1"));
        assert_eq!(cache.find(&map).unwrap(), None);
        let path = cache.store(&map, BYTES).unwrap();
        assert_eq!(cache.find(&map).unwrap(), Some(path.clone()));
        assert_eq!(fs::read(path).unwrap(), BYTES);
        assert_eq!(files(&cache), ["dm1_5f675e13.map"], "and no other file");
        fs::remove_dir_all(cache.folder()).unwrap();
    }

    #[test]
    fn t11_unsafe_map_names_are_rejected() {
        let cache = cache("inside");
        let long = "n".repeat(300);
        for name in ["../../etc/passwd", "/etc/passwd", "..", ".hidden", "a\\b", "C:dm1", "", &long] {
            let error = cache.store(&named(name), BYTES).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name:?}");
            assert_eq!(cache.find(&named(name)).unwrap(), None, "{name:?}");
        }
        assert!(!cache.folder().exists());
    }

    #[test]
    fn t11_other_content_is_neither_stored_nor_found() {
        let (cache, map) = (cache("other"), named("dm1"));
        assert_eq!(cache.store(&map, b"something else").unwrap_err().kind(), io::ErrorKind::InvalidData);
        let path = cache.store(&map, BYTES).unwrap();
        fs::write(path, "tampered with").unwrap();
        assert_eq!(cache.find(&map).unwrap(), None);
        let wrong = MapInfo { sha256: Some([7; 32]), ..map };
        assert!(cache.store(&wrong, BYTES).is_err());
        fs::remove_dir_all(cache.folder()).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_an_error() {
        let file = std::env::temp_dir().join(format!("gamewire-maps-{}-file", std::process::id()));
        fs::write(&file, "").unwrap();
        assert!(MapCache::new(&file).store(&named("dm1"), BYTES).is_err());
        fs::remove_file(file).unwrap();
    }
}
