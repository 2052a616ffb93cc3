use std::ops::Range;

use regex_lite::RegexBuilder;

use super::check::Check;
use super::error::FilterError;
use super::evaluate::{Expression, Filter};
use super::field::{Field, Function};
use super::literal::Literal;
use super::names;
use super::operand::Operand;
use super::token::{Compare, Lexer, Token};
use super::value_type::ValueType;
use crate::protocol::Catalog;

/// Maximum nesting of parentheses and negations.
const MAX_DEPTH: usize = 64;
/// Maximum memory of a regular expression, in bytes.
const MAX_REGEX_SIZE: usize = 1 << 20;

impl Filter {
    /// Parses `text`, with the names in `catalog`.
    ///
    /// # Errors
    /// [`FilterError`] if the syntax is invalid or a name is unknown.
    pub fn parse(text: &str, catalog: &Catalog) -> Result<Self, FilterError> {
        Parser::new(text, catalog)?.filter().map(|root| Self { root })
    }
}

impl Field {
    /// Parses the left side of a comparison, with the names in `catalog`.
    ///
    /// # Errors
    /// [`FilterError`] if the syntax is invalid or the name is unknown.
    pub fn parse(text: &str, catalog: &Catalog) -> Result<Self, FilterError> {
        let mut parser = Parser::new(text, catalog)?;
        let field = parser.field()?;
        if parser.token == Token::End {
            Ok(field)
        } else {
            Err(parser.error("expected the end of the field"))
        }
    }
}

