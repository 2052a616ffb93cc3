use std::fmt::{self, Write as _};
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Bytes of a peer, made safe to print. Valid UTF-8 is unchanged, except that line ends, tabs, quotes and backslashes
/// are escaped as in source code. Control bytes and invalid UTF-8 are `\xNN`, and characters that hide or reorder text
/// are `\u{N}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escaped<'a>(pub &'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(text) = str::from_utf8(self.0) {
            return write_text(f, text);
        }
        for chunk in self.0.utf8_chunks() {
            write_text(f, chunk.valid())?;
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// Returns whether a byte is written unchanged.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

/// Returns whether `text` needs no escape. It checks all bytes without an early exit, so that the compiler can check
/// several at a time.
pub(super) fn is_printable(text: &[u8]) -> bool {
    text.iter().fold(true, |is_printable, byte| is_printable & is_plain(*byte))
}

/// Writes text. A run without escapes is written as a whole.
fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut rest = text;
    loop {
        let end = rest.bytes().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        let (plain, other) = rest.split_at_checked(end).unwrap_or((rest, ""));
        f.write_str(plain)?;
        let mut characters = other.chars();
        let Some(character) = characters.next() else { return Ok(()) };
        write_character(f, character)?;
        rest = characters.as_str();
    }
}

fn write_character(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    match character {
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\0'..='\u{7f}' if character.is_control() => write!(f, "\\x{:02x}", u32::from(character)),
        character if is_hidden(character) => write!(f, "\\u{{{:x}}}", u32::from(character)),
        character => f.write_char(character),
    }
}

/// Returns whether a character above ASCII could mislead a reader: C1 controls, line and paragraph separators, marks
/// that reorder text, and characters without width or shape.
pub fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Writes `value` as one line of JSON that is safe to show on a terminal: characters that control it or hide text are
/// written as `\uNNNN`.
///
/// # Errors
/// The error of `out`.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, TerminalSafe))?;
    out.write_all(b"\n")
}

/// A JSON formatter that writes no spaces and escapes hidden characters.
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

    fn escaped(bytes: &[u8]) -> String {
        Escaped(bytes).to_string()
    }

    #[test]
    fn text_in_any_script_stays_as_it_is() {
        for text in ["hi there", "grüße", "привет", "你好", "ｎａｍｅ", "e\u{301}", "🐧"] {
            assert_eq!(escaped(text.as_bytes()), text);
        }
    }

    #[test]
    fn terminal_controls_are_escaped() {
        assert_eq!(escaped(b"\x1b[2J\x07\x00\x7f\n\t\r"), r"\x1b[2J\x07\x00\x7f\n\t\r");
        assert_eq!(escaped("\u{9b}31m\u{85}".as_bytes()), r"\u{9b}31m\u{85}");
    }

    #[test]
    fn marks_that_hide_or_reorder_text_are_escaped() {
        assert_eq!(escaped("a\u{202e}b\u{2066}c\u{200b}d".as_bytes()), r"a\u{202e}b\u{2066}c\u{200b}d");
        assert_eq!(
            escaped("\u{2028}\u{2029}\u{feff}\u{e0041}".as_bytes()),
            r"\u{2028}\u{2029}\u{feff}\u{e0041}"
        );
    }

    #[test]
    fn invalid_utf8_is_shown_byte_by_byte() {
        assert_eq!(escaped(b"a\xff\xc3(\xed\xa0\x80\xf0\x9f"), r"a\xff\xc3(\xed\xa0\x80\xf0\x9f");
    }

    #[test]
    fn quotes_cannot_be_closed_from_inside() {
        assert_eq!(escaped(br#"" error="none\"#), r#"\" error=\"none\\"#);
    }

    #[test]
    fn no_byte_pair_becomes_a_control_character() {
        for high in 0..=255_u8 {
            for low in 0..=255_u8 {
                let text = escaped(&[high, low, b'm']);
                let is_safe = |character: char| !character.is_control() && !is_hidden(character);
                assert!(text.chars().all(is_safe), "{high:02x} {low:02x}");
            }
        }
    }

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
