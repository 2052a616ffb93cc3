//! For build scripts: Rust from a definition, as part of the build of a crate that uses it.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), gamewire_schema::build::Error> {
//!     gamewire_schema::build::Config::new().constants("constants.toml").compile("packets.def")
//! }
//! ```
//!
//! The crate depends on `gamewire-freeciv` and includes what was made:
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

/// How a definition is compiled in a build script.
#[derive(Clone, Debug, Default)]
pub struct Config {
    constants: Option<PathBuf>,
    out_dir: Option<PathBuf>,
}

/// Why a definition could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The constants are not as they should be: which file, and what.
    #[error("in {}, {error}", path.display())]
    Constants {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        error: crate::ConstantsError,
    },
    /// The definition is wrong: all of it that is, each with its place.
    #[error("the definition is wrong:\n\n{0}")]
    Definition(String),
    /// A field is of a shape that generated code cannot have.
    #[error(transparent)]
    Field(#[from] UnsupportedField),
    /// No folder is named, and this is no build script, which has one.
    #[error("there is no OUT_DIR: name a folder with out_dir")]
    NoFolder,
    /// The code could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// To where.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
}

impl Config {
    /// Constants stand beside the definition, and code goes into the folder of the build.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The file of what the definition leaves to C headers.
    #[must_use]
    pub fn constants(mut self, file: impl Into<PathBuf>) -> Self {
        self.constants = Some(file.into());
        self
    }

    /// Where the code goes.
    #[must_use]
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Compiles a definition, a file or a folder of files, into a file of its name: `packets.def` becomes
    /// `packets.rs`. Tells cargo to do so again when a file changes.
    ///
    /// # Errors
    /// When a file cannot be read or written, or something in it is wrong.
    pub fn compile(&self, definition: impl AsRef<Path>) -> Result<(), Error> {
        let definition = definition.as_ref();
        let beside = constants_file(definition);
        let constants = self.constants.as_deref().or_else(|| beside.exists().then_some(&beside));
        println!("cargo:rerun-if-changed={}", definition.display());
        let constants = match constants {
            Some(path) => {
                println!("cargo:rerun-if-changed={}", path.display());
                let wrong = |error| Error::Constants { path: path.to_owned(), error };
                Constants::from_toml(&read_text(path)?).map_err(wrong)?
            }
            // Then the compiler tells by name what is missing.
            None => Constants::default(),
        };
        let sources = Sources::read(definition)?;
        let told = |errors: crate::Errors| Error::Definition(errors.render_in(&sources, false));
        let protocol = sources.compile(&constants).map_err(told)?;
        let text = Rust::new(&protocol)?.command("gamewire_schema::build").file();
        let folder = match &self.out_dir {
            Some(folder) => folder.clone(),
            None => env::var_os("OUT_DIR").map(PathBuf::from).ok_or(Error::NoFolder)?,
        };
        let path = folder.join(definition.file_stem().unwrap_or_default()).with_extension("rs");
        fs::write(&path, text).map_err(|error| Error::Write { path, error })
    }
}
