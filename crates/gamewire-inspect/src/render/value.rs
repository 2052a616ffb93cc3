use std::fmt;

use gamewire_wire::Value;

use super::escape::Escaped;

/// Maximum number of bytes of a raw field that are shown.
const MAX_BYTES_SHOWN: usize = 32;

/// A value for people: quoted and escaped text, and names instead of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisplayValue<'a>(pub Value<'a>);

impl fmt::Display for DisplayValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Uint(value) => write!(f, "{value}"),
            // Long numbers have an exponent.
            Value::Float(value) if is_handy(value.abs().into()) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Double(value) if is_handy(value.abs()) => write!(f, "{value}"),
            Value::Double(value) => write!(f, "{value:?}"),
            Value::Hex { value, digits } => write!(f, "{value:0width$x}", width = usize::from(digits)),
            Value::Decimal { raw, scale } => decimal(f, raw, scale),
            Value::Named { value, name: "" } => write!(f, "{value}"),
            Value::Named { name, .. } => write!(f, "{}", Escaped(name.as_bytes())),
            Value::Flags { bits, names } => flags(f, bits, names),
            Value::Text(text) => write!(f, "\"{}\"", Escaped(text)),
            Value::Bytes(bytes) => hex_bytes(f, bytes),
            Value::Uuid(uuid) => write!(f, "{}", Hyphenated(uuid)),
        }
    }
}

/// Returns whether a number is short without an exponent.
fn is_handy(size: f64) -> bool {
    size == 0.0 || (1e-4..1e16).contains(&size)
}

fn decimal(f: &mut fmt::Formatter<'_>, raw: i64, scale: u32) -> fmt::Result {
    #[expect(clippy::cast_precision_loss, reason = "the value is small and only shown")]
    let value = raw as f64 / f64::from(scale.max(1));
    write!(f, "{value}")
}

/// Writes flag names joined by `|`. Bits without a name are one number.
fn flags(f: &mut fmt::Formatter<'_>, bits: u64, names: &'static [&'static str]) -> fmt::Result {
    if bits == 0 {
        return f.write_str("none");
    }
    let mut separator = "";
    for name in set_flags(bits, names) {
        write!(f, "{separator}{name}")?;
        separator = "|";
    }
    match unnamed_flags(bits, names) {
        0 => Ok(()),
        rest => write!(f, "{separator}{rest:#x}"),
    }
}

/// Returns the names of the bits that are set.
pub(crate) fn set_flags(bits: u64, names: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    names.iter().zip(0..64).filter(move |(_, bit)| bits >> bit & 1 == 1).map(|(name, _)| *name)
}

/// Returns the bits that are set and have no name.
pub(crate) fn unnamed_flags(bits: u64, names: &'static [&'static str]) -> u64 {
    u32::try_from(names.len()).ok().and_then(|count| u64::MAX.checked_shl(count)).unwrap_or(0) & bits
}

fn hex_bytes(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    let shown = bytes.get(..MAX_BYTES_SHOWN).unwrap_or(bytes);
    if !bytes.is_empty() && bytes.iter().all(|&byte| byte == 0) && bytes.len() > 8 {
        return write!(f, "{} zero bytes", bytes.len());
    }
    let mut separator = "";
    for byte in shown {
        write!(f, "{separator}{byte:02x}")?;
        separator = ":";
    }
    match bytes.len().saturating_sub(shown.len()) {
        0 if bytes.is_empty() => f.write_str("no bytes"),
        0 => Ok(()),
        more => write!(f, " and {more} more bytes"),
    }
}

/// A UUID in its usual form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hyphenated(pub [u8; 16]);

impl fmt::Display for Hyphenated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (byte, at) in self.0.iter().zip(0..) {
            if matches!(at, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: Value<'_>) -> String {
        DisplayValue(value).to_string()
    }

    #[test]
    fn each_kind_of_value_has_its_form() {
        assert_eq!(shown(Value::Bool(true)), "true");
        assert_eq!(shown(Value::Int(-3)), "-3");
        assert_eq!(shown(Value::Uint(u64::MAX)), "18446744073709551615");
        assert_eq!(shown(Value::Float(0.1)), "0.1");
        assert_eq!(shown(Value::Float(f32::MAX)), "3.4028235e38");
        assert_eq!(shown(Value::Double(-2.0)), "-2");
        assert_eq!(shown(Value::Double(f64::NAN)), "NaN");
        assert_eq!(shown(Value::Hex { value: 0xab, digits: 8 }), "000000ab");
        assert_eq!(shown(Value::Decimal { raw: 1025, scale: 100 }), "10.25");
        assert_eq!(shown(Value::Named { value: 1, name: "pistol" }), "pistol");
        assert_eq!(shown(Value::Named { value: 9, name: "" }), "9");
        assert_eq!(shown(Value::Text(b"hi \x1b")), r#""hi \x1b""#);
        assert_eq!(shown(Value::Bytes(&[1, 0xab])), "01:ab");
        assert_eq!(shown(Value::Bytes(&[])), "no bytes");
        assert_eq!(shown(Value::Bytes(&[0; 508])), "508 zero bytes");
        assert_eq!(shown(Value::Bytes(&[7; 40])), format!("{}07 and 8 more bytes", "07:".repeat(31)));
        assert_eq!(
            shown(Value::Uuid([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 1, 2, 3, 4, 5, 6, 7, 8])),
            "12345678-9abc-def0-0102-030405060708"
        );
    }

    #[test]
    fn flags_are_shown_by_name_and_unknown_ones_as_a_number() {
        let flags = |bits| shown(Value::Flags { bits, names: &["vital", "resend"] });
        assert_eq!(flags(0), "none");
        assert_eq!(flags(0b11), "vital|resend");
        assert_eq!(flags(0b1010), "resend|0x8");
        assert_eq!(flags(1 << 63), "0x8000000000000000");
    }
}
