use thiserror::Error;

use super::MAX_BYTES;

/// An error in a text of hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DigitsError {
    /// The text has no digits.
    #[error("there are no bytes: paste hexadecimal digits such as 10 00 00 01")]
    Empty,
    /// The last byte has one digit.
    #[error("the last byte has one digit of two")]
    Odd,
    /// A character is neither a digit nor a separator of bytes.
    #[error("character {position} is {found:?}: expected hexadecimal digits")]
    Character {
        /// Position of the character, from 1.
        position: usize,
        /// The character.
        found: char,
    },
    /// The text has too many bytes.
    #[error("there are more than {MAX_BYTES} bytes; save them as a capture file")]
    TooLong,
}

/// Parses hexadecimal digits. They can have spaces, colons, commas, `0x` and `\x` between them, or be the lines of a
/// hex dump with offsets before the bytes and characters after them.
///
/// # Errors
/// A [`DigitsError`] if the text has other characters, no bytes, half a byte, or too many bytes.
pub fn parse_hex(text: &str) -> Result<Vec<u8>, DigitsError> {
    if text.len() > MAX_BYTES.saturating_mul(8) {
        return Err(DigitsError::TooLong);
    }
    let dumped: Option<Vec<_>> =
        text.lines().filter(|line| !line.trim().is_empty()).map(of_dump_line).collect();
    let digits = match dumped.filter(|lines| !lines.is_empty()) {
        Some(lines) => lines.concat(),
        None => plain(text)?,
    };
    let (pairs, rest) = digits.as_chunks::<2>();
    match (pairs.len(), rest) {
        (0, []) => Err(DigitsError::Empty),
        (MAX_BYTES.., [_, ..]) => Err(DigitsError::TooLong),
        (_, [_, ..]) => Err(DigitsError::Odd),
        (count, []) if count > MAX_BYTES => Err(DigitsError::TooLong),
        _ => Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect()),
    }
}

/// Returns the digits of a line of a hex dump, such as `0010  48 65 6c 6c 6f 00 01 02  03 04  Hello...`. The line has
/// an offset of four to eight digits, optionally with a colon, and at most 16 bytes. Returns `None` for any other
/// line.
fn of_dump_line(line: &str) -> Option<Vec<u8>> {
    let line = line.trim();
    let (offset, rest) = line.split_once(": ").or_else(|| line.split_once("  "))?;
    if !(4..=8).contains(&offset.len()) || !offset.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut digits = Vec::new();
    for word in rest.split_whitespace().map_while(byte_words) {
        if digits.len() >= 32 {
            break;
        }
        digits.extend(word);
    }
    (!digits.is_empty()).then_some(digits)
}

/// Returns the digits of one or two bytes of a hex dump, or `None` if the word is something else.
fn byte_words(word: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<_>> = word.chars().map(digit).collect();
    digits.filter(|digits| matches!(digits.len(), 2 | 4))
}

fn plain(text: &str) -> Result<Vec<u8>, DigitsError> {
    let mut digits = Vec::new();
    let mut characters = text.chars().enumerate().peekable();
    while let Some((index, found)) = characters.next() {
        let is_prefix = matches!(found, '0' | '\\') && matches!(characters.peek(), Some((_, 'x' | 'X')));
        if is_prefix {
            characters.next();
        } else if let Some(value) = digit(found) {
            digits.push(value);
        } else if !(found.is_whitespace() || ":,;-_[](){}\"'".contains(found)) {
            return Err(DigitsError::Character { position: index.saturating_add(1), found });
        }
    }
    Ok(digits)
}

fn digit(character: char) -> Option<u8> {
    character.to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_in_the_forms_of_the_usual_tools() {
        for text in [
            "10000001ff",
            "10 00 00 01 FF",
            "10:00:00:01:ff",
            "0x10, 0x00, 0x00, 0x01, 0xff",
            r"\x10\x00\x00\x01\xff",
            "[0x10,0x00,0x00,0x01,0xff]",
            "0000  10 00 00 01 ff  .....",
            "00000000: 1000 0001 ff                        .....",
            "0000   10 00 00\n0003   01 ff  ab\n",
        ] {
            let expected: &[u8] =
                if text.ends_with("ab\n") { &[16, 0, 0, 1, 255, 0xab] } else { &[16, 0, 0, 1, 255] };
            assert_eq!(parse_hex(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        for (text, error) in [
            ("", DigitsError::Empty),
            (" : ", DigitsError::Empty),
            ("abc", DigitsError::Odd),
            ("10 zz", DigitsError::Character { position: 4, found: 'z' }),
        ] {
            assert_eq!(parse_hex(text), Err(error), "{text}");
        }
        assert_eq!(parse_hex(&"00".repeat(MAX_BYTES)).map(|bytes| bytes.len()), Ok(MAX_BYTES));
        assert_eq!(parse_hex(&"00".repeat(MAX_BYTES + 1)), Err(DigitsError::TooLong));
        assert_eq!(parse_hex(&"0".repeat(MAX_BYTES * 8 + 1)), Err(DigitsError::TooLong));
    }
}
