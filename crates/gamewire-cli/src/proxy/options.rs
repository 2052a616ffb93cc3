use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use gamewire_teeworlds::{Dialect, Offer};
use gamewire_watch::recording::RecordedSides;

use crate::exit_status::Failure;
use crate::fleet::NatsOptions;
use crate::impairment::Impairment;
use crate::url::{HostPort, Url, UrlProtocol};

/// Relay the traffic of real clients and their server, and watch, record and impair it
///
/// Clients connect to the proxy instead of the server. The proxy forwards their traffic unchanged, and
/// decodes a copy: an error in decoding never affects a player. It prints when clients connect and
/// disconnect, and with --show or -Y their packets. Lines from standard input are commands. Ctrl-C and
/// SIGTERM stop the proxy.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(crate) struct Proxy {
    /// Game and address to listen on, such as teeworlds://:8303
    #[arg(long, alias = "bind", value_name = "URL", value_parser = Url::of_listen)]
    pub(super) listen: Url,
    /// The server or its URL; a scheme with a version, such as tw-0.7+udp://HOST, also sets --to-dialect
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) to: String,
    /// Decode every message and encode it again, with separate connections to the client and to the server
    #[arg(long)]
    pub(super) terminate: bool,
    /// Use this version with the server, whatever version the client uses; implies --terminate: 0.6, 0.6-tken (DDNet), 0.6.5 or
    /// 0.7 for Teeworlds, 2.0 or 2.1 for Riptide. Messages of Riptide are translated by the types in --messages
    #[arg(long, value_name = "VERSION")]
    pub(super) to_dialect: Option<String>,
    /// Drop, delay, repeat or change messages by the rules in a TOML file; implies --terminate
    #[arg(long, value_name = "FILE")]
    pub(super) rules: Option<PathBuf>,
    /// Show the traffic on a page in the browser at this address, such as 127.0.0.1:8642; elsewhere than on the
    /// loopback interface it requires the token in the printed address
    #[arg(long, value_name = "ADDRESS", value_parser = crate::page::parse_address)]
    pub(super) page: Option<std::net::SocketAddr>,
    /// Look for Teeworlds maps in this folder, too, for the page [default: the downloaded ones, and the installed games']
    #[arg(long, value_name = "FOLDER", requires = "page")]
    pub(super) maps: Vec<PathBuf>,
    /// Record the traffic in a new pcapng file, for gamewire inspect and Wireshark; in a folder, such as recordings/,
    /// the file gets the next number
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Connections to record: those with the clients, those with the server, or both, each as an interface of the file
    #[arg(long, value_name = "SIDE", requires = "record", default_value = "client")]
    pub(super) record_side: RecordSide,
    /// Begin another file after this many bytes, such as 100M: FILE_00001, FILE_00002 and so on
    #[arg(long, value_name = "SIZE", requires = "record", value_parser = size)]
    pub(super) rotate_size: Option<u64>,
    /// Begin another file after this time
    #[arg(long, value_name = "TIME", requires = "record", value_parser = crate::duration::parse)]
    pub(super) rotate_time: Option<Duration>,
    /// Keep only the last N files of this run
    #[arg(long, value_name = "N", requires = "record", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) keep: Option<u32>,
    #[command(flatten)]
    pub(super) fleet: NatsOptions,
    /// Show every packet
    #[arg(long)]
    pub(super) show: bool,
    /// Show the packets that match, in the filter language of inspect
    #[arg(short = 'Y', long, value_name = "FILTER")]
    pub(super) filter: Option<String>,
    /// Impair both directions: loss=5%,burst=4,delay=40ms,jitter=10ms,reorder=1%,duplicate=1%,rate=64k
    #[arg(long, value_name = "LIST")]
    pub(super) impair: Option<Impairment>,
    /// Impair the direction to the server, in place of --impair
    #[arg(long, value_name = "LIST")]
    pub(super) impair_to_server: Option<Impairment>,
    /// Impair the direction to the clients, in place of --impair
    #[arg(long, value_name = "LIST")]
    pub(super) impair_to_client: Option<Impairment>,
    /// Maximum number of clients
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub(super) max_clients: u32,
    /// Maximum number of clients of one address, in IPv6 of one /56 network
    #[arg(long, value_name = "N", default_value = "512", value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub(super) max_clients_per_address: u32,
    /// Forget a client without datagrams after this time [default: 120s for Teeworlds, 60s for Riptide]
    #[arg(long, value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) idle: Option<Duration>,
    /// Names and types of a Riptide game's own messages, a TOML file
    #[arg(long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
    /// Freeciv protocol definition, a packets.def [default: 3.0, 3.1 or 3.2]
    #[arg(long, value_name = "FILE")]
    pub(super) definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to it]
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(super) constants: Option<PathBuf>,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// Print JSON: one object per line for each event and for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Print no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// A value of `--record-side`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RecordSide {
    Client,
    Server,
    Both,
}

