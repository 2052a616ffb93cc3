//! The definition of the recorded streams.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use gamewire_freeciv::packets;
use gamewire_schema::ir::Protocol;

static PROTOCOL: LazyLock<Arc<Protocol>> = LazyLock::new(|| Arc::new(packets::protocol()));

/// Returns the definition of Freeciv 3.0.
pub(crate) fn protocol() -> Arc<Protocol> {
    Arc::clone(&PROTOCOL)
}

/// Returns the root folder of the repository, from any package that compiles this file.
pub(crate) fn repository() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("definitions").is_dir()).unwrap().to_owned()
}
