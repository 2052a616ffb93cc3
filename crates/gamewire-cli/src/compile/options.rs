use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Check a Freeciv packets.def and generate a reference, JSON or code
///
/// Reads a protocol definition in the language of Freeciv's packets.def (3.0 and later) and reports every error with its
/// location. From a valid definition it generates a reference document, JSON for tools or Rust code. It also compares
/// two versions on the wire.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP)]
pub(crate) struct Compile {
    /// The definition, such as common/networking/packets.def in Freeciv's sources, or a folder whose *.def files form
    /// one definition
    #[arg(required_unless_present = "diff")]
    pub(super) definition: Option<PathBuf>,
    /// TOML file with the constants that the definition takes from C headers [default: constants.toml next to the
    /// definition or in its folder]; with --diff it may be given twice
    #[arg(short, long, value_name = "FILE")]
    pub(super) constants: Vec<PathBuf>,
    /// Output format [default: check the definition and print its size]
    #[arg(short, long, value_name = "FORM")]
    pub(super) emit: Option<EmitFormat>,
    /// Output file or folder [default: standard output]
    #[arg(short, long, value_name = "FILE", requires = "emit")]
    pub(super) output: Option<PathBuf>,
    /// Report how definition B differs from A on the wire
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["definition", "emit"])]
    pub(super) diff: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EmitFormat {
    /// JSON for tools
    Json,
    /// A reference document
    Markdown,
    /// Code that reads and writes the packets, for crates that depend on gamewire-freeciv: a folder if the
    /// definition is a folder, otherwise one file
    Rust,
}

const SHORT_HELP: &str = "\
Examples:
  gamewire compile packets.def
  gamewire compile packets.def --emit markdown -o packets.md
  gamewire compile --diff old/packets.def new/packets.def
See --help for the constants file.";

const LONG_HELP: &str = "\
Constants:
  A definition takes the sizes of arrays and bitvectors from C headers. List them in a TOML file:

    name = \"freeciv-3.0\"
    array-diff = \"end-255\"               since Freeciv 3.2: \"end-length\"

    [constants]
    MAX_LEN_NAME = 48

    [bitvectors]                         in bytes
    bv_extras = 16

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
  gamewire compile definitions/freeciv-3.0 --emit markdown
  gamewire compile packets.def --emit json | jq '.packets[] | select(.number > 255) | .name'
  gamewire compile --diff old/packets.def new/packets.def
  gamewire compile --diff old.def new.def --constants old.toml --constants new.toml";