impl RecordSide {
    pub(super) const fn sides(self) -> RecordedSides {
        match self {
            Self::Client => RecordedSides::Client,
            Self::Server => RecordedSides::Server,
            Self::Both => RecordedSides::Both,
        }
    }
}

impl Proxy {
    /// Splits a URL in `--to` into the server and its version.
    pub(super) fn read_scheme(&mut self) -> Result<(), Failure> {
        if !self.to.contains("://") {
            return Ok(());
        }
        let invalid = |error: &dyn std::fmt::Display| Failure::Usage(format!("invalid --to: {error}"));
        let server: Url = self.to.parse().map_err(|error| invalid(&error))?;
        let version = match (self.listen.protocol, server.protocol) {
            (UrlProtocol::Teeworlds(_), UrlProtocol::Teeworlds(offer)) => offer.map(|offer| match offer {
                Offer::Any06 => Dialect::V06.name(),
                Offer::Only(dialect) => dialect.name(),
            }),
            (listen, server) if listen == server => None,
            _ => {
                return Err(invalid(&format_args!(
                    "{server} has another scheme than --listen; use HOST:PORT"
                )));
            }
        };
        self.to = server.host.to_string();
        self.to_dialect = self.to_dialect.take().or_else(|| version.map(str::to_owned));
        Ok(())
    }

    /// Returns the server's address. The default port is the port of the game.
    pub(super) fn server(&self) -> Result<HostPort, Failure> {
        let parsed = HostPort::parse_server(&self.to, self.listen.default_port());
        parsed.map_err(|error| Failure::Usage(format!("invalid --to: {error}")))
    }
}

/// Parses a number of bytes: `4096`, `64k`, `100M`, `2GB`, or with units of 1024 `64KiB`. Upper and lower case mean the
/// same.
fn size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match lower.get(digits.len()..).unwrap_or_default() {
        "" | "b" => Some(1_u64),
        "k" | "kb" => Some(1_000),
        "m" | "mb" => Some(1_000_000),
        "g" | "gb" => Some(1_000_000_000),
        "kib" => Some(1 << 10),
        "mib" => Some(1 << 20),
        "gib" => Some(1 << 30),
        _ => None,
    };
    let size =
        digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit?)).filter(|size| *size > 0);
    size.ok_or_else(|| format!("expected a number of bytes such as 100M or 64KiB, found `{text}`"))
}

const EXAMPLES: &str = "\
Examples:
  gamewire proxy --listen teeworlds://:8303 --to example.org:8303
  gamewire proxy --listen freeciv://:5556 --to 127.0.0.1:5557 --record game.pcapng
  gamewire proxy --listen teeworlds://:8303 --to example.org -Y teeworlds.chat
  gamewire proxy --listen riptide://:7778 --to 127.0.0.1:7777 --page 127.0.0.1:8642
