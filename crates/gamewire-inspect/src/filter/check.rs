use std::cmp::Ordering;
use std::net::IpAddr;

use gamewire_wire::Value;
use regex_lite::Regex;

use super::literal::{Literal, Number};
use super::token::Compare;
use crate::render::{Hyphenated, set_flags};

/// The condition of a test.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// The subject exists; a boolean is true.
    Exists,
    Compare(Compare, Literal),
    /// Between two numbers, both included.
    Between(Number, Number),
    /// Any of these.
    OneOf(Vec<Self>),
    Contains(Vec<u8>),
    Matches(Regex),
}

impl Check {
    /// Returns whether the check is `!=`, which depends on all values of a field together.
    pub(super) const fn is_unequal(&self) -> bool {
        matches!(self, Self::Compare(Compare::Unequal, _))
    }

    /// Returns whether a value satisfies the check; `!=` counts as `==`, see [`Check::is_unequal`].
    pub(super) fn on_value(&self, value: Value<'_>) -> bool {
        if let Self::OneOf(checks) = self {
            return checks.iter().any(|check| check.on_value(value));
        }
        match value {
            Value::Bool(value) => match self {
                Self::Exists => value,
                Self::Compare(compare, Literal::Bool(literal)) => compare.holds(value.cmp(literal)),
                check => check.on_number(Number::whole(value.into())),
            },
            Value::Int(value) => self.on_number(Number::whole(value.into())),
            Value::Uint(value) => self.on_number(Number::whole(value.into())),
            Value::Float(value) => self.on_float(value),
            Value::Double(value) => self.on_partial(|literal| value.partial_cmp(&literal)),
            Value::Decimal { raw, scale } => self.on_number(Number::fraction(raw, scale)),
            Value::Hex { value, digits } => {
                self.on_number(Number::whole(value.into()))
                    || self.on_text(format!("{value:0width$x}", width = usize::from(digits)).as_bytes())
            }
            Value::Named { value, name } => {
                self.on_number(Number::whole(value.into())) || self.on_text(name.as_bytes())
            }
            Value::Flags { bits, names } => {
                self.on_number(Number::whole(bits.into()))
                    || set_flags(bits, names).any(|name| self.on_flag(bits, name))
            }
            Value::Text(text) | Value::Bytes(text) => self.on_text(text),
            Value::Uuid(uuid) => self.on_text(&uuid) || self.on_text(Hyphenated(uuid).to_string().as_bytes()),
        }
    }

    fn on_number(&self, number: Number) -> bool {
        match self {
            Self::Exists => true,
            Self::Compare(compare, Literal::Number(literal)) => compare.holds(number.compare(*literal)),
            Self::Between(first, last) => number.compare(*first).is_ge() && number.compare(*last).is_le(),
            _ => false,
        }
    }

    /// Compares with literals that are rounded like the number, so that 0.1 equals 0.1.
    #[expect(clippy::cast_possible_truncation, reason = "rounded as a 32-bit float is")]
    fn on_float(&self, number: f32) -> bool {
        self.on_partial(|literal| number.partial_cmp(&(literal as f32)))
    }

    fn on_partial(&self, order: impl Fn(f64) -> Option<Ordering>) -> bool {
        let holds = |compare: Compare, literal: &Number| {
            order(literal.rounded()).is_some_and(|order| compare.holds(order))
        };
        match self {
            Self::Exists => true,
            Self::Compare(compare, Literal::Number(literal)) => holds(*compare, literal),
            Self::Between(first, last) => {
                holds(Compare::GreaterOrEqual, first) && holds(Compare::LessOrEqual, last)
            }
            _ => false,
        }
    }

    fn on_text(&self, text: &[u8]) -> bool {
        match self {
            Self::Exists => true,
            Self::Compare(_, Literal::Text(literal) | Literal::Bytes(literal)) => text == literal,
            Self::Compare(_, Literal::Network(network, bits)) => {
                let address = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                address.is_some_and(|address| is_within(address, *network, *bits))
            }
            Self::Contains(part) => contains(text, part),
            Self::Matches(regex) => regex.is_match(&String::from_utf8_lossy(text)),
            _ => false,
        }
    }

    /// `contains "resend"` matches if the flag is set, `== "resend"` if no other flag is set.
    fn on_flag(&self, bits: u64, name: &str) -> bool {
        match self {
            Self::Contains(part) => name.as_bytes() == part,
            Self::Compare(..) => bits.count_ones() == 1 && self.on_text(name.as_bytes()),
            check => check.on_text(name.as_bytes()),
        }
    }
}

impl Compare {
    /// Returns whether values in this order satisfy the operator; `!=` counts as `==`, see
    /// [`Check::is_unequal`].
    const fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal | Self::Unequal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

/// Returns whether the first `bits` bits of both addresses are the same.
fn is_within(address: IpAddr, network: IpAddr, bits: u32) -> bool {
    let differ = match (address, network) {
        (IpAddr::V4(one), IpAddr::V4(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros(),
        (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros(),
        _ => return false,
    };
    differ >= bits
}
