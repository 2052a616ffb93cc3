use std::path::{Path, PathBuf};
use std::{env, io};

/// Folders that are often not on the PATH of root.
const FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/bin"];

/// The user and group `nobody` of most systems.
#[cfg(unix)]
pub(super) const SERVER_USER: u32 = 65_534;

/// Returns the path of freeciv-server.
pub(super) fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(FOLDERS.iter().map(PathBuf::from));
    folders.map(|folder| folder.join("freeciv-server")).find(|program| program.is_file())
}

/// Returns whether this program runs as root.
#[cfg(unix)]
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Makes a folder and its files writable for the user of the server.
#[cfg(unix)]
pub(super) fn give_to_server_user(folder: &Path) -> io::Result<()> {
    if !is_root() {
        return Ok(());
    }
    let give = |path: &Path| std::os::unix::fs::chown(path, Some(SERVER_USER), Some(SERVER_USER));
    give(folder)?;
    std::fs::read_dir(folder)?.try_for_each(|entry| give(&entry?.path()))
}

#[cfg(not(unix))]
pub(super) fn give_to_server_user(_: &Path) -> io::Result<()> {
    Ok(())
}