See --help for the commands of standard input and the exit codes.";

const LONG_HELP: &str = r#"URLs:
  The scheme names the game: teeworlds, riptide, riptide-2.1+tcp, freeciv. Without HOST, the proxy
  listens on all addresses. Without a port, it uses the default port of the game.

Lines of standard input:
  clients                list the clients
  link DIRECTION LIST    change a direction: link to-client loss=5%,burst=4; link both rate=64k,delay=40ms
                         DIRECTION is to-server, to-client or both; `link both off` removes all conditions
  close CLIENT           disconnect a client
  stats                  print the figures so far
  stop                   stop the proxy
  help                   list the commands

Links:
  loss=5% drops datagrams; burst=4 drops four in a row on average. rate=64k forwards at most 64,000
  bytes per second, and drops datagrams that would wait for more than a second. For streams, only
  delay, jitter and rate apply, because TCP resends lost data.

Rules:
  --rules FILE has tables such as these. The first rule that matches and does not set a field decides.
  SIGHUP reads the file again; if it has an error, the old rules stay in effect.

    [[rule]]
    match = 'riptide.chat.text contains "spam"'     a filter, as for -Y
    from = "client"                                  or "server" (default: both)
    action = "drop"                                  or "duplicate"

    [[rule]]
    match = "riptide.reliable.id == 7"
    action = "delay"
    milliseconds = 500

    [[rule]]
    match = "riptide.player_move.speed > 9"          names of --messages
    action = "set"
    field = "speed"
    value = "9"

Recordings:
  The file contains the packets between the proxy and the clients, or with --record-side between the
  proxy and the server, or both, and the decoded messages as comments. Packets are written immediately,
  so the file is valid even if the proxy is killed. An existing file is never overwritten:
  --record recordings/ creates a numbered file, and a rotation continues after the highest number. With a
  rotation, each file begins with the state of the open connections, so that it can be read alone
  (inspect --state shows this state).

Environment:
  FREECIV_COMPRESSION_LEVEL  with --terminate or rules, compression of what clients of Freeciv get, as for
                             freeciv-server: 0 for none, 1 to 9, -1 for the default, which any other value
                             means too

Exit status:
  0  the proxy stopped after its time or on request
  1  the proxy could not listen, or a file could not be read or written
  2  invalid options, rules or messages file

Examples:
  gamewire proxy --listen teeworlds://:8303 --to example.org:8303
  gamewire proxy --listen freeciv://:5556 --to 127.0.0.1:5557 --record game.pcapng
  gamewire proxy --listen teeworlds://:8303 --to example.org -Y teeworlds.chat
  gamewire proxy --listen riptide://127.0.0.1:7778 --to 127.0.0.1:7777 --impair loss=5%,burst=4,delay=40ms
  gamewire proxy --listen riptide://:7778 --to 127.0.0.1:7777 --page 127.0.0.1:8642
  gamewire proxy --listen riptide-2.1+tcp://:7778 --to 127.0.0.1:7777 --show --json
  gamewire proxy --listen riptide://:7778 --to 127.0.0.1:7777 --to-dialect 2.0 --messages game.toml
  gamewire proxy --listen teeworlds://:8303 --to example.org:8303 --to-dialect 0.7
  gamewire proxy --listen teeworlds://:8303 --to example.org --record day.pcapng --rotate-size 100M --keep 10"#;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_a_unit_or_is_bytes() {
        assert_eq!((size("4096"), size("64k"), size("2G")), (Ok(4_096), Ok(64_000), Ok(2_000_000_000)));
        assert_eq!((size("100K"), size("1m"), size("1MiB")), (Ok(100_000), Ok(1_000_000), Ok(1 << 20)));
        for text in ["", "0", "k", "-1", "1T", "1.5M", "1 M", "99999999999G"] {
            assert!(size(text).unwrap_err().contains("such as 100M"), "{text}");
        }
    }
}
