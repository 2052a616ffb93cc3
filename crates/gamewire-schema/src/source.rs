//! The texts of a definition, which is one file or all files in a folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::limits::{MAX_BYTES, MAX_FILES};

/// Default name of the constants file.
const CONSTANTS: &str = "constants.toml";

/// One text of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name in diagnostics, which is a path.
    pub name: String,
    /// The [`Packet::topic`](crate::ir::Packet::topic) of its packets.
    pub topic: String,
    /// Content.
    pub text: String,
}

/// All texts of a definition. Aliases and cancels can refer to items in all texts.
///
/// ```
/// use gamewire_schema::{Constants, Sources};
///
/// let mut sources = Sources::default();
/// sources.add("defs/city.def", "PACKET_CITY_REMOVE = 30; sc\n  CITY id;\nend");
/// sources.add("defs/types.def", "type CITY = uint16(int)");
/// let protocol = sources.compile(&Constants::default()).unwrap();
/// assert_eq!(protocol.packets[0].topic, "city");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// Creates a definition with one text. Its packets have no topic.
    pub fn only(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { list: vec![Source { name: name.into(), topic: String::new(), text: text.into() }] }
    }

    /// Adds a text. Its topic is the file name without folder and extension.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) {
        let name = name.into();
        let topic = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.list.push(Source { name, topic, text: text.into() });
    }

    /// Returns the texts, in order.
    pub fn list(&self) -> &[Source] {
        &self.list
    }

    /// Returns the text in which the span of a [`Diagnostic`](crate::Diagnostic) starts, and the byte range of the span
    /// in this text. Returns `None` if there are no texts.
    pub fn at(&self, span: &Range<usize>) -> Option<(&Source, Range<usize>)> {
        let (start, source) = self.with_offsets().take_while(|(start, _)| *start <= span.start).last()?;
        Some((source, span.start.saturating_sub(start)..span.end.saturating_sub(start)))
    }

    /// Returns the texts, each with the offset of its first byte. Offsets count through all texts. Between two texts is
    /// one more byte, which belongs to the end of the first text.
    pub(crate) fn with_offsets(&self) -> impl Iterator<Item = (usize, &Source)> {
        self.list.iter().scan(0_usize, |next, source| {
            let start = *next;
            *next = start.saturating_add(source.text.len()).saturating_add(1);
            Some((start, source))
        })
    }

    /// Reads a definition: one file, or all `*.def` files in a folder, in the order of their names.
    ///
    /// # Errors
    /// [`ReadError`] if a file or folder cannot be read, is not UTF-8, is too large, or if the folder has no `*.def`
    /// file.
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
                return Err(ReadError::TooLarge { path: path.to_owned() });
            }
            sources.add(file.to_string_lossy(), text);
        }
        Ok(sources)
    }
}

/// The error for a definition that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// I/O error.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The file is not UTF-8.
    #[error("cannot read {}: byte {byte} is not UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Offset of the first invalid byte.
        byte: usize,
    },
    /// The folder contains no `*.def` file.
    #[error("no *.def file in {}", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// The definition has too many files or bytes.
    #[error("{} is too large for a definition", path.display())]
    TooLarge {
        /// The file or folder.
        path: PathBuf,
    },
}

/// Returns the default path of the constants file, which is in the folder of the definition.
pub fn constants_file(definition: &Path) -> PathBuf {
    if definition.is_dir() { definition.join(CONSTANTS) } else { definition.with_file_name(CONSTANTS) }
}

/// Returns the `*.def` files in a folder, sorted by name.
fn definitions(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let io_error = |error| ReadError::Io { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error)? {
        let path = entry.map_err(io_error)?.path();
        if path.extension().is_some_and(|extension| extension == "def") {
            files.push(path);
        }
        if files.len() > MAX_FILES {
            return Err(ReadError::TooLarge { path: folder.to_owned() });
        }
    }
    if files.is_empty() {
        return Err(ReadError::NoFiles { path: folder.to_owned() });
    }
    files.sort_unstable();
    Ok(files)
}

/// Reads a file of a definition, or its constants file. It may have up to [`MAX_BYTES`] bytes.
///
/// # Errors
/// [`ReadError`] if the file cannot be read, is not UTF-8, or is too large.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let max = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(max).read_to_end(&mut bytes));
    read.map_err(|error| ReadError::Io { path: path.to_owned(), error })?;
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge { path: path.to_owned() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        ReadError::NotUtf8 { path: path.to_owned(), byte }
    })
}
