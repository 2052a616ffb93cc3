//! The file that describes the messages of a game (`--messages`).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gamewire_inspect::messages;
use gamewire_inspect::render::Escaped;
use gamewire_riptide::layout::MessageLayouts;

use crate::exit_status::{Failure, io_message};

/// Maximum size of the file in bytes. Thousands of messages fit.
const MAX_SIZE: u64 = 1 << 20;

/// Reads the descriptions of a game's messages.
pub(crate) fn load(path: &Path) -> Result<MessageLayouts, Failure> {
    let name = Escaped(path.as_os_str().as_encoded_bytes());
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_SIZE.saturating_add(1)).read_to_string(&mut text))
        .map_err(|error| Failure::Failed(format!("cannot read {name}: {}", io_message(&error))))?;
    if u64::try_from(text.len()).is_ok_and(|length| length > MAX_SIZE) {
        return Err(Failure::Usage(format!("cannot use {name}: it is larger than {MAX_SIZE} bytes")));
    }
    messages::parse(&text).map_err(|error| Failure::Usage(format!("cannot use {name}: {error}")))
}
