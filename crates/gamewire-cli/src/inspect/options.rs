use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::table::TableOption;
use crate::exit_status::Failure;

/// Explain a capture of game traffic
///
/// Reads pcap and pcapng files, finds the game conversations in them, follows each with its full
/// state and prints a line per datagram, or per packet of Freeciv: frame, seconds, conversation,
/// direction (→ from the client, ← from the server), dialect and content. With --stream it reads what one side of a Freeciv
/// connection sent and prints a line per packet.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP)]
pub(crate) struct Inspect {
    /// Capture file, pcap or pcapng, also compressed with gzip; - for standard input
    #[arg(conflicts_with = "sample")]
    pub(super) file: Option<PathBuf>,
    /// Read FILE, as tshark does
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["file", "sample"])]
    pub(super) read: Option<PathBuf>,
    /// Capture on an interface until Ctrl-C, with dumpcap or tcpdump
    #[arg(short, long, value_name = "NAME", conflicts_with_all = ["file", "read", "sample", "stream"])]
    pub(super) interface: Option<String>,
    /// Capture filter of the interface, such as "udp port 8303"
    #[arg(short = 'f', long, value_name = "FILTER", requires = "interface")]
    pub(super) capture_filter: Option<String>,
    /// Explain the built-in sample capture
    #[arg(long)]
    pub(super) sample: bool,
    /// Show every field with its byte or bit range; with --json, add the range to every field
    #[arg(short = 'V', long)]
    pub(super) verbose: bool,
    /// Show the bytes, marked by field
    #[arg(short = 'x', long, conflicts_with_all = ["verbose", "json", "statistic"])]
    pub(super) hex: bool,
    /// Print JSON: one object per line for each datagram, or one object with the totals
    #[arg(long)]
    pub(super) json: bool,
    /// Output format [default: text]
    #[arg(short = 'T', value_name = "FORMAT", conflicts_with = "json")]
    pub(super) output_format: Option<FormatArg>,
    /// Field to print with -T fields, any number of times: a name of --fields, len(NAME), NAME[0:4]
    #[arg(short = 'e', value_name = "FIELD", requires = "output_format")]
    pub(super) columns: Vec<String>,
    /// Form of -T fields: header=y|n, separator=/t|/s|CHAR, aggregator=/s|CHAR, occurrence=f|l|a,
    /// quote=d|s|n
    #[arg(short = 'E', value_name = "OPTION", requires = "columns")]
    pub(super) table: Vec<TableOption>,
    /// Form of the time in lines [default: r]
    #[arg(short = 't', value_name = "TIME")]
    pub(super) time: Option<TimeArg>,
    /// Write the frames that match to FILE, a pcapng file, instead of printing datagrams; - for
    /// standard output
    #[arg(short = 'w', long, value_name = "FILE", conflicts_with_all = ["stream", "statistic", "sample"])]
    pub(super) write: Option<PathBuf>,
    /// Show only datagrams that match FILTER
    #[arg(short = 'Y', long, value_name = "FILTER")]
    pub(super) filter: Option<String>,
    /// Print totals by message, item, dialect and conversation instead of datagrams; with follow,N
    /// print the messages of conversation N
    #[arg(
        short = 'z',
        long = "totals",
        value_name = "STATISTIC",
        num_args = 0..=1,
        default_missing_value = "totals",
        conflicts_with = "verbose"
    )]
    pub(super) statistic: Option<OsString>,
    /// Stop after N datagrams
    #[arg(short = 'c', long, value_name = "N")]
    pub(super) count: Option<u64>,
    /// Show the packets that repeat earlier state at the start of a rotated recording, instead of the packets sent
    #[arg(long, conflicts_with_all = ["statistic", "stream", "extract", "parquet", "page"])]
    pub(super) state: bool,
    /// Names and types of your game's own Riptide messages, a TOML file; see --help
    #[arg(short, long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
    /// Read the file as one direction of a Freeciv connection: the bytes as read from the socket
    #[arg(long, conflicts_with = "sample")]
    pub(super) stream: bool,
    /// Sender of the stream [default: detected from its first bytes]
    #[arg(long, alias = "from", value_name = "ROLE", requires = "stream")]
    pub(super) sender: Option<SenderArg>,
    /// Capability string of the client [default: the server's]; "" for none
    #[arg(long, value_name = "LIST", requires = "stream")]
    pub(super) capabilities: Option<String>,
    /// Definition of Freeciv's protocol, a packets.def or a folder of *.def files [default: the
    /// built-in versions]
    #[arg(long, value_name = "FILE")]
    pub(super) definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to the
    /// definition]
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(super) constants: Option<PathBuf>,
    /// Write files to DIR that reproduce Freeciv decode errors; see --help
    #[arg(long, alias = "dump", value_name = "DIR")]
    pub(super) dump_errors: Option<PathBuf>,
    /// Write the data of conversations to files in DIR: each direction of a stream as bytes, downloaded
    /// maps, chat as text
    #[arg(long, value_name = "DIR", conflicts_with_all = ["stream", "statistic", "filter", "write"])]
    pub(super) extract: Option<PathBuf>,
    /// Write tables to the new folder DIR, as Parquet files: one of the packets, one for each type of message
    /// (feature parquet)
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["verbose", "hex", "json", "statistic", "stream", "write", "extract", "output_format"]
    )]
    pub(super) parquet: Option<PathBuf>,
    /// Show the capture on a page in the browser until Ctrl-C, at ADDRESS if given [default: 127.0.0.1:8642];
    /// without a file the page accepts dropped files and pasted bytes
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = crate::page::DEFAULT_ADDRESS,
        value_parser = crate::page::parse_address,
        conflicts_with_all = ["verbose", "hex", "json", "statistic", "stream", "write", "extract", "parquet", "output_format", "count", "dump_errors"]
    )]
    pub(super) page: Option<std::net::SocketAddr>,
    /// Look for Teeworlds maps in this folder, too, for the page [default: the downloaded ones, and the installed games']
    #[arg(long, value_name = "FOLDER", requires = "page")]
    pub(super) maps: Vec<PathBuf>,
    /// Show the conversations and figures that proxies publish to this NATS server, such as nats://127.0.0.1:4222
    /// (feature fleet)
    #[arg(long, value_name = "URL", requires = "page")]
    pub(super) nats: Option<String>,
    /// List the names of all fields with their meaning
    #[arg(long, conflicts_with_all = ["verbose", "hex", "statistic", "sample", "filter", "count"])]
    pub(super) fields: bool,
    /// Print no progress bar and no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Accepted as in tshark: names of hosts and ports are never looked up
    #[arg(short = 'n', hide = true)]
    pub(super) no_names: bool,
    /// Write each line immediately, also to a pipe
    #[arg(short = 'l', hide_short_help = true)]
    pub(super) line_buffered: bool,
}

