use super::packet_flags::{check_argument, unknown};
use crate::diagnostic::Errors;
use crate::ir::Field;
use crate::parse::Flag;

const KNOWN: [&str; 4] = ["key", "diff", "add-cap", "remove-cap"];

/// Sets the flags of a line on a field. Says whether `diff` is among them.
pub(super) fn set_flags(field: &mut Field, flags: &[Flag<'_>], errors: &mut Errors) -> bool {
    let mut is_diff = false;
    for flag in flags {
        let takes_argument = matches!(flag.word.text, "add-cap" | "remove-cap");
        if let Err(error) = check_argument(flag, takes_argument, "capability") {
            errors.push(error);
            continue;
        }
        let argument = flag.argument.as_ref().map(|argument| argument.text.to_owned());
        match flag.word.text {
            "key" => field.key = true,
            "diff" => is_diff = true,
            "add-cap" => field.add_caps.extend(argument),
            "remove-cap" => field.remove_caps.extend(argument),
            _ => errors.push(unknown(flag, "fields", KNOWN.into_iter())),
        }
    }
    is_diff
}
