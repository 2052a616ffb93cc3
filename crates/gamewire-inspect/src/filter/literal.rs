use std::cmp::Ordering;
use std::net::IpAddr;

/// A value in a filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Number(Number),
    Bool(bool),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    /// An address and its number of significant bits.
    Network(IpAddr, u32),
}

impl Literal {
    /// Parses an address or a network, such as `10.0.0.0/8`.
    pub(super) fn network(text: &str) -> Option<Self> {
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().ok()?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Some(all), |bits| bits.parse().ok().filter(|bits| *bits <= all))?;
        Some(Self::Network(address, bits))
    }
}

/// A number as a fraction, so that 0.25 and 2^60 compare exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    value: i128,
    /// The denominator; never 0.
    scale: u64,
}

/// Maximum number of digits, so that ten to its power fits the scale, and products fit an i128.
const MAX_DIGITS: usize = 19;

impl Number {
    pub(super) const fn whole(value: i128) -> Self {
        Self { value, scale: 1 }
    }

    pub(super) const fn fraction(value: i64, scale: u32) -> Self {
        Self { value: value as i128, scale: if scale == 0 { 1 } else { scale as u64 } }
    }

    /// Parses `12`, `-3`, `1_000`, `0x1f` or `0.25`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let signed = |value: i128| if negative { value.saturating_neg() } else { value };
        if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            let hex = hex.replace('_', "");
            let value = u64::from_str_radix(&hex, 16).ok().filter(|_| !hex.starts_with('+'))?;
            return Some(Self::whole(signed(value.into())));
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let (whole, fraction) = (whole.replace('_', ""), fraction.replace('_', ""));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let length = whole.len().saturating_add(fraction.trim_end_matches('0').len());
        if !all_digits(&whole) || !all_digits(&fraction) || length > MAX_DIGITS {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let scale = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let value = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { value: signed(value), scale })
    }

    /// Returns the nearest floating-point number.
    #[expect(clippy::cast_precision_loss, reason = "compared with numbers that are no more exact")]
    pub(super) fn rounded(self) -> f64 {
        self.value as f64 / self.scale as f64
    }

    pub(super) fn compare(self, other: Self) -> Ordering {
        let left = self.value.saturating_mul(other.scale.into());
        let right = other.value.saturating_mul(self.scale.into());
        left.cmp(&right)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.compare(*other).is_eq()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_exactly() {
        let number = |text| Number::parse(text).unwrap();
        assert_eq!(number("0.25"), Number::fraction(25, 100));
        assert_eq!(number("-0.5"), Number::fraction(-1, 2));
        assert_eq!(number("0x1F"), number("31.000"));
        assert_eq!(number("1_000"), Number::whole(1000));
        assert_eq!(number("0xffffffffffffffff"), Number::whole(u64::MAX.into()));
        assert!(number("0.1").compare(Number::fraction(i64::MAX, u32::MAX)).is_lt());
        assert!(number("999999999999999999").compare(Number::fraction(i64::MIN, 1)).is_gt());
    }

    #[test]
    fn invalid_numbers_are_not_parsed() {
        for text in ["", "-", "1.", ".5", "1.2.3", "0x", "0x+1", "1e5", "12a", "--1", "12345678901234567890"]
        {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }
}
