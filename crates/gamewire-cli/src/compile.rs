//! `gamewire compile`: packet definitions of Freeciv.

mod csharp;
mod script;

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gamewire_freeciv::session::codec::Definition;
use gamewire_riptide::layout::MessageLayouts;
use gamewire_schema::emit::{self, Rust};
use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, ReadError, Sources, constants_file, read_text};

use self::script::Script;
use crate::exit_status::{ExitStatus, Failure, io_message};
use crate::messages;
use crate::user_file::{cannot_write, name_of};

/// Check a Freeciv packets.def and generate a reference, JSON or code
///
/// Reads a protocol definition in the language of Freeciv's packets.def (2.0 and later) and reports every error with its
/// location. From a valid definition it generates a reference document, JSON for tools or Rust code. It also compares
/// two versions on the wire. From a file that names the messages of a Riptide game it generates classes for browsers
/// and for C#.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP)]
pub(crate) struct Compile {
    /// The definition: a file such as common/networking/packets.def in Freeciv's sources, or a folder of *.def files that
    /// form one definition
    #[arg(required_unless_present = "diff")]
    definition: Option<PathBuf>,
    /// TOML file with the constants that the definition takes from C headers [default: constants.toml next to the
    /// definition or in its folder]; with --diff it may be given twice
    #[arg(short, long, value_name = "FILE")]
    constants: Vec<PathBuf>,
    /// Output format [default: check the definition and print its size]
    #[arg(short, long, value_name = "FORM")]
    emit: Option<EmitFormat>,
    /// Output file or folder [default: standard output]
    #[arg(short, long, value_name = "FILE", requires = "emit")]
    output: Option<PathBuf>,
    /// Report how definition B differs from A on the wire, and which capabilities the changes need
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["definition", "emit"])]
    diff: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EmitFormat {
    /// JSON for tools
    Json,
    /// A reference document
    Markdown,
    /// Code that reads and writes the packets, for crates that depend on gamewire-freeciv: a folder if the
    /// definition is a folder, otherwise one file
    Rust,
    /// Classes for riptide.js, from a file that names the messages of a Riptide game
    Typescript,
    /// The classes for riptide.js without types, for pages without a build
    Javascript,
    /// The classes for Riptide's C# library, in Unity, Godot and elsewhere
    Csharp,
}

impl Compile {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let max = if self.diff.is_empty() { 1 } else { 2 };
        if self.constants.len() > max {
            let limit = if max == 1 { "once" } else { "twice" };
            return Err(Failure::Usage(format!("--constants may be given at most {limit}")));
        }
        match (self.diff.as_slice(), &self.definition) {
            ([old, new], _) => self.compare(old, new),
            (_, Some(definition)) => self.emit(definition),
            _ => Err(Failure::Usage("missing definition: name a packets.def or a folder".into())),
        }
    }

    fn emit(&self, definition: &Path) -> Result<ExitStatus, Failure> {
        let to = self.output.as_deref();
        let classes: Option<fn(&MessageLayouts) -> String> = match self.emit {
            Some(EmitFormat::Typescript) => Some(|layouts| script::module(layouts, Script::TypeScript)),
            Some(EmitFormat::Javascript) => Some(|layouts| script::module(layouts, Script::JavaScript)),
            Some(EmitFormat::Csharp) => Some(csharp::file),
            _ => None,
        };
        if let Some(classes) = classes {
            write(to, &classes(&messages::load(definition)?))?;
            return Ok(ExitStatus::Success);
        }
        let protocol = load(definition, self.constants(0))?;
        match self.emit {
            Some(EmitFormat::Json) => write(to, &emit::Json(&protocol))?,
            Some(EmitFormat::Markdown) => write(to, &emit::Markdown::new(&protocol))?,
            Some(EmitFormat::Rust) => rust(&protocol, to)?,
            Some(EmitFormat::Typescript | EmitFormat::Javascript | EmitFormat::Csharp) | None => {
                write(None, &format_args!("{}\n", summary(&protocol)))?
            }
        }
        if to.is_some() {
            anstream::eprintln!("{}", summary(&protocol));
        }
        Ok(ExitStatus::Success)
    }

    fn compare(&self, old: &Path, new: &Path) -> Result<ExitStatus, Failure> {
        let (old, new) = (load(old, self.constants(0)), load(new, self.constants(1)));
        write(None, &emit::compare(&old?, &new?))?;
        Ok(ExitStatus::Success)
    }

    /// Returns the constants file for the first or second definition. If only one file was given, it applies to both.
    fn constants(&self, index: usize) -> Option<&Path> {
        self.constants.get(index).or_else(|| self.constants.last()).map(AsRef::as_ref)
    }
}

