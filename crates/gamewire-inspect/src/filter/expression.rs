use regex_lite::Regex;

use super::literal::{Literal, Number};
use super::names::BuiltinField;
use super::path::Path;
use super::token::Compare;

/// A parsed filter.
#[derive(Clone, Debug)]
pub struct Filter {
    pub(super) root: Expression,
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Test(Subject, Check),
}

/// The subject of a test.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// Metadata of the datagram.
    Builtin(BuiltinField),
    /// The protocol of the conversation.
    Protocol(String),
    /// Groups with this name.
    Group(Path),
    /// Values of the fields with this name.
    Field(Path),
}

/// The condition of a test.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// The subject exists; a boolean is true.
    Exists,
    Compare(Compare, Literal),
    Contains(Vec<u8>),
    Matches(Regex),
}

impl Check {
    /// Returns whether `number` satisfies the check; `!=` counts as `==`, see [`Check::is_unequal`].
    pub(super) fn on_number(&self, number: Number) -> bool {
        match self {
            Self::Exists => true,
            Self::Compare(compare, Literal::Number(literal)) => compare.holds(number.compare(*literal)),
            Self::Compare(compare, Literal::Bool(literal)) => {
                compare.holds(number.compare(Number::whole((*literal).into())))
            }
            Self::Compare(..) | Self::Contains(_) | Self::Matches(_) => false,
        }
    }

    /// Returns whether `number` satisfies the check. The literal is rounded like the number, so that 0.1 equals
    /// 0.1.
    #[expect(clippy::cast_possible_truncation, reason = "rounded as a 32-bit float is")]
    pub(super) fn on_float(&self, number: f32) -> bool {
        self.on_partial(|literal| number.partial_cmp(&(literal as f32)))
    }

    /// Returns whether `number` satisfies the check.
    pub(super) fn on_double(&self, number: f64) -> bool {
        self.on_partial(|literal| number.partial_cmp(&literal))
    }

    fn on_partial(&self, order: impl FnOnce(f64) -> Option<std::cmp::Ordering>) -> bool {
        match self {
            Self::Exists => true,
            Self::Compare(compare, Literal::Number(literal)) => {
                order(literal.rounded()).is_some_and(|order| compare.holds(order))
            }
            Self::Compare(..) | Self::Contains(_) | Self::Matches(_) => false,
        }
    }

    /// Returns whether `text` satisfies the check; `!=` counts as `==`, see [`Check::is_unequal`].
    pub(super) fn on_text(&self, text: &[u8]) -> bool {
        match self {
            Self::Exists => true,
            Self::Compare(
                Compare::Equal | Compare::Unequal,
                Literal::Text(literal) | Literal::Bytes(literal),
            ) => text == literal,
            Self::Compare(..) => false,
            Self::Contains(part) => contains(text, part),
            Self::Matches(regex) => regex.is_match(&String::from_utf8_lossy(text)),
        }
    }

    /// Returns whether the check is `!=`, which depends on all values of a field together.
    pub(super) const fn is_unequal(&self) -> bool {
        matches!(self, Self::Compare(Compare::Unequal, _))
    }
}

impl Compare {
    /// Returns whether values in this order satisfy the operator; `!=` counts as `==`, see
    /// [`Check::is_unequal`].
    pub(super) const fn holds(self, order: std::cmp::Ordering) -> bool {
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
