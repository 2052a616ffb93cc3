use thiserror::Error;

use super::{MAX_BYTES, dump, literal, numbers};

/// An error in a text of hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DigitsError {
    /// The text has no digits.
    #[error("there are no bytes: paste hexadecimal digits such as 10 00 00 01")]
    Empty,
    /// The last byte has one digit.
    #[error("the last byte has only one hexadecimal digit")]
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

/// Parses bytes. They can be hexadecimal digits with spaces, colons, commas, `0x` and `\x` between them, the lines of a
/// hex dump, a list of numbers, or strings of a program such as `b"\x10\n"`.
///
/// # Errors
/// A [`DigitsError`] if the text has other characters, no bytes, half a byte, or too many bytes.
pub fn parse_hex(text: &str) -> Result<Vec<u8>, DigitsError> {
    if text.len() > MAX_BYTES.saturating_mul(8) {
        return Err(DigitsError::TooLong);
    }
    let known =
        dump::parse(text, MAX_BYTES).or_else(|| literal::parse(text)).or_else(|| numbers::parse(text));
    let bytes = match known {
        Some(bytes) => bytes,
        None => plain(text)?,
    };
    match bytes.len() {
        0 => Err(DigitsError::Empty),
        length if length > MAX_BYTES => Err(DigitsError::TooLong),
        _ => Ok(bytes),
    }
}

/// Returns the bytes of hexadecimal digits.
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
    match digits.as_chunks::<2>() {
        (pairs, []) => Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect()),
        _ => Err(DigitsError::Odd),
    }
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
            "1000 0001 ff",
            "0x10, 0x00, 0x00, 0x01, 0xff",
            r"\x10\x00\x00\x01\xff",
            r#"b"\x10\x00\x00\x01\xff""#,
            r#"bytearray(b'\x10\0\0\001\xff')"#,
            "data = (b\"\\x10\\x00\"\n        b\"\\x00\\x01\\xff\")",
            "[16, 0, 0, 1, 255]",
            "new sbyte[] { 16, 0, 0, 1, -1 };",
            "16 0 0 1 255",
            "unsigned char packet[] = { 0x10, 0x0, 0x0, 0x1, 0xff };",
            "[0x10,0x00,0x00,0x01,0xff]",
            "0000  10 00 00 01 ff  .....",
            "00000000: 1000 0001 ff                        .....",
            "00000000  10 00 00 01 ff                                    |.....|\n00000005",
            "\t0x0000:  1000 0001 ff                           .....",
            "000000 10 00 00 01 ff                                   >.....<\n000005",
            "0000   10 00 00\n0003   01 ff\n",
            "0000   10 00 00 01 ff                                   ·····",
        ] {
            assert_eq!(parse_hex(text).as_deref(), Ok(&[16, 0, 0, 1, 255][..]), "{text}");
        }
    }

    #[test]
    fn characters_of_a_dump_are_not_bytes() {
        let face = b"face facebead 00 be ef";
        for text in [
            "00000000: 6661 6365 2066 6163 6562 6561 6420 3030  face facebead 00\n00000010: 2062 6520 6566                            be ef",
            "00000000  66 61 63 65 20 66 61 63  65 62 65 61 64 20 30 30  |face facebead 00|\n00000010  20 62 65 20 65 66                                 | be ef|\n00000016",
            "0000   66 61 63 65 20 66 61 63 65 62 65 61 64 20 30 30   face facebead 00\n0010   20 62 65 20 65 66                                  be ef",
            r#"b"face facebead 00 be ef""#,
        ] {
            assert_eq!(parse_hex(text).as_deref(), Ok(&face[..]), "{text}");
        }
        let repeated = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000040  01 |.|\n00000041";
        assert_eq!(parse_hex(repeated).as_deref(), Ok(&[&[0; 64][..], &[1]].concat()[..]));
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        for (text, error) in [
            ("", DigitsError::Empty),
            (" : ", DigitsError::Empty),
            ("abc", DigitsError::Odd),
            (r#"b"""#, DigitsError::Empty),
            ("10 zz", DigitsError::Character { position: 4, found: 'z' }),
        ] {
            assert_eq!(parse_hex(text), Err(error), "{text}");
        }
        assert_eq!(parse_hex(&"00".repeat(MAX_BYTES)).map(|bytes| bytes.len()), Ok(MAX_BYTES));
        assert_eq!(parse_hex(&"00".repeat(MAX_BYTES + 1)), Err(DigitsError::TooLong));
        assert_eq!(parse_hex(&"0".repeat(MAX_BYTES * 8 + 1)), Err(DigitsError::TooLong));
    }
}
