//! The definition that the streams are of.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use gamewire_freeciv::packets;
use gamewire_schema::ir::Protocol;

static PROTOCOL: LazyLock<Arc<Protocol>> = LazyLock::new(|| Arc::new(packets::protocol()));

/// Freeciv 3.0.
pub(crate) fn protocol() -> Arc<Protocol> {
    Arc::clone(&PROTOCOL)
}

/// The top folder, from whichever package this is compiled in.
pub(crate) fn repository() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("definitions").is_dir()).unwrap().to_owned()
}
