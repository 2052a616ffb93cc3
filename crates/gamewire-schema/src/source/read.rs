use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::sources::Sources;
use crate::limits::{MAX_BYTES, MAX_FILES};

/// The file of constants where none is named.
const CONSTANTS: &str = "constants.toml";

/// Files of a definition that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// What was to be read.
        path: PathBuf,
        /// Why it could not.
        #[source]
        error: io::Error,
    },
    /// It is not UTF-8.
    #[error("{} is no text: byte {byte} is not UTF-8", path.display())]
    NoText {
        /// The file.
        path: PathBuf,
        /// The first byte that is wrong, from 0.
        byte: usize,
    },
    /// A folder without any `*.def`.
    #[error("{} has no file *.def", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// More files or bytes than a definition may have.
    #[error("{} is too large for a definition", path.display())]
    TooMuch {
        /// The file or folder.
        path: PathBuf,
    },
}

impl Sources {
    /// Reads a definition: one file, or all `*.def` of a folder in the order of their names.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        if !path.is_dir() {
            return Ok(Self::only(path.to_string_lossy(), read_text(path)?));
        }
        let mut sources = Self::default();
        let mut bytes = 0_usize;
        for file in definitions(path)? {
            let text = read_text(&file)?;
            bytes = bytes.saturating_add(text.len());
            if bytes > MAX_BYTES {
                return Err(ReadError::TooMuch { path: path.to_owned() });
            }
            sources.add(file.to_string_lossy(), text);
        }
        Ok(sources)
    }
}

/// Where the constants of a definition stand if nobody says otherwise: in its folder.
#[must_use]
pub fn constants_file(definition: &Path) -> PathBuf {
    if definition.is_dir() { definition.join(CONSTANTS) } else { definition.with_file_name(CONSTANTS) }
}

/// The definitions in a folder, by name.
fn definitions(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let refused = |error| ReadError::Io { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        if path.extension().is_some_and(|ending| ending == "def") {
            files.push(path);
        }
        if files.len() > MAX_FILES {
            return Err(ReadError::TooMuch { path: folder.to_owned() });
        }
    }
    if files.is_empty() {
        return Err(ReadError::NoFiles { path: folder.to_owned() });
    }
    files.sort_unstable();
    Ok(files)
}

/// Reads a file of a definition, or its constants: text of a bounded length.
///
/// # Errors
///
/// See [`ReadError`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| ReadError::Io { path: path.to_owned(), error })?;
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooMuch { path: path.to_owned() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        ReadError::NoText { path: path.to_owned(), byte }
    })
}
