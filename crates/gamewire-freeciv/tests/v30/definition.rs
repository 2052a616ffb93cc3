//! The definition that the streams are of.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, Sources};

static PROTOCOL: LazyLock<Arc<Protocol>> = LazyLock::new(|| {
    let folder = repository().join("definitions/freeciv-3.0");
    let constants = fs::read_to_string(folder.join("constants.toml")).unwrap();
    let constants = Constants::from_toml(&constants).unwrap();
    Arc::new(Sources::read(&folder).unwrap().compile(&constants).unwrap())
});

/// Freeciv 3.0.
pub(crate) fn protocol() -> Arc<Protocol> {
    Arc::clone(&PROTOCOL)
}

/// The top folder, from whichever package this is compiled in.
pub(crate) fn repository() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("definitions").is_dir()).unwrap().to_owned()
}