/// Writes to a file, or to standard output if there is no path.
fn write(to: Option<&Path>, content: &impl Display) -> Result<(), Failure> {
    let text = content.to_string();
    let Some(path) = to else {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

/// Writes Rust code: a folder if the definition has topics and a path is given, otherwise a single file.
fn rust(protocol: &Protocol, to: Option<&Path>) -> Result<(), Failure> {
    let rust = Rust::new(protocol).map_err(|error| Failure::Failed(error.to_string()))?;
    let Some(folder) = to.filter(|_| !protocol.topics.is_empty()) else { return write(to, &rust.file()) };
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    rust.folder().iter().try_for_each(|file| write(Some(&folder.join(&file.name)), &file.text))
}

/// Summarizes the size of a definition in one line.
fn summary(protocol: &Protocol) -> String {
    let fields = protocol.packets.iter().fold(0_usize, |sum, packet| sum.saturating_add(packet.fields.len()));
    let packets = protocol.packets.len();
    let aliases = protocol.aliases.len();
    let variants = protocol.variant_count();
    format!("{packets} packets, {fields} fields, {aliases} aliases, {variants} variants")
}

/// Reads a definition (a file or a folder of files) and its constants. Prints the errors of the definition on standard
/// error.
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
        Failure::Failed(format!("{} has {count}", name_of(definition)))
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
        .map_err(|error| Failure::Usage(format!("cannot use {}: {error}", name_of(path))))
}

/// Returns the error message for a file that could not be read.
fn read_error(error: ReadError) -> Failure {
    Failure::Failed(match error {
        ReadError::Io { path, error } => format!("cannot read {}: {}", name_of(&path), io_message(&error)),
        ReadError::NotUtf8 { path, byte } => {
            format!("cannot read {}: byte {byte} is not UTF-8", name_of(&path))
        }
        ReadError::NoFiles { path } => {
            format!("cannot read {}: the folder contains no *.def file", name_of(&path))
        }
        ReadError::TooLarge { path } => format!("cannot read {}: the file is too large", name_of(&path)),
    })
}

/// Reads the protocol definition of a file or folder.
pub(crate) fn definition(path: &Path, constants: Option<&Path>) -> Result<Definition, Failure> {
    Definition::interpreted(load(path, constants)?)
        .map_err(|error| Failure::Failed(format!("cannot use the definition {}: {error}", name_of(path))))
}

const SHORT_HELP: &str = "\
Examples:
  gamewire compile packets.def
  gamewire compile packets.def --emit markdown -o packets.md
  gamewire compile --diff old/packets.def new/packets.def
  gamewire compile game.toml --emit typescript -o messages.ts
See --help for the constants file.";

const LONG_HELP: &str = "\
Constants:
  A definition takes the sizes of arrays and bitvectors from C headers. List them in a TOML file:

    name = \"freeciv-3.1\"
    version = \"3.1.4\"                    chooses the lines of a definition of several versions
    capabilities = \"+Freeciv-3.1-network ids32\"
                                         what `gamewire join --definition` sends
    array-diff = \"end-255\"               since Freeciv 3.2: \"end-length\"

    [constants]
    MAX_LEN_NAME = 48

    [bitvectors]                         in bytes
    bv_extras = 16

    [types]                              types of the definition's own: as they are on the wire, or
    lamp_id = \"uint16\"                   the parts of a struct, with names or without
    point = [\"sint16 x\", \"sint16 y\"]
    beam = [\"uint8\", \"point ends[2]\"]

  Missing constants are reported by name.

Documentation:
  Lines of the definition that start with /// document the packet or field below them. The reference
  and the JSON contain these lines; Freeciv treats them as comments.

Exit status:
  0  success; with --diff, also if there are differences
  1  a definition is invalid, or a file could not be read or written
  2  invalid options or constants file

Examples:
  gamewire compile packets.def
  gamewire compile packets.def --constants freeciv-3.0.toml --emit markdown -o packets.md
  gamewire compile definitions/freeciv --constants definitions/freeciv/3.1.toml --emit markdown
  gamewire compile packets.def --emit json | jq '.packets[] | select(.number > 255) | .name'
  gamewire compile --diff old/packets.def new/packets.def
  gamewire compile --diff old.def new.def --constants old.toml --constants new.toml";