/// A format of `-T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// Lines, or a tree with -V.
    Text,
    /// One JSON object per line, as --json.
    Json,
    /// The fields of -e, separated by tabs.
    Fields,
}

/// A form of the time in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TimeArg {
    /// Seconds since the first frame.
    R,
    /// Date and time, in UTC.
    #[value(alias = "ud")]
    Ad,
    /// Seconds since the datagram before it.
    D,
    /// Seconds since the datagram that was shown before it.
    Dd,
    /// Seconds since 1970.
    E,
}

/// A statistic of `-z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistic {
    Totals,
    /// The messages of a conversation.
    Follow(u64),
}

impl Inspect {
    /// Returns the requested statistic. If the argument of `-z` is the file instead, this sets the file.
    pub(super) fn take_statistic(&mut self) -> Result<Option<Statistic>, Failure> {
        let Some(argument) = self.statistic.take() else { return Ok(None) };
        let text = argument.to_string_lossy();
        if text == "totals" {
            return Ok(Some(Statistic::Totals));
        }
        if let Some(number) = text.strip_prefix("follow,") {
            let number = number.parse().map_err(|_| {
                Failure::Usage(format!("invalid conversation {number:?}: use -z follow,N with its number"))
            })?;
            return Ok(Some(Statistic::Follow(number)));
        }
        let has_input = self.file.is_some() || self.read.is_some() || self.interface.is_some() || self.sample;
        if has_input || text.contains(',') {
            let message = format!("unknown statistic {text:?}: use -z alone for totals, or -z follow,N");
            return Err(Failure::Usage(message));
        }
        self.file = Some(PathBuf::from(argument));
        Ok(Some(Statistic::Totals))
    }
}

/// The sender of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SenderArg {
    /// The file contains the bytes that the server received.
    Client,
    /// The file contains the bytes that the client received.
    Server,
}

const SHORT_HELP: &str = "\
Examples:
  gamewire inspect --sample
  gamewire inspect game.pcapng -Y 'teeworlds.chat'
  gamewire inspect game.pcapng -z
  gamewire inspect --page game.pcapng
  gamewire inspect -i lo
  gamewire inspect -r game.pcapng -T fields -e frame.time -e teeworlds.chat.text
  gamewire inspect --stream server.bin
