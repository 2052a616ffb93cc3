//! The repository and its files.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Error;
use crate::command::run_quietly;

/// The repository.
pub(crate) struct Project {
    /// Root folder of the repository.
    pub(crate) root: PathBuf,
    /// Output of `cargo metadata --no-deps`.
    pub(crate) metadata: Value,
}

impl Project {
    /// Returns the repository that this program was built from.
    pub(crate) fn find() -> Result<Self, Error> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
        let root = root.to_owned();
        let metadata = run_quietly(cargo(&root).args(["metadata", "--format-version", "1", "--no-deps"]))?;
        Ok(Self { metadata: serde_json::from_str(&metadata)?, root })
    }

    /// Returns a cargo command that runs in the root folder.
    pub(crate) fn cargo(&self) -> Command {
        cargo(&self.root)
    }

    /// Returns the target folder.
    pub(crate) fn target(&self) -> Result<PathBuf, Error> {
        let path = self.metadata.get("target_directory").and_then(Value::as_str);
        let path = path.ok_or("no target folder in the metadata")?;
        Ok(path.into())
    }

    /// Returns the files that git tracks and the untracked files that it does not ignore, as paths from the root
    /// folder.
    pub(crate) fn files(&self) -> Result<Vec<String>, Error> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(&self.root);
        let listed = run_quietly(&mut git)?;
        let mut files: Vec<String> = listed
            .split_terminator('\0')
            .filter(|file| self.root.join(file).is_file())
            .map(Into::into)
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// Returns the members of a list in cargo's metadata, or nothing if there is no such list.
pub(crate) fn list<'a>(metadata: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    metadata.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}
