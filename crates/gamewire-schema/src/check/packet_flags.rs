use super::packet::Cancel;
use super::similar::did_you_mean;
use crate::diagnostic::{Diagnostic, Errors, quoted};
use crate::ir::{Info, Packet};
use crate::parse::{Flag, PacketBlock};

/// Flags that only shape the interface of the reference implementation.
const WITHOUT_EFFECT: &[&str] = &[
    "lsend",
    "dsend",
    "handle-per-conn",
    "handle-via-packet",
    "handle-via-fields",
    "no-handle",
    "no-packet",
    "pre-send",
    "post-send",
    "post-recv",
];
/// Flags that matter on the wire.
const WITH_EFFECT: &[&str] = &["sc", "cs", "is-info", "is-game-info", "no-delta", "force", "cancel", "reset"];

/// Sets the flags of a packet, all but what it cancels: that is handed back.
pub(super) fn set_flags<'b, 'a>(
    packet: &mut Packet,
    block: &'b PacketBlock<'a>,
    errors: &mut Errors,
) -> Vec<Cancel<'b>> {
    let mut cancels = Vec::new();
    for flag in &block.flags {
        let takes_argument = matches!(flag.word.text, "cancel" | "reset");
        if let Err(error) = check_argument(flag, takes_argument, "PACKET_NAME") {
            errors.push(error);
            continue;
        }
        match flag.word.text {
            "sc" => packet.directions.to_client = true,
            "cs" => packet.directions.to_server = true,
            "is-info" => packet.info = Info::Info,
            "is-game-info" => packet.info = Info::GameInfo,
            "no-delta" => packet.no_delta = true,
            "force" => packet.force = true,
            "cancel" | "reset" => cancels.extend(flag.argument.as_ref().map(Cancel)),
            word if WITHOUT_EFFECT.contains(&word) => {}
            _ => {
                let known = WITH_EFFECT.iter().chain(WITHOUT_EFFECT).copied();
                errors.push(unknown(flag, "packets", known));
            }
        }
    }
    if !packet.directions.to_client && !packet.directions.to_server {
        let error = Diagnostic::new("this packet has no direction", block.name.span.clone());
        let hint = "add `sc` (from the server) or `cs` (from the client) behind the `;`";
        errors.push(error.label("nobody sends it").hint(hint));
    }
    cancels
}

pub(super) fn check_argument(flag: &Flag<'_>, takes_one: bool, example: &str) -> Result<(), Diagnostic> {
    let word = flag.word.text;
    match (&flag.argument, takes_one) {
        (None, true) => {
            let message = format!("{} needs a name", quoted(word));
            Err(Diagnostic::new(message, flag.word.span.clone()).hint(format!("write `{word}({example})`")))
        }
        (Some(argument), false) => {
            let message = format!("{} takes nothing in parentheses", quoted(word));
            Err(Diagnostic::new(message, argument.span.clone()))
        }
        _ => Ok(()),
    }
}

pub(super) fn unknown<'k>(
    flag: &Flag<'_>,
    whose: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Diagnostic {
    let word = flag.word.text;
    let all: Vec<&str> = known.clone().collect();
    let otherwise = format!("flags of {whose} are {}", all.join(", "));
    let error = Diagnostic::new(format!("{whose} have no flag {}", quoted(word)), flag.word.span.clone());
    error.label("not known").hint(did_you_mean(word, known, &otherwise))
}
