use gamewire_wire::{CodecError, Trace, Value, Writer};

use crate::shared::field::Field;
use crate::shared::pack::{Sanitize, Text, Unpacker};
use crate::shared::warning;

/// A number in decimal text, as 0.6 sends all numbers of its server info.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decimal<'a>(pub Text<'a>);

impl Decimal<'_> {
    /// The number that a game reads: the digits in front, with a sign, saturated; else 0.
    #[must_use]
    pub fn value(&self) -> i32 {
        let bytes = self.0.as_bytes();
        let (digits, sign) = match bytes.split_first() {
            Some((b'-', digits)) => (digits, -1_i64),
            _ => (bytes, 1),
        };
        let number =
            digits.iter().map_while(|byte| (*byte as char).to_digit(10)).fold(0_i64, |number, digit| {
                number.saturating_mul(10).saturating_add(digit.into()).min(i64::from(u32::MAX))
            });
        i32::try_from(number.saturating_mul(sign)).unwrap_or(if sign < 0 { i32::MIN } else { i32::MAX })
    }
}

impl<'a> Field<'a> for Decimal<'a> {
    type Rule = ();
    const RULE: () = ();

    fn read<T: Trace>(
        from: &mut Unpacker<'a>,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let start = from.reader.offset();
        let text = Text::read(from, &Sanitize::Strict, name, &mut ())?;
        let number = Self(text);
        let span = from.span_since(start);
        trace.field(name, span, Value::Int(number.value().into()));
        if text.as_bytes().is_empty() || !is_whole(text.as_bytes()) {
            trace.warning(span, &warning::NOT_A_NUMBER);
        }
        Ok(number)
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        self.0.write(to)
    }
}

fn is_whole(text: &[u8]) -> bool {
    text.strip_prefix(b"-").unwrap_or(text).iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_text_is_read_like_the_games_read_it() {
        for (text, value) in [
            ("0", 0),
            ("-1", -1),
            ("12ab", 12),
            ("", 0),
            ("x", 0),
            ("99999999999999999999", i32::MAX),
            ("-99999999999", i32::MIN),
        ] {
            assert_eq!(Decimal(Text::new(text)).value(), value, "{text}");
        }
    }
}
