use std::time::Duration;

use clap::Args;

use crate::duration;
use crate::url::{TEEWORLDS_HELP, TeeworldsUrl};

/// Ask a server what it is
///
/// Prints what a game server says of itself to whoever asks: name, version, map, players. Nobody joins. With
/// teeworlds:// it is asked in every dialect and everything that it answers is printed; a URL with a dialect prints
/// the one answer of that dialect.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP.replace("{URLS}", TEEWORLDS_HELP))]
pub(crate) struct Info {
    /// The server, such as teeworlds://example.org or tw-0.7+udp://127.0.0.1:8303
    pub(super) url: TeeworldsUrl,
    /// Print JSON: one object a line for each answer
    #[arg(long)]
    pub(super) json: bool,
    /// How long to wait for the server, such as 3s or 500ms
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = duration::parse)]
    pub(super) timeout: Duration,
}

const SHORT_HELP: &str = "\
Examples:
  gamewire info teeworlds://example.org
  gamewire info tw-0.7+udp://127.0.0.1:8303 --json
See --help for the URLs.";

const LONG_HELP: &str = "\
{URLS}

Exit status:
  0  the server answered
  1  it did not, or its host was not found
  2  wrong options, or a URL that is none

Examples:
  gamewire info teeworlds://example.org
  gamewire info tw-0.7+udp://127.0.0.1:8303 --json | jq .num_players
  gamewire info tw-0.6+udp://[::1]:8304 --timeout 500ms";