/// A parser for filters: `||` has the lowest precedence, then `xor`, then `&&`, then `!`.
struct Parser<'a> {
    text: &'a str,
    catalog: &'a Catalog,
    lexer: Lexer<'a>,
    token: Token<'a>,
    at: Range<usize>,
    depth: usize,
    /// The range of the last token that was taken.
    last_start: usize,
    last_end: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, catalog: &'a Catalog) -> Result<Self, FilterError> {
        let mut lexer = Lexer::new(text);
        let (token, at) = lexer.next()?;
        Ok(Self { text, catalog, lexer, token, at, depth: 0, last_start: 0, last_end: 0 })
    }

    fn filter(mut self) -> Result<Expression, FilterError> {
        if self.token == Token::End {
            let error = self.error("the filter is empty");
            return Err(error.hint(r#"an example: teeworlds.chat.text contains "hi""#));
        }
        let root = self.any()?;
        match self.token {
            Token::End => Ok(root),
            Token::Close => Err(self.error("unmatched )")),
            _ => Err(self.error("expected &&, || or the end of the filter")),
        }
    }

    fn error(&self, message: impl Into<String>) -> FilterError {
        FilterError::new(self.text, self.at.clone(), message)
    }

    /// Returns the current token and reads the next one.
    fn take(&mut self) -> Result<(Token<'a>, Range<usize>), FilterError> {
        let (next, next_at) = self.lexer.next()?;
        (self.last_start, self.last_end) = (self.at.start, self.at.end);
        Ok((std::mem::replace(&mut self.token, next), std::mem::replace(&mut self.at, next_at)))
    }

    fn any(&mut self) -> Result<Expression, FilterError> {
        self.joined(&Token::Or, Expression::Any, |parser| {
            parser.joined(&Token::Xor, Expression::Odd, |parser| {
                parser.joined(&Token::And, Expression::All, Self::unary)
            })
        })
    }

    /// Parses parts with an operator between them.
    fn joined(
        &mut self,
        operator: &Token<'_>,
        join: fn(Vec<Expression>) -> Expression,
        part: fn(&mut Self) -> Result<Expression, FilterError>,
    ) -> Result<Expression, FilterError> {
        let mut parts = vec![part(self)?];
        while self.token == *operator {
            self.take()?;
            parts.push(part(self)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { join(parts) })
    }

    fn descend(&mut self) -> Result<(), FilterError> {
        if self.depth >= MAX_DEPTH {
            return Err(self
                .error(format!("expected at most {MAX_DEPTH} parentheses and negations inside each other")));
        }
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    fn unary(&mut self) -> Result<Expression, FilterError> {
        self.descend()?;
        let expression = match &self.token {
            Token::Not => {
                self.take()?;
                Expression::Not(Box::new(self.unary()?))
            }
            Token::Open => {
                let (_, open) = self.take()?;
                let inner = self.any()?;
                if self.token != Token::Close {
                    let at = if self.token == Token::End { open } else { self.at.clone() };
                    let message = "expected &&, || or a ) for this (";
                    return Err(FilterError::new(self.text, at, message));
                }
                self.take()?;
                inner
            }
            _ => self.test()?,
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(expression)
    }

    fn test(&mut self) -> Result<Expression, FilterError> {
        let start = self.at.start;
        let field = self.field()?;
        let name_at = start..self.last_end;
        let name = self.text.get(name_at.clone()).unwrap_or_default();
        let check = match self.token {
            Token::And | Token::Or | Token::Xor | Token::Close | Token::End => {
                return Ok(Expression::Test(field, Check::Exists));
            }
            Token::Compare(_) | Token::Name("contains" | "matches" | "in") => {
                let Some(value_type) = field.value_type() else {
                    let error =
                        FilterError::new(self.text, name_at, format!("{name} has no value to compare"));
                    return Err(error.hint(format!(
                        "use it alone to test whether it exists; its fields are {name}.NAME"
                    )));
                };
                let operand = Operand { name, value_type };
                match self.take()?.0 {
                    Token::Compare(compare) => self.comparison(&operand, compare)?,
                    Token::Name("contains") => self.contains(&operand)?,
                    Token::Name("in") => self.set(&operand)?,
                    _ => self.matches(&operand)?,
                }
            }
            _ => {
                let error = self.error(format!("expected an operator after {name}"));
                return Err(error.hint("operators are == != < <= > >= contains matches in && || xor"));
            }
        };
        Ok(Expression::Test(field, check))
    }

    /// Parses a name, a function of a field, or a slice of either.
    fn field(&mut self) -> Result<Field, FilterError> {
        let Token::Name(name) = self.token else {
            let error = self.error("expected the name of a field");
            return Err(match self.token {
                Token::Literal(_) => {
                    error.hint("a comparison has the field on its left and the value on its right")
                }
                _ => error,
            });
        };
        let name_at = self.at.clone();
        let is_call = self.text.get(name_at.end..).is_some_and(|rest| rest.trim_start().starts_with('('));
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name).filter(|_| is_call);
        let mut field = match function {
            Some((_, function)) => {
                self.take()?;
                let (_, open) = self.take()?;
                self.descend()?;
                let mut field = self.field()?;
                self.depth = self.depth.saturating_sub(1);
                if self.token != Token::Close {
                    return Err(FilterError::new(self.text, open, "expected a ) for this ("));
                }
                self.take()?;
                self.apply(&mut field, function, name_at)?;
                field
            }
            None => {
                let subject = names::resolve(name, self.catalog)
                    .map_err(|unknown| self.error(unknown.message).hint(unknown.hint))?;
                self.take()?;
                Field { subject, functions: Vec::new() }
            }
        };
        while let Token::Slice(slice) = &self.token {
            let slice = slice.clone();
            let (_, at) = self.take()?;
            self.apply(&mut field, &slice, at)?;
        }
        Ok(field)
    }

    /// Adds a function to a field of text or bytes.
    fn apply(&self, field: &mut Field, function: &Function, at: Range<usize>) -> Result<(), FilterError> {
        if !matches!(field.value_type(), Some(ValueType::Text | ValueType::Bytes | ValueType::Any)) {
            return Err(FilterError::new(self.text, at, "expected a field of text or bytes"));
        }
        field.functions.push(function.clone());
        Ok(())
    }

    /// Parses a value for an operand. A field with a few known words needs no quotes around them.
    fn literal(
        &mut self,
        after: &str,
        operand: &Operand<'_>,
    ) -> Result<(Literal, Range<usize>), FilterError> {
        let has_words = matches!(operand.value_type, ValueType::Keyword(_) | ValueType::Names(_));
        match self.token {
            Token::Literal(_) => {}
            Token::Name(_) if has_words => {}
            Token::Name(name) => {
                let error = self.error(format!("expected a value after {after}"));
                return Err(error.hint(format!("text goes in double quotes: \"{name}\"")));
            }
            _ => {
                let error = self.error(format!("expected a value after {after}"));
                return Err(error.hint("values are numbers, \"text\", true, false, and bytes such as 0a:0b"));
            }
        }
        Ok(match self.take()? {
            (Token::Literal(literal), at) => (literal, at),
            (Token::Name(word), at) => (Literal::Text(word.into()), at),
            (_, at) => (Literal::Bool(false), at),
        })
    }

    fn comparison(&mut self, operand: &Operand<'_>, compare: Compare) -> Result<Check, FilterError> {
        let sign = compare.sign();
        let (literal, at) = self.literal(sign, operand)?;
        let literal = operand.typed(literal).map_err(|wrong| wrong.at(self.text, at.clone()))?;
        let is_order = !matches!(compare, Compare::Equal | Compare::Unequal);
        if is_order && !matches!(literal, Literal::Number(_)) {
            return Err(FilterError::new(self.text, at, format!("expected a number after {sign}"))
                .hint("text and bytes are compared with == != contains matches"));
        }
        Ok(Check::Compare(compare, literal))
    }

    fn contains(&mut self, operand: &Operand<'_>) -> Result<Check, FilterError> {
        self.reject_numbers(operand)?;
        let (literal, at) = self.literal("contains", operand)?;
        match operand.typed(literal) {
            Ok(Literal::Text(part) | Literal::Bytes(part)) => Ok(Check::Contains(part)),
            Err(wrong) if matches!(operand.value_type, ValueType::Names(_)) => Err(wrong.at(self.text, at)),
            _ => Err(FilterError::new(self.text, at, "expected a text or bytes after contains")),
        }
    }

    fn matches(&mut self, operand: &Operand<'_>) -> Result<Check, FilterError> {
        self.reject_numbers(operand)?;
        let (literal, at) = self.literal("matches", operand)?;
        let error = |message: String| FilterError::new(self.text, at.clone(), message);
        let Literal::Text(pattern) = literal else {
            return Err(error("expected a regular expression in double quotes after matches".into()));
        };
        let Ok(pattern) = String::from_utf8(pattern) else {
            return Err(error(
                "a regular expression must be UTF-8; write \\xNN in it with two backslashes".into(),
            ));
        };
        let regex = RegexBuilder::new(&pattern).size_limit(MAX_REGEX_SIZE).build();
        regex.map(Check::Matches).map_err(|why| error(format!("invalid regular expression: {why}")))
    }

    /// Parses a set: `{1, 3..5, "text"}`.
    fn set(&mut self, operand: &Operand<'_>) -> Result<Check, FilterError> {
        if self.token != Token::OpenSet {
            return Err(self.error("expected a set after in").hint("a set is {1, 3..5} or {\"a\", \"b\"}"));
        }
        self.take()?;
        let mut checks = Vec::new();
        loop {
            let (literal, at) = self.literal("in", operand)?;
            let literal = operand.typed(literal).map_err(|wrong| wrong.at(self.text, at.clone()))?;
            checks.push(if self.token == Token::Range {
                self.take()?;
                let (last, last_at) = self.literal("..", operand)?;
                let last = operand.typed(last).map_err(|wrong| wrong.at(self.text, last_at.clone()))?;
                let (Literal::Number(first), Literal::Number(last)) = (literal, last) else {
                    let error =
                        FilterError::new(self.text, at.start..last_at.end, "expected numbers around ..");
                    return Err(error);
                };
                Check::Between(first, last)
            } else {
                Check::Compare(Compare::Equal, literal)
            });
            match self.token {
                Token::Comma => self.take()?,
                Token::CloseSet => break,
                _ => return Err(self.error("expected a comma or a } after a value of the set")),
            };
        }
        self.take()?;
        Ok(Check::OneOf(checks))
    }

    fn reject_numbers(&self, operand: &Operand<'_>) -> Result<(), FilterError> {
        let kind = match operand.value_type {
            ValueType::Number => "a number",
            ValueType::Bool => "true or false",
            ValueType::Time => "a time",
            ValueType::Address => "an address",
            _ => return Ok(()),
        };
        let error = FilterError::new(
            self.text,
            self.last_start..self.last_end,
            format!("{} is {kind}", operand.name),
        );
        Err(error.hint("compare it with == != < <= > >= in"))
    }
}

/// The functions, by name.
const FUNCTIONS: [(&str, Function); 3] =
    [("len", Function::Length), ("lower", Function::Lower), ("upper", Function::Upper)];
