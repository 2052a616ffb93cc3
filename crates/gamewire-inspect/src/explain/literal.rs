//! Strings of bytes in programs and logs, such as `b"\x10\x00hi\n"`.

use std::iter::Peekable;
use std::str::Chars;

/// Returns the bytes of the literals in a text, joined; `None` if it has none. A literal has quotes, and a `b` before
/// them or a `\x` between them.
pub(super) fn parse(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut is_literal = false;
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if matches!(character, '"' | '\'') {
            is_literal |= matches!(before, 'b' | 'B');
            is_literal |= quoted(character, &mut characters, &mut bytes)?;
        }
        before = character;
    }
    is_literal.then_some(bytes)
}

/// Adds the bytes up to the closing quote. Returns whether they contain a `\x`.
fn quoted(quote: char, characters: &mut Peekable<Chars<'_>>, bytes: &mut Vec<u8>) -> Option<bool> {
    let mut has_hex = false;
    loop {
        match characters.next()? {
            end if end == quote => return Some(has_hex),
            '\\' => match characters.next()? {
                'x' => {
                    has_hex = true;
                    let (high, low) = (digit(characters, 16)?, digit(characters, 16)?);
                    bytes.push(high << 4 | low);
                }
                'n' => bytes.push(b'\n'),
                'r' => bytes.push(b'\r'),
                't' => bytes.push(b'\t'),
                first @ '0'..='7' => {
                    let mut value = first.to_digit(8)?;
                    for _ in 0..2 {
                        if let Some(next) = characters.peek().and_then(|next| next.to_digit(8)) {
                            characters.next();
                            value = value << 3 | next;
                        }
                    }
                    bytes.push(u8::try_from(value).ok()?);
                }
                other => add(other, bytes),
            },
            other => add(other, bytes),
        }
    }
}

fn add(character: char, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

fn digit(characters: &mut Peekable<Chars<'_>>, radix: u32) -> Option<u8> {
    characters.next()?.to_digit(radix).and_then(|digit| u8::try_from(digit).ok())
}