See --help for the filter language.";

const LONG_HELP: &str = r#"Filters:
  A test is a name alone (does it exist?) or a name, an operator and a value. Join tests with
  && || ! or and, or, xor, not; group them with parentheses.

    teeworlds.chat                           the message, item or group exists
    teeworlds.chat.text contains "hi"        a field: protocol, group, field
    teeworlds.snapshot.character.x > 500     enclosing groups may be named too
    direction == server && time < 10         properties of the datagram
    ip.addr == 10.0.0.0/8                    addresses and networks
    frame.time >= "2023-11-14 22:13:20"      date and time in UTC

  Operators are == != < <= > >= (eq ne lt le gt ge), in {1, 3..5}, contains for text, bytes and
  flags, and matches (~) for regular expressions. Values are numbers (12, -3, 0x1f, 0.25), "text"
  with \" \\ \n \xNN \u{N}, true, false, bytes (0a:0b), and the names of values.
  len(NAME), lower(NAME) and upper(NAME) are functions of text and bytes; NAME[2:4] is 4 bytes from
  byte 2, NAME[2-5] bytes 2 to 5.

  A field may occur several times in a datagram. A test holds if it holds for any occurrence; !=
  holds if the field exists and no occurrence equals the value.

  --fields lists every name. In a Freeciv conversation a filter tests each packet by itself.

Messages of your own game:
  Riptide packets do not contain the types of their values. Describe the messages in a file:

    [[message]]
    id = 10                              or kind = "notify", "connect", "reject", "kick"
    name = "player_move"
    from = "client"                      or "server" (default: both)
    fields = ["tick: ushort", "position: vector3", "items: int[]", "weapon: weapon"]

    [[struct]]
    name = "weapon"
    fields = ["ammo: byte", "name: string", "mods: bool[4]"]

  --messages FILE shows, filters (riptide.player_move.tick == 5) and counts them by name.

Freeciv:
  A packet contains only what changed since the last packet of its kind. A connection must therefore
  be followed from its first byte, and nothing in its direction can be decoded after an error or a
  gap.

  A line shows the fields that were sent; -V also shows the others with their unchanged values (as
  before), and --json -V lists them in as_before. Filters see both. A boolean is a bit at the start
  of the packet; its position is a byte and a bit, counted from the least significant bit.

  The version, 3.0, 3.1 or 3.2, is detected from the join. For other versions, use the packets.def of
  their sources:  --definition freeciv/common/networking/packets.def --constants constants.toml
  (gamewire compile --help describes the constants file).

  --dump-errors DIR writes each packet that cannot be decoded to DIR, with the values it changes:
  desync-N-server.bin is a stream that reproduces the error, desync-N-server.txt describes it with
  the field, its bit, its byte and the fields before and after it.

Exit status:
  0  success
  1  the capture could not be read
  2  invalid options, filter or messages file
  3  parts of the capture are damaged or could not be decoded

Files:
  -w FILE writes the frames that complete a matching message. A message of a stream may have begun
  in an earlier frame: filter streams by conversation or address.

  --extract DIR writes conversation-N-client.bin and -server.bin (the bytes of a stream, as for
  --stream), conversation-N-NAME.map (a map that a Teeworlds client downloaded) and
  conversation-N-chat.txt. Other characters than letters, digits, - and _ in NAME become _.

Examples:
  gamewire inspect --sample
  gamewire inspect game.pcapng
  gamewire inspect -i lo -f 'udp port 8303' -Y teeworlds.chat
  gamewire inspect --page game.pcapng
  gamewire inspect --page=8000 -i lo
  gamewire inspect -r game.pcapng -T fields -e frame.time -e ip.src -e teeworlds.chat.text
  gamewire inspect game.pcapng -Y 'ip.addr == 10.0.0.7' -w one-player.pcapng
  gamewire inspect game.pcapng -z follow,2
  gamewire inspect game.pcapng -V -Y 'error or warning'
  gamewire inspect game.pcapng -x -c 1
  gamewire inspect game.pcapng --json | jq -r '.messages[].chat.text // empty'
  gamewire inspect game.pcapng --messages messages.toml -Y 'riptide.player_move.position.y < 0'
  gamewire inspect game.pcapng -z
  gamewire inspect --stream server.bin -V -Y 'freeciv.city_info.id == 101'
  gamewire inspect --stream server.bin --json | jq -c '.messages[]'
  ssh server tcpdump -w - udp port 8303 | gamewire inspect -"#;
