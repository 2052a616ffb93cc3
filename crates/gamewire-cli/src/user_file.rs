//! Files that the user names.

use std::fs::File;
use std::io::{self, Read as _, Take};
use std::path::Path;

use gamewire_inspect::render::Escaped;

use crate::exit_status::{Failure, create_message, io_message};

/// Reads a text file of at most `max` bytes. A larger one is the failure `too_large`.
pub(crate) fn read_text(path: &Path, max: u64, too_large: fn(String) -> Failure) -> Result<String, Failure> {
    read(path, max, too_large, Take::read_to_string)
}

/// Reads a file of at most `max` bytes. A larger one is the failure `too_large`.
pub(crate) fn read_bytes(
    path: &Path,
    max: u64,
    too_large: fn(String) -> Failure,
) -> Result<Vec<u8>, Failure> {
    read(path, max, too_large, Take::read_to_end)
}

fn read<T: Default + AsRef<[u8]>>(
    path: &Path,
    max: u64,
    too_large: fn(String) -> Failure,
    read: impl FnOnce(&mut Take<File>, &mut T) -> io::Result<usize>,
) -> Result<T, Failure> {
    let name = name_of(path);
    let mut content = T::default();
    File::open(path)
        .and_then(|file| read(&mut file.take(max.saturating_add(1)), &mut content))
        .map_err(|error| Failure::Failed(format!("cannot read {name}: {}", io_message(&error))))?;
    if u64::try_from(content.as_ref().len()).is_ok_and(|length| length > max) {
        return Err(too_large(format!("cannot use {name}: it is larger than {max} bytes")));
    }
    Ok(content)
}

/// Returns the failure for a file or folder that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write {}: {}", name_of(path), create_message(path, error)))
}

/// Returns the printable name of a file or folder.
pub(crate) fn name_of(path: &Path) -> Escaped<'_> {
    Escaped(path.as_os_str().as_encoded_bytes())
}
