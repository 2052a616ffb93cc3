//! `gamewire wireshark`: writes a dissector for Wireshark.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use gamewire_wireshark::{Options, dissector};

use crate::exit_status::{ExitStatus, Failure};
use crate::user_file::cannot_write;
use crate::{compile, messages};

/// Write a dissector for Wireshark
///
/// Writes a Lua script for Wireshark 4 and tshark. It decodes Teeworlds 0.6, 0.6.5, 0.7 and DDNet with
/// snapshots, Riptide 2.0 and 2.1 over UDP and TCP, and Freeciv 3.0 with compressed chunks and unchanged
/// fields. Fields have the names that gamewire inspect --fields lists, so display filters are similar.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Wireshark {
    /// File to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Names and types of your game's own Riptide messages, a TOML file; see gamewire inspect --help
    #[arg(short, long, value_name = "FILE")]
    messages: Option<PathBuf>,
    /// Definition of Freeciv's protocol, a packets.def or a folder of *.def files [default: the
    /// built-in versions]
    #[arg(long, value_name = "FILE")]
    definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to the
    /// definition]
    #[arg(long, value_name = "FILE", requires = "definition")]
    constants: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Installation:
  Wireshark loads every script in its personal Lua plugin folder, which is listed under
  Help > About Wireshark > Folders. On Linux:
    mkdir -p ~/.local/lib/wireshark/plugins
    gamewire wireshark -o ~/.local/lib/wireshark/plugins/gamewire.lua
  To reload it in a running Wireshark: Analyze > Reload Lua Plugins.

Examples:
  gamewire wireshark -o gamewire.lua
  gamewire wireshark -o gamewire.lua --messages messages.toml
  tshark -X lua_script:gamewire.lua -r game.pcapng
  tshark -X lua_script:gamewire.lua -2 -r game.pcapng -Y 'teeworlds.chat.text contains \"gg\"'
  tshark -X lua_script:gamewire.lua -2 -r game.pcapng -T fields -e teeworlds.character.x

With tshark -2, packets before the one that identifies a conversation are decoded too.";

impl Wireshark {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let layouts = self.messages.as_deref().map(messages::load).transpose()?.unwrap_or_default();
        let definition = self
            .definition
            .as_deref()
            .map(|definition| compile::load(definition, self.constants.as_deref()))
            .transpose()?;
        let script = dissector(&Options { layouts, freeciv: definition.into_iter().collect() });
        if self.output.as_os_str() == "-" {
            io::stdout().lock().write_all(script.as_bytes())?;
        } else {
            fs::write(&self.output, script).map_err(|error| cannot_write(&self.output, &error))?;
        }
        Ok(ExitStatus::Success)
    }
}
