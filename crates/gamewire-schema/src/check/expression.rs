use std::ops::Range;

use super::constants::Constants;
use super::context::Missing;
use crate::diagnostic::{Diagnostic, quoted};
use crate::limits::MAX_DEPTH;
use crate::parse::{Cursor, Spanned};

/// Evaluates a size as C does: integers, `+ - * /` and parentheses over constants. Returns `None` if a
/// constant is not defined, and adds it to `missing`.
pub(super) fn evaluate<'a>(
    expression: &Spanned<'a>,
    constants: &Constants,
    missing: &mut Missing<'a>,
) -> Result<Option<i64>, Diagnostic> {
    let cursor = Cursor::new(expression.text, expression.span.start);
    let mut evaluation = Evaluation { cursor, whole: expression.span.clone(), constants, missing };
    let value = evaluation.sum(0)?;
    if evaluation.cursor.is_at_end() {
        return Ok(value);
    }
    Err(evaluation.cursor.expected("`+`, `-`, `*`, `/` or the end of the size"))
}

struct Evaluation<'e, 'a> {
    cursor: Cursor<'a>,
    whole: Range<usize>,
    constants: &'e Constants,
    missing: &'e mut Missing<'a>,
}

type Value = Result<Option<i64>, Diagnostic>;

impl Evaluation<'_, '_> {
    fn sum(&mut self, depth: usize) -> Value {
        let mut value = self.product(depth)?;
        loop {
            if self.cursor.eat('+') {
                let other = self.product(depth)?;
                value = self.join(value, other, i64::checked_add)?;
            } else if self.cursor.eat('-') {
                let other = self.product(depth)?;
                value = self.join(value, other, i64::checked_sub)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Value {
        let mut value = self.atom(depth)?;
        loop {
            if self.cursor.eat('*') {
                let other = self.atom(depth)?;
                value = self.join(value, other, i64::checked_mul)?;
            } else if self.cursor.eat('/') {
                let other = self.atom(depth)?;
                value = self.join(value, other, i64::checked_div)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self, depth: usize) -> Value {
        if self.cursor.eat('(') {
            if depth >= MAX_DEPTH {
                let message = format!("parentheses nested more than {MAX_DEPTH} deep");
                return Err(Diagnostic::new(message, self.whole.clone()));
            }
            let value = self.sum(depth.saturating_add(1))?;
            self.cursor.expect(')')?;
            return Ok(value);
        }
        let word = self.cursor.word().ok_or_else(|| self.cursor.expected("a number or a constant"))?;
        if !word.text.starts_with(|first: char| first.is_ascii_digit()) {
            let value = self.constants.constants.get(word.text).copied();
            if value.is_none() {
                self.missing.constant(&word);
            }
            return Ok(value);
        }
        if word.text.len() > 1 && word.text.starts_with('0') {
            let error = Diagnostic::new("numbers are decimal, without a leading 0", word.span);
            return Err(error.hint("C reads a number that starts with 0 in another base"));
        }
        let number = word.text.parse::<i32>();
        number.map(|number| Some(i64::from(number))).map_err(|_| {
            Diagnostic::new(
                format!("{} is not a number that fits into 32 bits", quoted(word.text)),
                word.span,
            )
        })
    }

    fn join(
        &self,
        left: Option<i64>,
        right: Option<i64>,
        operation: impl FnOnce(i64, i64) -> Option<i64>,
    ) -> Value {
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        let value = operation(left, right).filter(|value| i32::try_from(*value).is_ok());
        value.map(Some).ok_or_else(|| {
            let error = Diagnostic::new("cannot evaluate this size", self.whole.clone());
            error.label("divides by zero or does not fit into 32 bits")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Option<i64>, String> {
        let constants = Constants::from_toml("[constants]\nA = 200\nP = 4096").unwrap();
        let mut missing = Missing::default();
        let expression = Spanned { text, span: 0..text.len() };
        evaluate(&expression, &constants, &mut missing).map_err(|error| error.message)
    }

    #[test]
    fn sizes_follow_the_rules_of_c() {
        assert_eq!(value("A + 1"), Ok(Some(201)));
        assert_eq!(value("P/3"), Ok(Some(1365)));
        assert_eq!(value("2 + 3 * (A - 190) / 4"), Ok(Some(9)));
        assert_eq!(value("100 - 10 - 1"), Ok(Some(89)));
        assert_eq!(value("X + 1"), Ok(None));
    }

    #[test]
    fn invalid_sizes_are_rejected() {
        for text in ["", "A +", "A A", "(A", "A)", "1 / 0", "A / (A - 200)", "010", "1x", "-1", "A ? 1"] {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value("2000000000 + 2000000000").is_err());
        assert!(value(&format!("{}1{}", "(".repeat(33), ")".repeat(33))).is_err());
        assert_eq!(value(&format!("{}1{}", "(".repeat(32), ")".repeat(32))), Ok(Some(1)));
    }
}
