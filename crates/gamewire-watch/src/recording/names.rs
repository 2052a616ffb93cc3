use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use gamewire_inspect::capture::WriteError;

/// The name of recordings in a folder, without a number.
const NAME_IN_FOLDER: &str = "recording.pcapng";
/// Maximum number of names to try, because another program may take them at the same time.
const MAX_ATTEMPTS: u32 = 1_000;

/// The names of the files of a recording: a single one, or numbered ones such as `game_00001.pcapng`.
#[derive(Debug)]
pub(super) struct FileNames {
    /// The path without a number.
    path: PathBuf,
    /// The number of the next file. `None` if there is only one file.
    next: Option<u32>,
}

impl FileNames {
    /// Returns the names for a file or a folder. Names in a folder, or of a recording with a rotation, have numbers above
    /// the existing ones.
    pub(super) fn new(path: &Path, is_rotated: bool) -> io::Result<Self> {
        let ends_with_separator = path
            .as_os_str()
            .as_encoded_bytes()
            .last()
            .is_some_and(|last| char::from(*last) == MAIN_SEPARATOR);
        let is_folder = ends_with_separator || path.is_dir();
        if !is_folder && !is_rotated {
            return Ok(Self { path: path.to_owned(), next: None });
        }
        if ends_with_separator {
            fs::create_dir_all(path)?;
        }
        let path = if is_folder { path.join(NAME_IN_FOLDER) } else { path.to_owned() };
        let last = last_number(&path)?;
        Ok(Self { path, next: Some(last.saturating_add(1)) })
    }

    /// Creates the next file with `create`, which must refuse an existing file. Returns the result and the path.
    pub(super) fn create<T>(
        &mut self,
        create: impl Fn(&Path) -> Result<T, WriteError>,
    ) -> Result<(PathBuf, T), WriteError> {
        let Some(first) = self.next else { return Ok((self.path.clone(), create(&self.path)?)) };
        let mut number = first;
        loop {
            let path = numbered(&self.path, number);
            number = number.saturating_add(1);
            match create(&path) {
                Err(error)
                    if error.source.kind() == io::ErrorKind::AlreadyExists
                        && number.saturating_sub(first) < MAX_ATTEMPTS => {}
                created => {
                    self.next = Some(number);
                    return created.map(|file| (path, file));
                }
            }
        }
    }
}

/// Returns the parts of a name before and after the number.
fn parts(path: &Path) -> (OsString, OsString) {
    let mut before = path.file_stem().unwrap_or_default().to_owned();
    before.push("_");
    let mut after = OsString::from(".");
    after.push(path.extension().unwrap_or_else(|| "pcapng".as_ref()));
    (before, after)
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let (mut name, after) = parts(path);
    name.push(format!("{number:05}"));
    name.push(after);
    path.with_file_name(name)
}

/// Returns the highest number of an existing file, or 0.
fn last_number(path: &Path) -> io::Result<u32> {
    let (before, after) = parts(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut last = 0;
    for entry in fs::read_dir(folder.unwrap_or_else(|| ".".as_ref()))? {
        let name = entry?.file_name();
        let number = name
            .as_encoded_bytes()
            .strip_prefix(before.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(after.as_encoded_bytes()))
            .and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}
