//! The file that describes the messages of a game (`--messages`).

use std::path::Path;

use gamewire_inspect::messages;
use gamewire_riptide::layout::MessageLayouts;

use crate::exit_status::Failure;
use crate::user_file::{name_of, read_text};

/// Maximum size of the file in bytes. Thousands of messages fit.
const MAX_SIZE: u64 = 1 << 20;

/// Reads the descriptions of a game's messages.
pub(crate) fn load(path: &Path) -> Result<MessageLayouts, Failure> {
    let text = read_text(path, MAX_SIZE, Failure::Usage)?;
    messages::parse(&text).map_err(|error| Failure::Usage(format!("cannot use {}: {error}", name_of(path))))
}
