use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::escape::is_hidden;

/// Writes `value` as one line of JSON that is safe to show on a terminal: what could control it or
/// hide text is written as `\uNNNN`.
///
/// # Errors
/// Those of `out`.
pub fn write_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, TerminalSafe))?;
    out.write_all(b"\n")
}

/// JSON without spaces, in which nothing above ASCII can fool a reader.
struct TerminalSafe;

impl Formatter for TerminalSafe {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let is_plain = |byte: u8| (b' '..0x7f).contains(&byte);
        if fragment.bytes().all(is_plain) {
            return out.write_all(fragment.as_bytes());
        }
        let mut utf8 = [0; 4];
        let mut utf16 = [0; 2];
        for character in fragment.chars() {
            if character.is_control() || is_hidden(character) {
                for unit in character.encode_utf16(&mut utf16) {
                    write!(out, "\\u{unit:04x}")?;
                }
            } else {
                out.write_all(character.encode_utf8(&mut utf8).as_bytes())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_read_back_the_same() {
        let text = "a\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{e0041}\"\\\nü🐧";
        let mut out = Vec::new();
        write_json(&mut out, &text).unwrap();
        let json = String::from_utf8(out).unwrap();
        assert_eq!(json, "\"a\\u001b[2J\\u007f\\u009b\\u202e\\udb40\\udc41\\\"\\\\\\nü🐧\"\n");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
