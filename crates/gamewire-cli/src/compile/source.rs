use std::io;
use std::path::Path;

use gamewire_freeciv::session::codec::Definition;
use gamewire_inspect::render::Escaped;
use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, ReadError, Sources, constants_file, read_text};

use crate::exit_status::{Failure, io_message};

/// Reads a definition, a file or a folder of files, and its constants. Prints its errors on standard error.
pub(crate) fn load(definition: &Path, constants: Option<&Path>) -> Result<Protocol, Failure> {
    let sources = Sources::read(definition).map_err(read_error)?;
    let constants = load_constants(definition, constants)?;
    sources.compile(&constants).map_err(|errors| {
        let coloured = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        anstream::eprint!("{}", errors.render_in(&sources, coloured));
        let count = match (errors.list().len(), errors.has_more()) {
            (1, false) => "1 error".to_owned(),
            (count, false) => format!("{count} errors"),
            (count, true) => format!("{count} errors or more"),
        };
        Failure::Failed(format!("{} has {count}", shown(definition)))
    })
}

fn load_constants(definition: &Path, named: Option<&Path>) -> Result<Constants, Failure> {
    let default_file = constants_file(definition);
    let path = match named {
        Some(path) => path,
        None if default_file.exists() => &default_file,
        // The compiler reports missing constants by name.
        None => return Ok(Constants::default()),
    };
    let text = read_text(path).map_err(read_error)?;
    Constants::from_toml(&text)
        .map_err(|error| Failure::Usage(format!("cannot use {}: {error}", shown(path))))
}

/// Returns the error message for a file that could not be read.
fn read_error(error: ReadError) -> Failure {
    Failure::Failed(match error {
        ReadError::Io { path, error } => format!("cannot read {}: {}", shown(&path), io_message(&error)),
        ReadError::NotUtf8 { path, byte } => {
            format!("cannot read {}: byte {byte} is not UTF-8", shown(&path))
        }
        ReadError::NoFiles { path } => {
            format!("cannot read {}: the folder contains no *.def file", shown(&path))
        }
        ReadError::TooLarge { path } => format!("cannot read {}: the file is too large", shown(&path)),
    })
}

/// Returns a path for a message.
pub(super) fn shown(path: &Path) -> String {
    Escaped(path.as_os_str().as_encoded_bytes()).to_string()
}

/// Reads the protocol definition of a file or folder; without one, returns that of Freeciv 3.0.
pub(crate) fn definition(file: Option<&Path>, constants: Option<&Path>) -> Result<Definition, Failure> {
    let Some(path) = file else { return Ok(Definition::v30()) };
    Definition::interpreted(load(path, constants)?).map_err(|error| {
        let name = Escaped(path.as_os_str().as_encoded_bytes());
        Failure::Failed(format!("cannot use the definition {name}: {error}"))
    })
}
