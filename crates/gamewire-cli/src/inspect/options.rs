use std::path::PathBuf;

use clap::Args;

/// Explain a capture of game traffic
///
/// Reads pcap and pcapng files, finds the conversations of games in them, follows each with its full
/// state, and prints a line for every datagram: frame, seconds, conversation, direction (→ from the
/// client, ← from the server), dialect, and what it says.
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
    /// List the names of all fields, with their meaning
    #[arg(long, conflicts_with_all = ["verbose", "hex", "totals", "sample", "filter", "count"])]
    pub(super) fields: bool,
    /// No progress bar and no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const SHORT_HELP: &str = "\
Examples:
  gamewire inspect --sample
  gamewire inspect game.pcapng -Y 'teeworlds.chat'
  gamewire inspect game.pcapng -z
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
  tcpdump -w - udp port 8303 | gamewire inspect -"#;
