//! The help of `join` for one protocol.

use std::ffi::OsString;

use clap::Command;

use super::OPTIONS_FOR;
use crate::url::{FREECIV_HELP, RIPTIDE_HELP, TEEWORLDS_HELP};

/// The help for a protocol.
struct ProtocolHelp {
    name: &'static str,
    /// The first words of URLs.
    words: &'static [&'static str],
    summary: &'static str,
    examples: &'static str,
    urls: &'static str,
    commands: &'static str,
}

const PROTOCOLS: [ProtocolHelp; 3] = [
    ProtocolHelp {
        name: "Teeworlds",
        words: &["teeworlds", "tw"],
        summary: "Play on a Teeworlds or DDNet server as a headless player",
        examples: "Examples:
  gamewire join teeworlds://example.org --name bot --say hello
  gamewire join tw-0.7+udp://127.0.0.1:8303 --duration 30s --record session.pcapng
  gamewire join tw-0.7+udp://127.0.0.1 --rcon secret --command status --duration 2s
  gamewire join tw-0.6+udp://[::1]:8303 --map-dir ~/.cache/gamewire/maps --reconnect
  gamewire join tw-0.7+udp://127.0.0.1 --impair loss=10%,delay=80ms --json",
        urls: TEEWORLDS_HELP,
        commands: "\
Events are chat, joins, leaves, kills, emoticons, votes, the map and the remote console.

Lines of standard input:
  TEXT    send a chat line
  /quit   leave",
    },
    ProtocolHelp {
        name: "Riptide",
        words: &["riptide"],
        summary: "Connect to a Riptide server as a client",
        examples: "Examples:
  gamewire join riptide://127.0.0.1 --send '10 int:5 string:\"Hi there\"'
  gamewire join riptide://127.0.0.1 --connect-data 'string:\"let me in\"'
  gamewire join riptide-2.0+tcp://127.0.0.1:7777 --send '10 int:5' --duration 2s --json
  gamewire join riptide://127.0.0.1 --messages game.toml --send 'player_move tick=5'",
        urls: RIPTIDE_HELP,
        commands: MESSAGES_HELP,
    },
    ProtocolHelp {
        name: "Freeciv",
        words: &["freeciv"],
        summary: "Play or observe on a Freeciv server",
        examples: "Examples:
  gamewire join freeciv://127.0.0.1 --name bot --start --turns 20
  gamewire join freeciv://127.0.0.1:5557 --observe --json
  gamewire join freeciv://127.0.0.1 --observe='Julius Caesar' --record game.pcapng
  gamewire join freeciv://127.0.0.1 --say '/take \"Julius Caesar\"'
  gamewire join freeciv://127.0.0.1 --definition freeciv/common/networking/packets.def \\
      --constants constants.toml --capabilities '+Freeciv-3.3-network'",
        urls: FREECIV_HELP,
        commands: TURNS_HELP,
    },
];

/// Help for lines of standard input with Riptide.
pub(super) const MESSAGES_HELP: &str = "\
Lines of standard input, and --send for messages:
  [reliable|unreliable] ID VALUES   send a message; the default mode is reliable
  notify VALUES                     send a notify message
  NAME FIELD=VALUE ...              send a message that --messages describes
  help                              print this syntax
  leave, /quit                      leave
  VALUES are types with values: int:5 bool:true string:\"Hi there\" bytes:0aff floats:1,2.5 bits:3:5
  hex:0aff.";

/// Help for turns and standard input with Freeciv.
pub(super) const TURNS_HELP: &str = "\
The player expands, defends, researches and builds by simple rules, and ends its turns. The line of a
turn is printed at its end, with the player's cities, units, gold and score, and the bytes received
during the turn: on the wire, before compression, and without delta encoding. With --definition it
gives no orders.

Lines of standard input:
  TEXT       send a chat line
  /COMMAND   send a command of the server, such as /list players or /take NAME
  /quit      leave";

/// The exit codes of `join`.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0  the player left on request, or after its time with all requests done
  1  the server rejected or kicked the player or could not be reached, or what was asked did not
     happen in time: the player did not enter, --turns did not end, --observe was refused, lines
     or messages were not sent
  2  invalid options";

/// Restricts the help of `join` to the protocol that the arguments name, as in `join teeworlds --help` or
/// `join tw-0.7+udp://host --help`.
pub(crate) fn help_by_protocol(command: Command, arguments: impl Iterator<Item = OsString>) -> Command {
    let arguments: Vec<_> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let [_, verb, arguments @ ..] = arguments.as_slice() else { return command };
    if verb != "join" || !arguments.iter().any(|argument| matches!(argument.as_str(), "-h" | "--help")) {
        return command;
    }
    let named = arguments.iter().find_map(|argument| {
        let word = argument.split(['-', ':']).next()?;
        PROTOCOLS.iter().find(|protocol| protocol.words.contains(&word))
    });
    match named {
        Some(protocol) => command.mut_subcommand("join", |join| restrict(join, protocol)),
        None => command,
    }
}

fn restrict(join: Command, protocol: &ProtocolHelp) -> Command {
    // The help also accepts the name of a protocol in place of the URL.
    let join = join.mut_arg("url", |url| url.value_parser(clap::builder::NonEmptyStringValueParser::new()));
    let join = join.mut_args(|argument| {
        let heading = argument.get_help_heading().and_then(|heading| heading.strip_prefix(OPTIONS_FOR));
        let is_other = heading.is_some_and(|protocols| !protocols.contains(protocol.name));
        argument.hide(is_other)
    });
    let ProtocolHelp { summary, examples, urls, commands, .. } = protocol;
    let about = format!("{summary}\n\n{examples}");
    join.about(about.clone())
        .long_about(about)
        .after_help("See --help for the URLs, the lines of standard input and the exit codes.")
        .after_long_help(format!("{urls}\n\n{commands}\n\n{JSON_HELP}\n\n{EXIT_STATUS}"))
}

/// Help for JSON in both directions.
pub(super) const JSON_HELP: &str = "\
With --json, lines of standard input that begin with { are commands in JSON. docs/json.md and the
schemas in docs/schema describe commands and events.";
