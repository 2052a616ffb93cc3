use crate::diagnostic::{Diagnostic, Errors, did_you_mean, quoted};
use crate::ir::{Field, Info, Packet};
use crate::parse::{Flag, PacketBlock, Spanned};

/// Flags of packets: first the flags that affect the wire, then the flags that only affect the C interface of Freeciv.
const PACKET_FLAGS: [&[&str]; 4] = [
    &["sc", "cs", "is-info", "is-game-info", "no-delta", "force", "cancel", "reset"],
    &["lsend", "dsend", "handle-per-conn", "handle-via-packet", "handle-via-fields"],
    &["no-handle", "no-packet", "pre-send", "post-send", "post-recv"],
    // The first versions have one word for both directions.
    &["pre", "post"],
];
/// Flags of fields.
const FIELD_FLAGS: [&str; 5] = ["key", "diff", "add-cap", "remove-cap", "alias"];

/// Sets the flags of a packet. Returns the names of the packets that it cancels.
pub(super) fn set_packet_flags<'b>(
    packet: &mut Packet,
    block: &'b PacketBlock<'_>,
    errors: &mut Errors,
) -> Vec<&'b Spanned<'b>> {
    let mut cancels = Vec::new();
    for flag in &block.flags {
        let takes_argument = matches!(flag.word.text, "cancel" | "reset" | "cap");
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
            "cancel" | "reset" => cancels.extend(&flag.argument),
            // A flag of Freeciv21: the packet is only sent to a side that has the capability.
            "cap" => {}
            word if PACKET_FLAGS.iter().any(|known| known.contains(&word)) => {}
            _ => errors.push(unknown(flag, "packets", &PACKET_FLAGS.concat())),
        }
    }
    if !packet.directions.to_client && !packet.directions.to_server {
        let error = block.name.error("this packet has no direction");
        let hint = "add `sc` (from the server) or `cs` (from the client) after the `;`";
        errors.push(error.label("no sender").hint(hint));
    }
    cancels
}

/// Sets the flags of a line on a field. Returns whether `diff` is one of them.
pub(super) fn set_field_flags(field: &mut Field, flags: &[Flag<'_>], errors: &mut Errors) -> bool {
    let mut is_diff = false;
    for flag in flags {
        let takes_argument = matches!(flag.word.text, "add-cap" | "remove-cap" | "alias");
        let example = if flag.word.text == "alias" { "name" } else { "capability" };
        if let Err(error) = check_argument(flag, takes_argument, example) {
            errors.push(error);
            continue;
        }
        let argument = flag.argument.as_ref().map(|argument| argument.text.to_owned());
        match flag.word.text {
            "key" => field.key = true,
            "diff" => is_diff = true,
            "add-cap" => field.add_caps.extend(argument),
            "remove-cap" => field.remove_caps.extend(argument),
            "alias" => field.aliases.extend(argument),
            _ => errors.push(unknown(flag, "fields", &FIELD_FLAGS)),
        }
    }
    is_diff
}

fn check_argument(flag: &Flag<'_>, takes_one: bool, example: &str) -> Result<(), Diagnostic> {
    let word = flag.word.text;
    match (&flag.argument, takes_one) {
        (None, true) => {
            let error = flag.word.error(format!("{} needs a name", quoted(word)));
            Err(error.hint(format!("write `{word}({example})`")))
        }
        (Some(argument), false) => Err(argument.error(format!("{} takes no argument", quoted(word)))),
        _ => Ok(()),
    }
}

fn unknown(flag: &Flag<'_>, whose: &str, known: &[&str]) -> Diagnostic {
    let otherwise = format!("flags of {whose} are {}", known.join(", "));
    let error = flag.word.error(format!("{whose} have no flag {}", quoted(flag.word.text)));
    error.label("not known").hint(did_you_mean(flag.word.text, known.iter().copied(), &otherwise))
}
