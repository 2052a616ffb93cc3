//! Hints for verbs and flags that other tools have.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, Error};

type Hints = &'static [(&'static [&'static str], &'static str)];

/// Words that users type in place of a verb.
const VERBS: Hints = &[
    (&["capture", "sniff", "live", "tcpdump", "dumpcap", "record"], CAPTURE),
    (&["dump", "decode", "read", "show", "parse", "dissect", "tshark", "follow"], "gamewire inspect FILE"),
    (&["connect", "client", "play", "bot", "chat", "teeworlds", "riptide", "freeciv"], "gamewire join URL"),
    (&["server", "host", "listen", "relay"], "gamewire serve riptide"),
    (&["query", "ping", "status", "list", "browse"], "gamewire info URL"),
    (&["playback", "resend", "tcpreplay"], "gamewire replay FILE"),
    (&["mitm", "intercept", "translate"], "gamewire proxy"),
    (&["dissector", "lua"], "gamewire wireshark"),
    (&["help"], "gamewire --help or gamewire VERB --help"),
    (&["version"], "gamewire --version"),
];
/// Words that users type in place of a kind of server.
const SERVERS: Hints = &[
    (&["teeworlds", "ddnet", "tw"], "gamewire demo, which runs a Teeworlds server among others"),
    (&["relay", "echo", "rt"], "gamewire serve riptide; with --echo it is an echo server"),
    (&["replay"], "gamewire replay FILE"),
    (&["freeciv", "fc"], "gamewire replay FILE --listen freeciv://HOST:PORT"),
];
/// Flags of other clients and servers.
const SESSION_FLAGS: Hints = &[
    (&["-p", "--port", "-h", "--host", "-s", "--server", "--address"], "HOST:PORT in the URL"),
    (&["-n", "--nick", "--user", "--username", "-u", "--player"], "--name NAME"),
    (&["-t", "-d", "--time", "--seconds"], "--duration TIME"),
    (&["-w", "--write", "-o", "--output", "--pcap"], "--record FILE"),
    (&["--protocol", "--dialect", "--game"], "the scheme of the URL, such as tw-0.7+udp://HOST"),
    (&["-V", "--verbose"], "-v, which logs, or --json, which prints every field"),
];
/// Flags for the address of other servers.
const SERVER_FLAGS: Hints = &[(
    &["-p", "--port", "-h", "--host", "-s", "--server", "--address", "--addr", "-b"],
    "--listen HOST:PORT, or --listen :PORT for all addresses",
)];
/// Flags of capture tools.
const CAPTURE_FLAGS: Hints = &[
    (&["-i", "--interface", "-w", "-f", "-D"], CAPTURE),
    (&["-T", "-e", "-x", "-r", "-n", "-t", "-Y", "-z", "-R", "-O", "-V", "-c"], "gamewire inspect FILE"),
];
const CAPTURE: &str =
    "gamewire inspect -i NAME for live traffic, or gamewire join URL --record FILE for a session of your own";

/// Adds a hint to an error about an unknown verb or flag. `arguments` are the arguments of the program.
pub(crate) fn add_hint(
    mut error: Error,
    command: &mut Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Error {
    let arguments: Vec<_> = arguments.into_iter().skip(1).collect();
    let verb = arguments.first().and_then(|verb| verb.to_str());
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let hint = if let Some(word) = word(ContextKind::InvalidSubcommand) {
        match verb {
            Some("serve") => find(SERVERS, &word),
            _ => find(VERBS, &word).or_else(|| operand(&word)),
        }
    } else if let Some(flag) = word(ContextKind::InvalidArg) {
        let flag = flag.split(' ').next().unwrap_or_default();
        let is_session = matches!(verb, Some("join" | "serve" | "info" | "demo"));
        let session = is_session.then(|| find(SESSION_FLAGS, flag)).flatten();
        let session = match verb {
            Some("serve") if flag.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(format!("--listen :{flag}"))
            }
            Some("serve") => find(SERVER_FLAGS, flag).or(session),
            Some("info") if flag.contains("://") => Some("gamewire info once for each server".to_owned()),
            _ => session,
        };
        // `inspect` has these flags itself, except -D, so its errors about them need no hint.
        let is_known = verb == Some("inspect") && flag != "-D";
        session.or_else(|| find(CAPTURE_FLAGS, flag).filter(|_| !is_known))
    } else {
        None
    };
    if let Some(hint) = hint {
        let hint = StyledStr::from(format!("use {hint}"));
        // Remove clap's suggestions of similar names, because the hint replaces them. The usage has the suggested flag.
        if error.remove(ContextKind::SuggestedArg).is_some() {
            error.insert(ContextKind::Usage, ContextValue::StyledStr(usage(command, &arguments)));
        }
        _ = error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
    }
    error
}

/// Returns the usage of the verb that arguments begin with.
fn usage(command: &mut Command, arguments: &[OsString]) -> StyledStr {
    match arguments.split_first() {
        Some((name, rest)) if command.find_subcommand(name).is_some() => {
            match command.find_subcommand_mut(name) {
                Some(verb) => usage(verb, rest),
                None => command.render_usage(),
            }
        }
        _ => command.render_usage(),
    }
}

fn find(hints: Hints, word: &str) -> Option<String> {
    let (_, hint) = hints.iter().find(|(words, _)| words.contains(&word))?;
    Some((*hint).to_owned())
}

/// Returns the hint for a URL or a file in place of a verb.
fn operand(word: &str) -> Option<String> {
    if word.contains("://") {
        return Some(format!("gamewire join {word}"));
    }
    let endings = [".pcap", ".pcapng", ".cap", ".gz"];
    endings.iter().any(|ending| word.ends_with(ending)).then(|| format!("gamewire inspect {word}"))
}
