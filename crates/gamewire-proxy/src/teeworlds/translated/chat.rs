//! Chat lines that are commands in the other version.

/// Parses a DDNet whisper command, such as `/w "good friend" hello`. Returns the name and the text.
pub(super) fn whispered(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("/whisper ").or_else(|| line.strip_prefix("/w "))?.trim_start();
    let (name, text) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => rest.split_once(' ')?,
    };
    let text = text.trim_start();
    (!name.is_empty() && !text.is_empty()).then_some((name, text))
}

/// Returns the DDNet command that whispers `text` to a player.
pub(super) fn whisper_command(name: &str, text: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("/w \"{name}\" {text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whisper_in_a_line_is_found() {
        assert_eq!(whispered("/w anna hello there"), Some(("anna", "hello there")));
        assert_eq!(whispered("/whisper \"good friend\" hello"), Some(("good friend", "hello")));
        for line in ["hello", "/w", "/w anna", "/w \"anna hello", "/wave anna hello", "/w  "] {
            assert_eq!(whispered(line), None, "{line}");
        }
    }

    #[test]
    fn a_whisper_becomes_a_command_whatever_the_name() {
        assert_eq!(whisper_command("an \"x\"", "hi"), r#"/w "an \"x\"" hi"#);
    }
}
