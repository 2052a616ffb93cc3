//! Quoted text.

use core::fmt::{self, Write};

/// Writes bytes in quotes. Parsing returns the same bytes, and invisible characters are escaped.
pub(super) fn quote(to: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    to.write_char('"')?;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\'' => to.write_char(character)?,
                character if is_invisible(character) => write!(to, "{}", character.escape_unicode())?,
                character => write!(to, "{}", character.escape_debug())?,
            }
        }
        for byte in chunk.invalid() {
            write!(to, "\\x{byte:02x}")?;
        }
    }
    to.write_char('"')
}

/// Returns whether a character counts as a letter but is invisible.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{3164}' | '\u{ffa0}'
    )
}

/// Returns the bytes of a text from between quotes. `Err` is an invalid escape.
pub(super) fn unquote(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = unescape_one(after, &mut bytes).ok_or_else(|| {
            let shown: String = after.chars().take(1).collect();
            format!("\\{shown} is not an escape; use \\\" \\\\ \\n \\r \\t \\0 \\xNN \\u{{N}}")
        })?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// Decodes one escape after its backslash, and returns the rest.
fn unescape_one<'t>(text: &'t str, bytes: &mut Vec<u8>) -> Option<&'t str> {
    let mut rest = text.chars();
    let byte = match rest.next()? {
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        '0' => 0,
        'x' => {
            let (digits, rest) = rest.as_str().split_at_checked(2)?;
            bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?);
            return Some(rest);
        }
        'u' => {
            let (digits, rest) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(rest);
        }
        character @ ('"' | '\\' | '\'') => {
            bytes.push(u8::try_from(character).ok()?);
            return Some(rest.as_str());
        }
        _ => return None,
    };
    bytes.push(byte);
    Some(rest.as_str())
}
