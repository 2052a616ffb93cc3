use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use gamewire_schema::emit::Rust;
use gamewire_schema::ir::Protocol;

use super::source::shown;
use crate::end::Failure;
use crate::inspect::in_words;

/// Writes to a file, or to standard output without a path.
pub(super) fn write(to: Option<&Path>, content: &impl Display) -> Result<(), Failure> {
    let text = content.to_string();
    let Some(path) = to else {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    fs::write(path, text).map_err(|error| write_error(path, &error))
}

/// Writes code: a folder if the definition has topics and there is a path, otherwise one text.
pub(super) fn rust(protocol: &Protocol, to: Option<&Path>) -> Result<(), Failure> {
    let rust = Rust::new(protocol).map_err(|error| Failure::Failed(error.to_string()))?;
    let Some(folder) = to.filter(|_| !protocol.topics.is_empty()) else { return write(to, &rust.file()) };
    fs::create_dir_all(folder).map_err(|error| write_error(folder, &error))?;
    rust.folder().iter().try_for_each(|file| write(Some(&folder.join(&file.name)), &file.text))
}

fn write_error(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write {}: {}", shown(path), in_words(error)))
}

/// Summarizes the size of a definition in one line.
pub(super) fn summary(protocol: &Protocol) -> String {
    let fields = protocol.packets.iter().fold(0_usize, |sum, packet| sum.saturating_add(packet.fields.len()));
    let packets = protocol.packets.len();
    let aliases = protocol.aliases.len();
    let variants = protocol.variant_count();
    format!("{packets} packets, {fields} fields, {aliases} aliases, {variants} variants")
}
