use std::ops::Range;

use super::error::FilterError;
use super::literal::{Literal, Number};
use super::names;
use super::value_type::ValueType;
use crate::time::Timestamp;

/// The left side of a comparison.
pub(super) struct Operand<'a> {
    pub(super) name: &'a str,
    pub(super) value_type: ValueType,
}

/// A value that cannot be compared with a field, and a hint.
pub(super) struct WrongValue(String, Option<String>);

impl WrongValue {
    pub(super) fn at(self, text: &str, at: Range<usize>) -> FilterError {
        let error = FilterError::new(text, at, self.0);
        match self.1 {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

impl Operand<'_> {
    /// Returns a literal of the operand's type.
    pub(super) fn typed(&self, literal: Literal) -> Result<Literal, WrongValue> {
        let name = self.name;
        let wrong = |kind: &str, hint: &str| {
            Err(WrongValue(
                format!("{name} is {kind}"),
                Some(hint.to_owned()).filter(|hint| !hint.is_empty()),
            ))
        };
        let as_text = |literal: &Literal| match literal {
            Literal::Text(text) => str::from_utf8(text).ok().map(str::to_owned),
            _ => None,
        };
        match (&self.value_type, literal) {
            (ValueType::Any, literal)
            | (ValueType::Number | ValueType::Time | ValueType::Names(_), literal @ Literal::Number(_))
            | (ValueType::Bool, literal @ (Literal::Bool(_) | Literal::Number(_)))
            | (ValueType::Text | ValueType::Bytes, literal @ (Literal::Text(_) | Literal::Bytes(_))) => {
                Ok(literal)
            }
            (ValueType::Number, _) => wrong("a number", ""),
            (ValueType::Bool, _) => wrong("true or false", ""),
            (ValueType::Text, _) => wrong("a text", "put it in double quotes"),
            (ValueType::Bytes, _) => wrong("bytes", "write them as 0a:0b, or as a text in double quotes"),
            (ValueType::Address, literal) => {
                let address = as_text(&literal).and_then(|text| Literal::network(&text));
                address.map_or_else(
                    || wrong("an address", "addresses are written 10.0.0.1, ::1 or 10.0.0.0/8"),
                    Ok,
                )
            }
            (ValueType::Time, literal) => match as_text(&literal).and_then(|text| Timestamp::parse(&text)) {
                Some(Timestamp(nanos)) => Ok(Literal::Number(Number::fraction(nanos, 1_000_000_000))),
                None => wrong("a time", "times are in UTC: \"2023-11-14 22:13:20.5\""),
            },
            (ValueType::Keyword(words), literal) => self.word(words, literal),
            (ValueType::Names(words), literal) => self.word(words, literal),
        }
    }

    /// Returns a literal that is one of a few words.
    fn word(&self, words: &[&str], literal: Literal) -> Result<Literal, WrongValue> {
        if let Literal::Text(text) = &literal
            && words.iter().any(|word| word.as_bytes() == text)
        {
            return Ok(literal);
        }
        let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        Err(WrongValue(format!("{} is {}", self.name, names::join_or(&quoted)), None))
    }
}
