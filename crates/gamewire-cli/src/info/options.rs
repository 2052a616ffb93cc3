use std::time::Duration;

use clap::Args;

use crate::duration;
use crate::url::{TEEWORLDS_HELP, TeeworldsUrl};

/// Query server information
///
/// Prints a server's name, version, map and players without joining it. With teeworlds:// the server is queried in
/// every dialect and every answer is printed; a URL with a dialect prints the answer in that dialect.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP.replace("{URLS}", TEEWORLDS_HELP))]
pub(crate) struct Info {
    /// The server, such as teeworlds://example.org or tw-0.7+udp://127.0.0.1:8303
    pub(super) url: TeeworldsUrl,
    /// Print JSON: one object per line for each answer
    #[arg(long)]
    pub(super) json: bool,
    /// Time to wait for answers, such as 3s or 500ms
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
  1  the server did not answer, or its host was not found
  2  invalid options or URL

Examples:
  gamewire info teeworlds://example.org
  gamewire info tw-0.7+udp://127.0.0.1:8303 --json | jq .num_players
  gamewire info tw-0.6+udp://[::1]:8304 --timeout 500ms";
