use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Check a packets.def of Freeciv and make a reference of it
///
/// Reads the definition of a protocol in the language of Freeciv's packets.def, any version from 3.0 on, and tells what
/// is wrong with it, each with its place. From a sound one it makes a reference to read or JSON for tools, or it tells
/// what two versions do differently on the wire.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP)]
pub(crate) struct Compile {
    /// The definition, such as common/networking/packets.def in the sources of Freeciv, or a folder: all *.def in it are
    /// one definition
    #[arg(required_unless_present = "diff")]
    pub(super) definition: Option<PathBuf>,
    /// What the definition leaves to C headers, a TOML file; left out: constants.toml beside the definition or in
    /// its folder. With --diff it may be given twice
    #[arg(short, long, value_name = "FILE")]
    pub(super) constants: Vec<PathBuf>,
    /// What to make of it; left out: it is checked and counted
    #[arg(short, long, value_name = "FORM")]
    pub(super) emit: Option<EmitFormat>,
    /// Where to write it; left out: standard output
    #[arg(short, long, value_name = "FILE", requires = "emit")]
    pub(super) output: Option<PathBuf>,
    /// Tell what definition B does differently from A on the wire
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["definition", "emit"])]
    pub(super) diff: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EmitFormat {
    /// For tools
    Json,
    /// A reference to read
    Markdown,
    /// Code that reads and writes the packets, for crates that depend on gamewire-freeciv: a folder if the
    /// definition is one, else a file
    Rust,
}

const SHORT_HELP: &str = "\
Examples:
  gamewire compile packets.def
  gamewire compile packets.def --emit markdown -o packets.md
  gamewire compile --diff old/packets.def new/packets.def
See --help for the file of constants.";

const LONG_HELP: &str = "\
Constants:
  A definition leaves the sizes of arrays and bitvectors to C headers. They stand in a TOML file:

    name = \"freeciv-3.0\"
    array-diff = \"end-255\"               since Freeciv 3.2: \"end-length\"

    [constants]
    MAX_LEN_NAME = 48

    [bitvectors]                         in bytes
    bv_extras = 16

  What is missing in it is told at once, by name.

Documentation:
  Lines of the definition that start with /// document the packet or field below. The reference and
  the JSON carry them; Freeciv takes them for comments.

Exit status:
  0  all is well; with --diff, whether or not there are differences
  1  a definition is wrong, or a file could not be read or written
  2  wrong options, or a file of constants that is none

Examples:
  gamewire compile packets.def
  gamewire compile packets.def --constants freeciv-3.0.toml --emit markdown -o packets.md
  gamewire compile definitions/freeciv-3.0 --emit markdown
  gamewire compile packets.def --emit json | jq '.packets[] | select(.number > 255) | .name'
  gamewire compile --diff old/packets.def new/packets.def
  gamewire compile --diff old.def new.def --constants old.toml --constants new.toml";
