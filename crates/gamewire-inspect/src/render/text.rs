//! Parts of a line. Without color, most of them are copied unchanged, because formatting costs several times as much,
//! and a proxy writes a line for each datagram of its recording.

use std::io::{self, Write};

use anstyle::Style;
use gamewire_wire::Value;

use super::escape::{Escaped, is_printable};
use super::palette::Palette;
use super::value::DisplayValue;

/// Maximum number of characters of a text that are shown.
const MAX_CHARACTERS: usize = 48;

/// Bytes of a datagram that are shown without growth of the buffer.
const SHOWN: usize = 1 << 10;

/// Passes the output of `write` to `out` in one call. Writing to memory is fast, and is compiled only once, in this crate.
pub(super) fn at_once(
    out: &mut dyn Write,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut shown = Vec::with_capacity(SHOWN);
    write(&mut shown)?;
    out.write_all(&shown)
}

/// Writes the name of a field and an equals sign.
pub(super) fn label(out: &mut dyn Write, name: &str, palette: &Palette) -> io::Result<()> {
    let dim = palette.dim;
    if dim.is_plain() {
        escaped(out, name.as_bytes())?;
        return out.write_all(b"=");
    }
    write!(out, "{dim}{}={dim:#}", Escaped(name.as_bytes()))
}

/// Writes a name in a style.
pub(super) fn styled(out: &mut dyn Write, name: &str, style: Style) -> io::Result<()> {
    if style.is_plain() {
        return escaped(out, name.as_bytes());
    }
    write!(out, "{style}{}{style:#}", Escaped(name.as_bytes()))
}

/// Writes a text.
fn escaped(out: &mut dyn Write, text: &[u8]) -> io::Result<()> {
    if is_printable(text) { out.write_all(text) } else { write!(out, "{}", Escaped(text)) }
}

/// Writes a value.
pub(super) fn value(out: &mut dyn Write, value: Value<'_>) -> io::Result<()> {
    match value {
        Value::Named { name, .. } if !name.is_empty() => escaped(out, name.as_bytes()),
        Value::Bool(true) => out.write_all(b"true"),
        Value::Bool(false) => out.write_all(b"false"),
        Value::Int(number) => integer(out, number),
        value => write!(out, "{}", DisplayValue(value)),
    }
}

/// Writes a number.
fn integer(out: &mut dyn Write, number: i64) -> io::Result<()> {
    let mut digits = [0; 20];
    let (mut rest, mut start) = (number.unsigned_abs(), digits.len());
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or(0));
        start = start.saturating_sub(1);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.write_all(b"-")?;
    }
    out.write_all(digits.get(start..).unwrap_or_default())
}

/// Writes a space, a mark, and the text of a problem.
pub(super) fn marked(out: &mut dyn Write, mark: &str, text: &[u8], style: Style) -> io::Result<()> {
    if style.is_plain() {
        out.write_all(b" ")?;
        out.write_all(mark.as_bytes())?;
        return escaped(out, text);
    }
    write!(out, " {style}{mark}{}{style:#}", Escaped(text))
}

/// Writes a text in quotes, which may be shortened.
pub(super) fn quoted(out: &mut dyn Write, text: &[u8], palette: &Palette) -> io::Result<()> {
    let style = palette.text;
    let end = end_of_characters(text, MAX_CHARACTERS);
    let more = if end < text.len() { "…" } else { "" };
    let shown = text.get(..end).unwrap_or_default();
    if style.is_plain() {
        out.write_all(b"\"")?;
        escaped(out, shown)?;
        out.write_all(more.as_bytes())?;
        return out.write_all(b"\"");
    }
    write!(out, "{style}\"{}{more}\"{style:#}", Escaped(shown))
}

/// Returns the offset after the first `count` characters. Each byte that is not UTF-8 counts as one character.
fn end_of_characters(text: &[u8], count: usize) -> usize {
    let is_start = |byte: &u8| byte & 0xc0 != 0x80;
    let starts = text.iter().enumerate().filter(|(_, byte)| is_start(byte)).map(|(at, _)| at);
    // A peer may send only continuation bytes, so the limit is four bytes per character.
    starts.chain([text.len()]).nth(count).unwrap_or(text.len()).min(count.saturating_mul(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_they_are_formatted() {
        let numbers = [0, 7, 10, -1, 1_234_567_890, i64::MAX, i64::MIN].map(Value::Int);
        let names = ["pistol", "", "od\"d", "über"].map(|name| Value::Named { value: 3, name });
        let others = [Value::Bool(true), Value::Bool(false), Value::Text(b"hi\n"), Value::Uint(u64::MAX)];
        for shown in numbers.into_iter().chain(names).chain(others) {
            let mut out = Vec::new();
            value(&mut out, shown).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), DisplayValue(shown).to_string());
        }
    }
}
