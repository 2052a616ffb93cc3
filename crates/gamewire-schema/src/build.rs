//! Generates Rust code from a definition in a build script.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), gamewire_schema::build::Error> {
//!     gamewire_schema::build::Config::new().constants("constants.toml").compile("packets.def")
//! }
//! ```
//!
//! The crate depends on `gamewire-freeciv` and includes the generated file:
//!
//! ```text
//! mod packets {
//!     include!(concat!(env!("OUT_DIR"), "/packets.rs"));
//! }
//! ```

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::emit::{Rust, UnsupportedField};
use crate::{Constants, ReadError, Sources, constants_file, read_text};

/// Configuration of the compilation in a build script.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Config {
    constants: Option<PathBuf>,
    out_dir: Option<PathBuf>,
}

/// Error of the compilation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The constants file is invalid.
    #[error("invalid constants file {}: {error}", path.display())]
    Constants {
        /// The file.
        path: PathBuf,
        /// The error.
        error: crate::ConstantsError,
    },
    /// The definition is invalid. The text contains all errors with their locations.
    #[error("invalid definition:\n\n{0}")]
    Definition(String),
    /// Generated code does not support a field.
    #[error(transparent)]
    Field(#[from] UnsupportedField),
    /// No output folder is set, and `OUT_DIR` is not set outside of a build script.
    #[error("OUT_DIR is not set; set the folder with out_dir")]
    NoFolder,
    /// Writing the code failed.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The output file.
        path: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
}

impl Config {
    /// Creates a configuration that reads the constants file next to the definition and writes the code to `OUT_DIR`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the constants file.
    pub fn constants(mut self, file: impl Into<PathBuf>) -> Self {
        self.constants = Some(file.into());
        self
    }

    /// Sets the output folder.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Compiles a definition, which is a file or a folder of files, to one file with its name: `packets.def` becomes
    /// `packets.rs`. Makes cargo run the build script again when a file changes.
    ///
    /// # Errors
    /// [`Error`] if a file cannot be read or written, or is invalid.
    pub fn compile(&self, definition: impl AsRef<Path>) -> Result<(), Error> {
        let definition = definition.as_ref();
        let default = || Some(constants_file(definition)).filter(|path| path.exists());
        let constants = self.constants.clone().or_else(default);
        println!("cargo:rerun-if-changed={}", definition.display());
        let constants = match constants {
            Some(path) => {
                println!("cargo:rerun-if-changed={}", path.display());
                let text = read_text(&path)?;
                Constants::from_toml(&text).map_err(|error| Error::Constants { path, error })?
            }
            // The compiler reports missing constants by name.
            None => Constants::default(),
        };
        let sources = Sources::read(definition)?;
        let rendered = |errors: crate::Errors| Error::Definition(errors.render_in(&sources, false));
        let protocol = sources.compile(&constants).map_err(rendered)?;
        let text = Rust::new(&protocol)?.command("gamewire_schema::build").file();
        let out_dir = || env::var_os("OUT_DIR").map(PathBuf::from);
        let folder = self.out_dir.clone().or_else(out_dir).ok_or(Error::NoFolder)?;
        let path = folder.join(definition.file_stem().unwrap_or_default()).with_extension("rs");
        fs::write(&path, text).map_err(|error| Error::Write { path, error })
    }
}
