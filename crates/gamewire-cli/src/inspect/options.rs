use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Explain a capture of game traffic
///
/// Reads pcap and pcapng files, finds the conversations of games in them, follows each with its full
/// state, and prints a line for every datagram: frame, seconds, conversation, direction (→ from the
/// client, ← from the server), dialect, and what it says. With --stream it reads what one side of a
/// connection of Freeciv has sent, and prints a line for every packet.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP)]
pub(crate) struct Inspect {
    /// The capture, pcap or pcapng; - reads standard input
    #[arg(conflicts_with = "sample")]
    pub(super) file: Option<String>,
    /// Explain a short capture that is built in
    #[arg(long)]
    pub(super) sample: bool,
    /// Show every field with the bytes or bits it stands in; with --json, add these to every field
    #[arg(short = 'V', long)]
    pub(super) verbose: bool,
    /// Show the bytes, marked by field
    #[arg(long, conflicts_with_all = ["verbose", "json", "totals"])]
    pub(super) hex: bool,
    /// Print JSON: one object a line for each datagram, or one object of totals
    #[arg(long)]
    pub(super) json: bool,
    /// Only datagrams for which FILTER holds
    #[arg(short = 'Y', long, value_name = "FILTER")]
    pub(super) filter: Option<String>,
    /// Print totals by message, item, dialect and conversation instead of datagrams
    #[arg(short = 'z', long, conflicts_with = "verbose")]
    pub(super) totals: bool,
    /// Stop after N datagrams were shown or counted
    #[arg(short = 'c', long, value_name = "N")]
    pub(super) count: Option<u64>,
    /// Names and types of your game's own messages (Riptide), a TOML file; see --help
    #[arg(short, long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
    /// The file is one direction of a connection of Freeciv, byte for byte as it was read from the
    /// socket
    #[arg(long, conflicts_with = "sample")]
    pub(super) stream: bool,
    /// Who sent the stream; left out: its first bytes tell
    #[arg(long, value_name = "END", requires = "stream")]
    pub(super) from: Option<SenderArg>,
    /// What the client can, in the words of its capability string; left out: all that the server
    /// can; "" for nothing
    #[arg(long, value_name = "LIST", requires = "stream")]
    pub(super) capabilities: Option<String>,
    /// The definition of Freeciv's protocol, a packets.def or a folder of files; left out: those
    /// of the versions that gamewire knows
    #[arg(long, value_name = "FILE")]
    pub(super) definition: Option<PathBuf>,
    /// What the definition leaves to C headers, a TOML file; left out: constants.toml beside it
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(super) constants: Option<PathBuf>,
    /// Write what is needed to see an error of Freeciv again to files in DIR; see --help
    #[arg(long, value_name = "DIR")]
    pub(super) dump: Option<PathBuf>,
    /// List the names of all fields, with their meaning
    #[arg(long, conflicts_with_all = ["verbose", "hex", "totals", "sample", "filter", "count"])]
    pub(super) fields: bool,
    /// No progress bar and no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// Who sent a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SenderArg {
    /// What the server read.
    Client,
    /// What the client read.
    Server,
}

const SHORT_HELP: &str = "\
Examples:
  gamewire inspect --sample
  gamewire inspect game.pcapng -Y 'teeworlds.chat'
  gamewire inspect game.pcapng -z
  gamewire inspect --stream server.bin
See --help for the language of filters.";

const LONG_HELP: &str = r#"Filters:
  A test is a name alone (is it there?) or a name, an operator and a value. Tests are joined by
  && || ! or and, or, not, and grouped by parentheses.

    teeworlds.chat                           there is such a message, item or group
    teeworlds.chat.text contains "hi"        a field: protocol, group, field
    teeworlds.snapshot.character.x > 500     groups around it may be named too
    direction == "server" && time < 10       circumstances of the datagram

  Operators are == != < <= > >=, contains for text, bytes and flags, and matches for regular
  expressions. Values are numbers (12, -3, 0x1f, 0.25), "text" with \" \\ \n \xNN \u{N},
  true, false, and bytes (0a:0b). Numbers that have a name compare with either.

  A field may occur several times in a datagram. A test holds when it holds for any of them; only
  != is different: the field is there, and none of its values is equal.

  --fields lists every name.

Messages of your own game:
  Riptide's packets do not say what their values are. A file says it, message by message:

    [[message]]
    id = 10                              or kind = "notify", "connect", "reject", "kick"
    name = "player_move"
    from = "client"                      or "server"; left out: both
    fields = ["tick: ushort", "position: vector3", "items: int[]", "weapon: weapon"]

    [[struct]]
    name = "weapon"
    fields = ["ammo: byte", "name: string", "mods: bool[4]"]

  With --messages FILE they are shown, filtered (riptide.player_move.tick == 5) and counted by name.

Freeciv:
  A packet holds what has changed since the last one of its kind. So a connection can be followed
  from its first byte only, and behind an error or a hole nothing in its direction can be decoded.

  A line shows what was sent; -V also what was not, with the value that it keeps (as before), and
  --json -V that in as_before. Filters know both. A truth value is a bit at the start of the packet:
  its place is byte and bit, counted from the least significant.

  The version is known from what the client asks for. For others name the packets.def of their
  sources:  --definition freeciv/common/networking/packets.def --constants constants.toml
  (gamewire compile --help tells what stands in the constants).

  With --dump DIR, a packet that cannot be decoded is written to DIR, with what was remembered of it
  before: desync-N-server.bin is a stream that shows the error again, desync-N-server.txt says what
  is wrong, with the field, its bit, its byte, and what stands before and behind it.

Exit status:
  0  all is well
  1  the capture could not be read at all
  2  wrong options, or a filter or file of messages that is none
  3  the capture was explained, but parts of it are damaged or could not be decoded

Examples:
  gamewire inspect --sample
  gamewire inspect game.pcapng
  gamewire inspect game.pcapng -V -Y 'error or warning'
  gamewire inspect game.pcapng --hex -c 1
  gamewire inspect game.pcapng --json | jq -r '.messages[].chat.text // empty'
  gamewire inspect game.pcapng --messages messages.toml -Y 'riptide.player_move.position.y < 0'
  gamewire inspect game.pcapng -z
  gamewire inspect --stream server.bin -V -Y 'freeciv.city_info.id == 101'
  gamewire inspect --stream server.bin --json | jq -c '.messages[]'
  tcpdump -w - udp port 8303 | gamewire inspect -"#;
