use regex_lite::Regex;

use super::error::FilterError;
use super::literal::{Literal, Number};
use super::names::BuiltinField;
use super::parse::Parser;
use super::path::Path;
use super::token::Compare;
use crate::protocol::Catalog;

/// A condition over datagrams, ready to be asked.
#[derive(Clone, Debug)]
pub struct Filter {
    pub(super) root: Expression,
}

impl Filter {
    /// Parses `text`; the names of fields are those in `catalogue`.
    ///
    /// # Errors
    /// If the text is no filter or names what does not exist; the error points at the place.
    pub fn parse(text: &str, catalogue: &Catalog) -> Result<Self, FilterError> {
        Parser::new(text, catalogue)?.filter().map(|root| Self { root })
    }
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Test(Subject, Check),
}

/// What a test is about.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// A circumstance of the datagram.
    Fact(BuiltinField),
    /// That the conversation is in this protocol.
    Protocol(String),
    /// Groups of this name.
    Group(Path),
    /// The values of fields of this name.
    Field(Path),
}

/// What is asked about the subject.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// That it is there; for true and false, that it is true.
    Exists,
    Compare(Compare, Literal),
    Contains(Vec<u8>),
    Matches(Regex),
}

impl Check {
    /// Whether `number` satisfies the check; `!=` counts as `==`, see [`Check::is_unequal`].
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

    /// As [`Check::on_number`]; a literal is rounded like the number, so that 0.1 equals 0.1.
    #[expect(clippy::cast_possible_truncation, reason = "rounded as a 32-bit float is")]
    pub(super) fn on_float(&self, number: f32) -> bool {
        self.on_partial(|literal| number.partial_cmp(&(literal as f32)))
    }

    /// As [`Check::on_number`].
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

    /// Whether `text` satisfies the check; `!=` counts as `==`, see [`Check::is_unequal`].
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

    /// Whether the check is `!=`: that depends on all values of a field, not on each alone.
    pub(super) const fn is_unequal(&self) -> bool {
        matches!(self, Self::Compare(Compare::Unequal, _))
    }
}

impl Compare {
    /// Whether values in this order satisfy the operator; `!=` counts as `==`, see [`Check::is_unequal`].
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
