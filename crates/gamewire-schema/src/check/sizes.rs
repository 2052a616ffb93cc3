use super::constants::Context;
use super::fields::{Fields, too_many_dims};
use crate::diagnostic::{Diagnostic, quoted};
use crate::ir::{Count, Dim, Field};
use crate::limits::{MAX_DEPTH, MAX_DIMS, MAX_ELEMENTS};
use crate::parse::{Cursor, Declarator, Extent, Size, Spanned};

impl<'a> Fields<'a> {
    /// Evaluates the brackets after a name. Returns `None` if a constant is not defined.
    pub(super) fn dims(
        &self,
        declarator: &Declarator<'a>,
        field: &Field,
        context: &mut Context<'_, 'a>,
    ) -> Result<Option<Vec<Dim>>, Diagnostic> {
        // The size of a string is not a dimension.
        if declarator.extents.len() > MAX_DIMS.saturating_add(1) {
            return Err(too_many_dims(declarator));
        }
        let mut dims = Vec::new();
        let mut elements = 1_u32;
        for extent in &declarator.extents {
            let Some(dim) = self.dim(extent, field, context)? else { continue };
            let product = elements.checked_mul(dim.limit).filter(|product| *product <= MAX_ELEMENTS);
            elements = product.ok_or_else(|| {
                let message = format!("more than {MAX_ELEMENTS} elements");
                Diagnostic::new(message, extent.span.clone())
            })?;
            dims.push(dim);
        }
        Ok((dims.len() == declarator.extents.len()).then_some(dims))
    }

    fn dim(
        &self,
        extent: &Extent<'a>,
        field: &Field,
        context: &mut Context<'_, 'a>,
    ) -> Result<Option<Dim>, Diagnostic> {
        let count = match &extent.count {
            Some(name) => Count::Field(self.count(name, field)?),
            None => Count::Fixed,
        };
        let expression = match &extent.size {
            Size::Expression(expression) => expression,
            Size::Own if extent.count.is_none() => {
                return Ok(Some(Dim { limit: Dim::MAX_OWN, count: Count::Own }));
            }
            Size::Own => {
                let error = Diagnostic::new("`[*]` has its length on the wire", extent.span.clone());
                return Err(error.hint("write `[*]`, or the maximum size in place of the `*`"));
            }
        };
        let Some(value) = evaluate(expression, context)? else { return Ok(None) };
        let limit = u32::try_from(value).ok().filter(|limit| (1..=MAX_ELEMENTS).contains(limit));
        limit.map(|limit| Some(Dim { limit, count })).ok_or_else(|| {
            let error = expression.error(format!("the size is {value}"));
            error.label(format!("should be 1 to {MAX_ELEMENTS}"))
        })
    }
}

/// Evaluates a size in the same way as C: integers, `+ - * /` and parentheses over constants. If a constant is not
/// defined, returns `None` and adds its name to the missing constants.
fn evaluate<'a>(expression: &Spanned<'a>, context: &mut Context<'_, 'a>) -> Value {
    let cursor = Cursor::new(expression.text, expression.span.start);
    let mut evaluation = Evaluation { cursor, whole: expression, context };
    let value = evaluation.sum(0)?;
    if evaluation.cursor.is_at_end() {
        return Ok(value);
    }
    Err(evaluation.cursor.expected("`+`, `-`, `*`, `/` or the end of the size"))
}

struct Evaluation<'e, 'c, 'a> {
    cursor: Cursor<'a>,
    whole: &'e Spanned<'a>,
    context: &'e mut Context<'c, 'a>,
}

/// An operator and its function.
type Operator = (char, fn(i64, i64) -> Option<i64>);

type Value = Result<Option<i64>, Diagnostic>;

impl Evaluation<'_, '_, '_> {
    fn sum(&mut self, depth: usize) -> Value {
        self.chain(depth, Self::product, &[('+', i64::checked_add), ('-', i64::checked_sub)])
    }

    fn product(&mut self, depth: usize) -> Value {
        self.chain(depth, Self::atom, &[('*', i64::checked_mul), ('/', i64::checked_div)])
    }

    /// Evaluates a chain of operands and these operators from left to right.
    fn chain(
        &mut self,
        depth: usize,
        operand: fn(&mut Self, usize) -> Value,
        operators: &[Operator],
    ) -> Value {
        let mut value = operand(self, depth)?;
        while let Some((_, operation)) = operators.iter().find(|(sign, _)| self.cursor.eat(*sign)) {
            let (Some(left), Some(right)) = (value, operand(self, depth)?) else {
                value = None;
                continue;
            };
            value = operation(left, right).filter(|value| i32::try_from(*value).is_ok());
            if value.is_none() {
                let error = self.whole.error("cannot evaluate this size");
                return Err(error.label("divides by zero or does not fit into 32 bits"));
            }
        }
        Ok(value)
    }

    fn atom(&mut self, depth: usize) -> Value {
        if self.cursor.eat('(') {
            if depth >= MAX_DEPTH {
                return Err(self.whole.error(format!("parentheses nested more than {MAX_DEPTH} deep")));
            }
            let value = self.sum(depth.saturating_add(1))?;
            self.cursor.expect(')')?;
            return Ok(value);
        }
        let word = self.cursor.word().ok_or_else(|| self.cursor.expected("a number or a constant"))?;
        if !word.text.starts_with(|first: char| first.is_ascii_digit()) {
            let value = self.context.constants.constants.get(word.text).copied();
            if value.is_none() {
                self.context.missing.constants.entry(word.text).or_insert_with(|| word.span.clone());
            }
            return Ok(value);
        }
        if word.text.len() > 1 && word.text.starts_with('0') {
            let error = word.error("numbers are decimal, without a leading 0");
            return Err(error.hint("C reads a number that starts with 0 in another base"));
        }
        let number = word.text.parse::<i32>();
        let invalid = |_| word.error(format!("{} is not a number that fits into 32 bits", quoted(word.text)));
        number.map(|number| Some(i64::from(number))).map_err(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::super::constants::Constants;
    use super::super::types::Aliases;
    use super::*;
    use crate::diagnostic::Errors;

    fn value(text: &str) -> Result<Option<i64>, String> {
        let constants = Constants::from_toml("[constants]\nA = 200\nP = 4096").unwrap();
        let expression = Spanned { text, span: 0..text.len() };
        let aliases = Aliases::new(&[], &constants.types, &mut Errors::default());
        let mut context = Context {
            aliases,
            constants: &constants,
            missing: Default::default(),
            errors: Errors::default(),
        };
        evaluate(&expression, &mut context).map_err(|error| error.message)
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
