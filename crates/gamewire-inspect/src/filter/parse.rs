use std::ops::Range;

use regex_lite::RegexBuilder;

use super::error::FilterError;
use super::expression::{Check, Expression, Filter, Subject};
use super::literal::Literal;
use super::names::{self, BuiltinType};
use super::token::{Compare, Lexer, Token};
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

/// A parser for filters: `||` has the lowest precedence, then `&&`, then `!`.
struct Parser<'a> {
    text: &'a str,
    catalog: &'a Catalog,
    lexer: Lexer<'a>,
    token: Token<'a>,
    at: Range<usize>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, catalog: &'a Catalog) -> Result<Self, FilterError> {
        let mut lexer = Lexer::new(text);
        let (token, at) = lexer.next()?;
        Ok(Self { text, catalog, lexer, token, at, depth: 0 })
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
        Ok((std::mem::replace(&mut self.token, next), std::mem::replace(&mut self.at, next_at)))
    }

    fn any(&mut self) -> Result<Expression, FilterError> {
        let mut parts = vec![self.all()?];
        while self.token == Token::Or {
            self.take()?;
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Expression::Any(parts) })
    }

    fn all(&mut self) -> Result<Expression, FilterError> {
        let mut parts = vec![self.unary()?];
        while self.token == Token::And {
            self.take()?;
            parts.push(self.unary()?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Expression::All(parts) })
    }

    fn unary(&mut self) -> Result<Expression, FilterError> {
        if self.depth >= MAX_DEPTH {
            return Err(self
                .error(format!("expected at most {MAX_DEPTH} parentheses and negations inside each other")));
        }
        self.depth = self.depth.saturating_add(1);
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
        let Token::Name(name) = self.token else {
            let error = self.error("expected the name of a field");
            return Err(match self.token {
                Token::Literal(_) => {
                    error.hint("a comparison has the field on its left and the value on its right")
                }
                _ => error,
            });
        };
        let subject = names::resolve(name, self.catalog)
            .map_err(|unknown| self.error(unknown.message).hint(unknown.hint))?;
        let (_, name_at) = self.take()?;
        let check = match self.token {
            Token::Compare(compare) => {
                self.take()?;
                self.comparison(name, compare, &subject)?
            }
            Token::Name("contains") => {
                self.take()?;
                self.contains(name, &subject)?
            }
            Token::Name("matches") => {
                self.take()?;
                self.matches(name, &subject)?
            }
            Token::Name(_) | Token::Literal(_) | Token::Not | Token::Open => {
                let error = self.error(format!("expected an operator after {name}"));
                return Err(error.hint("operators are == != < <= > >= contains matches && ||"));
            }
            Token::And | Token::Or | Token::Close | Token::End => Check::Exists,
        };
        let is_comparison = !matches!(check, Check::Exists);
        if is_comparison && matches!(subject, Subject::Group(_) | Subject::Protocol(_)) {
            let error = FilterError::new(self.text, name_at, format!("{name} has no value to compare"));
            return Err(
                error.hint(format!("use it alone to test whether it exists; its fields are {name}.NAME"))
            );
        }
        Ok(Expression::Test(subject, check))
    }

    fn literal(&mut self, after: &str) -> Result<(Literal, Range<usize>), FilterError> {
        match self.take_literal()? {
            Some(found) => Ok(found),
            None => {
                let error = self.error(format!("expected a value after {after}"));
                Err(match self.token {
                    Token::Name(name) => error.hint(format!("text goes in double quotes: \"{name}\"")),
                    _ => error.hint("values are numbers, \"text\", true, false, and bytes such as 0a:0b"),
                })
            }
        }
    }

    fn take_literal(&mut self) -> Result<Option<(Literal, Range<usize>)>, FilterError> {
        if !matches!(self.token, Token::Literal(_)) {
            return Ok(None);
        }
        match self.take()? {
            (Token::Literal(literal), at) => Ok(Some((literal, at))),
            _ => Ok(None),
        }
    }

    fn comparison(&mut self, name: &str, compare: Compare, subject: &Subject) -> Result<Check, FilterError> {
        let sign = compare.sign();
        let (literal, at) = self.literal(sign)?;
        let error = |message: String| FilterError::new(self.text, at.clone(), message);
        let is_order = !matches!(compare, Compare::Equal | Compare::Unequal);
        if is_order && !matches!(literal, Literal::Number(_)) {
            return Err(error(format!("expected a number after {sign}"))
                .hint("text and bytes are compared with == != contains matches"));
        }
        if let Subject::Builtin(field) = subject {
            match (field.builtin_type(), &literal) {
                (BuiltinType::Number, Literal::Number(_)) | (BuiltinType::Text, Literal::Text(_)) => {}
                (BuiltinType::Keyword(words), Literal::Text(text)) => {
                    if !words.iter().any(|word| word.as_bytes() == text) {
                        let words = words.join("\" or \"");
                        return Err(error(format!("{name} is \"{words}\"")));
                    }
                }
                (BuiltinType::Number, _) => return Err(error(format!("{name} is a number"))),
                (BuiltinType::Keyword(_) | BuiltinType::Text, _) => {
                    return Err(error(format!("{name} is a text")).hint("put it in double quotes"));
                }
            }
        }
        Ok(Check::Compare(compare, literal))
    }

    fn contains(&mut self, name: &str, subject: &Subject) -> Result<Check, FilterError> {
        self.reject_numbers(name, subject)?;
        match self.literal("contains")? {
            (Literal::Text(part) | Literal::Bytes(part), _) => Ok(Check::Contains(part)),
            (_, at) => {
                let message = "expected a text or bytes after contains";
                Err(FilterError::new(self.text, at, message))
            }
        }
    }

    fn matches(&mut self, name: &str, subject: &Subject) -> Result<Check, FilterError> {
        self.reject_numbers(name, subject)?;
        let (literal, at) = self.literal("matches")?;
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

    fn reject_numbers(&self, name: &str, subject: &Subject) -> Result<(), FilterError> {
        match subject {
            Subject::Builtin(field) if field.builtin_type() == BuiltinType::Number => {
                Err(self.error(format!("{name} is a number")).hint("compare it with == != < <= > >="))
            }
            _ => Ok(()),
        }
    }
}
