use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use gamewire_inspect::render::Escaped;
use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, MAX_BYTES, compile};

use crate::end::Failure;
use crate::inspect::in_words;

/// The file of constants where none is named.
const BESIDE: &str = "constants.toml";

/// Reads a definition and what it leaves to headers. What is wrong with it is told on standard
/// error.
pub(super) fn load(definition: &Path, constants: Option<&Path>) -> Result<Protocol, Failure> {
    let text = read(definition)?;
    let constants = load_constants(definition, constants)?;
    let name = shown(definition);
    compile(&text, &constants).map_err(|errors| {
        let coloured = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        anstream::eprint!("{}", errors.render(&name, &text, coloured));
        let count = match (errors.list().len(), errors.has_more()) {
            (1, false) => "1 error".to_owned(),
            (count, false) => format!("{count} errors"),
            (count, true) => format!("{count} errors or more"),
        };
        Failure::Failed(format!("{name} has {count}"))
    })
}

fn load_constants(definition: &Path, named: Option<&Path>) -> Result<Constants, Failure> {
    let beside = definition.with_file_name(BESIDE);
    let path = match named {
        Some(path) => path,
        None if beside.exists() => &beside,
        // Then the compiler tells by name what is missing.
        None => return Ok(Constants::default()),
    };
    let text = read(path)?;
    Constants::from_toml(&text).map_err(|error| Failure::Usage(format!("in {}, {error}", shown(path))))
}

fn read(path: &Path) -> Result<String, Failure> {
    let name = shown(path);
    if path.is_dir() {
        return Err(Failure::Failed(format!("{name} is a folder: name a file in it")));
    }
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most).read_to_end(&mut bytes))
        .map_err(|error| Failure::Failed(format!("cannot read {name}: {}", in_words(&error))))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        Failure::Failed(format!("{name} is no text: byte {place} is not UTF-8"))
    })
}

/// A path for a message.
pub(super) fn shown(path: &Path) -> String {
    Escaped(path.as_os_str().as_encoded_bytes()).to_string()
}
