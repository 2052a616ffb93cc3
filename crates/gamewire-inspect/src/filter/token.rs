use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

use super::error::FilterError;
use super::field::Function;
use super::literal::{Literal, Number};
use crate::render::is_hidden;

/// A token of a filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A name with its dots, or a keyword such as `contains`.
    Name(&'a str),
    Literal(Literal),
    Compare(Compare),
    And,
    Or,
    Xor,
    Not,
    Open,
    Close,
    OpenSet,
    CloseSet,
    Comma,
    /// Between two numbers of a set.
    Range,
    /// Bytes of the value before it, in brackets.
    Slice(Function),
    End,
}

/// An operator between a field and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Compare {
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// The operators, longer ones before their prefixes. The last ones are common mistakes with their hints.
const SIGNS: &[(&str, Result<Token<'static>, &str>)] = &[
    ("==", Ok(Token::Compare(Compare::Equal))),
    ("!=", Ok(Token::Compare(Compare::Unequal))),
    ("<=", Ok(Token::Compare(Compare::LessOrEqual))),
    (">=", Ok(Token::Compare(Compare::GreaterOrEqual))),
    ("<", Ok(Token::Compare(Compare::Less))),
    (">", Ok(Token::Compare(Compare::Greater))),
    ("&&", Ok(Token::And)),
    ("||", Ok(Token::Or)),
    ("!", Ok(Token::Not)),
    ("(", Ok(Token::Open)),
    (")", Ok(Token::Close)),
    ("^^", Ok(Token::Xor)),
    ("~", Ok(Token::Name("matches"))),
    ("{", Ok(Token::OpenSet)),
    ("}", Ok(Token::CloseSet)),
    (",", Ok(Token::Comma)),
    ("..", Ok(Token::Range)),
    ("=", Err("write == to compare")),
    ("&", Err("write && or the word and")),
    ("|", Err("write || or the word or")),
    ("'", Err("put text in double quotes")),
];

/// A lexer that splits a filter into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips `count` bytes and returns their range.
    fn skip(&mut self, count: usize) -> Range<usize> {
        let start = self.at;
        self.at = start.saturating_add(count).min(self.text.len());
        start..self.at
    }

    /// Returns the next token and its range.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, Range<usize>), FilterError> {
        let rest = self.rest();
        self.skip(rest.len().saturating_sub(rest.trim_start().len()));
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, self.at..self.at));
        };
        if let Some(token) = self.byte_string() {
            return Ok(token);
        }
        if let Some(token) = self.bare_address() {
            return Ok(token);
        }
        match first {
            '[' => self.slice(),
            '"' => self.text_literal(),
            '0'..='9' | '-' => self.number(),
            '_' => Ok(self.name()),
            first if first.is_alphabetic() && !is_hidden(first) => Ok(self.name()),
            first => self.sign(first),
        }
    }

    fn name(&mut self) -> (Token<'a>, Range<usize>) {
        // No name has letters beyond ASCII; they are included so that an error shows the whole word.
        let is_part = |part: char| match part {
            '_' | '.' => true,
            part if part.is_ascii() => part.is_ascii_alphanumeric(),
            part => !part.is_whitespace() && !is_hidden(part),
        };
        let rest = self.rest();
        let name = rest.get(..rest.find(|part| !is_part(part)).unwrap_or(rest.len())).unwrap_or_default();
        let token = match name {
            "and" => Token::And,
            "or" => Token::Or,
            "xor" => Token::Xor,
            "eq" => Token::Compare(Compare::Equal),
            "ne" => Token::Compare(Compare::Unequal),
            "lt" => Token::Compare(Compare::Less),
            "le" => Token::Compare(Compare::LessOrEqual),
            "gt" => Token::Compare(Compare::Greater),
            "ge" => Token::Compare(Compare::GreaterOrEqual),
            "not" => Token::Not,
            "true" => Token::Literal(Literal::Bool(true)),
            "false" => Token::Literal(Literal::Bool(false)),
            name => Token::Name(name),
        };
        (token, self.skip(name.len()))
    }

    fn sign(&mut self, first: char) -> Result<(Token<'a>, Range<usize>), FilterError> {
        let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| self.rest().starts_with(sign)) else {
            let at = self.skip(first.len_utf8());
            return Err(FilterError::new(self.text, at, "expected a name, a value or an operator"));
        };
        let at = self.skip(sign.len());
        match token {
            Ok(token) => Ok((token.clone(), at)),
            Err(hint) => Err(FilterError::new(self.text, at, "unknown operator").hint(*hint)),
        }
    }

    /// Reads a byte string such as `0a:0b`: two or more pairs of hexadecimal digits.
    fn byte_string(&mut self) -> Option<(Token<'a>, Range<usize>)> {
        let rest = self.rest();
        let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b':';
        let length = rest.bytes().take_while(is_part).count();
        let pairs = rest.get(..length)?.split(':');
        let bytes: Option<Vec<u8>> =
            pairs.map(|pair| u8::from_str_radix(pair, 16).ok().filter(|_| pair.len() == 2)).collect();
        let bytes = bytes.filter(|bytes| bytes.len() >= 2)?;
        Some((Token::Literal(Literal::Bytes(bytes)), self.skip(length)))
    }

    /// Reads an address without quotes: `127.0.0.1`, `127.0.0.1:80`, `[::1]:80` or `10.0.0.0/8`.
    fn bare_address(&mut self) -> Option<(Token<'a>, Range<usize>)> {
        let is_part =
            |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':' | b'[' | b']' | b'/');
        let rest = self.rest();
        let address = rest.get(..rest.bytes().take_while(is_part).count())?;
        let (host, _) = address.split_once('/').unwrap_or((address, ""));
        if host.parse::<IpAddr>().is_err() && address.parse::<SocketAddr>().is_err() {
            return None;
        }
        Some((Token::Literal(Literal::Text(address.into())), self.skip(address.len())))
    }

    /// Reads a slice: `[2]`, `[2:4]` with a start and a length, `[2-5]` with both ends, `[2:]` or `[:4]`.
    fn slice(&mut self) -> Result<(Token<'a>, Range<usize>), FilterError> {
        let rest = self.rest();
        let Some((inside, _)) = rest.get(1..).unwrap_or_default().split_once(']') else {
            let error = FilterError::new(self.text, self.skip(1), "expected a ] for this [");
            return Err(error);
        };
        let at = self.skip(inside.len().saturating_add(2));
        let start =
            |text: &str| if text.trim().is_empty() { Some(0) } else { text.trim().parse::<i32>().ok() };
        let length = |text: &str| text.trim().parse::<u16>().ok().filter(|length| *length > 0);
        let found =
            match (inside.split_once(':'), inside.get(1..).and_then(|_| inside.trim().split_once('-'))) {
                (Some((first, "")), _) => start(first).map(|first| (first, None)),
                (Some((first, count)), _) => start(first).zip(length(count).map(Some)),
                (None, Some((first, last))) if !first.is_empty() => {
                    let count = |first: i32| length(last).and_then(|last| i32::from(last).checked_sub(first));
                    start(first).and_then(|first| {
                        Some((first, Some(u16::try_from(count(first)?).ok()?.checked_add(1)?)))
                    })
                }
                _ => inside.trim().parse().ok().map(|first| (first, Some(1))),
            };
        match found {
            Some((first, length)) => {
                let slice = Function::Slice { start: first.into(), length: length.map(usize::from) };
                Ok((Token::Slice(slice), at))
            }
            None => Err(FilterError::new(self.text, at, "invalid slice")
                .hint("slices are [2] [2:4] (4 bytes from byte 2) [2-5] [2:] [:4]; a negative start counts from the end")),
        }
    }

    fn number(&mut self) -> Result<(Token<'a>, Range<usize>), FilterError> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let length = rest.bytes().skip(sign).take_while(is_part).count().saturating_add(sign);
        // Two dots are a range.
        let length = rest.find("..").unwrap_or(length).min(length);
        let at = self.skip(length);
        match Number::parse(rest.get(..length).unwrap_or_default()) {
            Some(number) => Ok((Token::Literal(Literal::Number(number)), at)),
            None => Err(FilterError::new(self.text, at, "expected a number of at most 19 digits").hint(
                "numbers are written 12, -3, 0x1f or 0.25; bytes 0a:0b; anything else goes in double quotes",
            )),
        }
    }

    fn text_literal(&mut self) -> Result<(Token<'a>, Range<usize>), FilterError> {
        let start = self.skip(1).start;
        let mut bytes = Vec::new();
        loop {
            let character = self.rest().chars().next();
            let at = self.skip(character.map_or(0, char::len_utf8));
            match character {
                Some('"') => return Ok((Token::Literal(Literal::Text(bytes)), start..at.end)),
                Some('\\') => self.escape(at, &mut bytes)?,
                Some(other) => bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
                None => {
                    let error = FilterError::new(self.text, start..at.end, "unterminated text");
                    return Err(error.hint("expected a double quote"));
                }
            }
        }
    }

    fn escape(&mut self, backslash: Range<usize>, bytes: &mut Vec<u8>) -> Result<(), FilterError> {
        let rest = self.rest();
        let escaped = rest.chars().next();
        let simple = match escaped {
            Some('"') => Some(b'"'),
            Some('\\') => Some(b'\\'),
            Some('n') => Some(b'\n'),
            Some('r') => Some(b'\r'),
            Some('t') => Some(b'\t'),
            Some('0') => Some(0),
            _ => None,
        };
        if let Some(byte) = simple {
            bytes.push(byte);
            self.skip(1);
            return Ok(());
        }
        let pair = rest.strip_prefix('x').and_then(|rest| rest.get(..2));
        let byte = pair.filter(|pair| pair.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let Some(byte) = byte.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            bytes.push(byte);
            self.skip(3);
            return Ok(());
        }
        let unicode = rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')).map(|(digits, _)| digits);
        let character =
            unicode.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
        if let (Some(digits), Some(character)) = (unicode, character) {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            self.skip(digits.len().saturating_add(3));
            return Ok(());
        }
        let end = backslash.end.saturating_add(escaped.map_or(0, char::len_utf8));
        let error = FilterError::new(self.text, backslash.start..end, "unknown escape in text");
        Err(error.hint(r#"escapes are \" \\ \n \r \t \0 \x1b and \u{202e}"#))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.next().unwrap() {
                (Token::End, _) => return tokens,
                (token, _) => tokens.push(token),
            }
        }
    }

    fn literal(text: &str) -> Literal {
        match tokens(text).as_slice() {
            [Token::Literal(literal)] => literal.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_operators_and_keywords_are_tokens() {
        use Token::{And, Close, Name, Not, Open, Or};
        assert_eq!(
            tokens("!(a.b_1<=2)and b||not c"),
            [
                Not,
                Open,
                Name("a.b_1"),
                Token::Compare(Compare::LessOrEqual),
                Token::Literal(Literal::Number(Number::parse("2").unwrap())),
                Close,
                And,
                Name("b"),
                Or,
                Not,
                Name("c")
            ]
        );
    }

    #[test]
    fn texts_are_unescaped() {
        assert_eq!(literal(r#""a\"\\\n\x1b\u{202e}ü""#), Literal::Text("a\"\\\n\x1b\u{202e}ü".into()));
        assert_eq!(literal(r#""\xff""#), Literal::Text(vec![0xff]));
    }

    #[test]
    fn byte_strings_differ_from_names_and_numbers() {
        assert_eq!(literal("0a:0b"), Literal::Bytes(vec![10, 11]));
        assert_eq!(literal("01:02:03:04:05:06:07:08"), Literal::Bytes((1..=8).collect()));
        assert_eq!(literal("DE:AD:be:ef"), Literal::Bytes(vec![0xde, 0xad, 0xbe, 0xef]));
        assert_eq!(tokens("de"), [Token::Name("de")]);
        assert_eq!(literal("10"), Literal::Number(Number::parse("10").unwrap()));
    }

    #[test]
    fn errors_have_their_position() {
        for (text, at) in [
            ("a = 1", 2..3),
            ("a == 'x'", 5..6),
            ("a & b", 2..3),
            ("\"open", 0..5),
            (r#""a\q""#, 2..4),
            ("a == 1x", 5..7),
            ("a == 99999999999999999999", 5..25),
            ("a == €", 5..8),
            ("a[1", 1..2),
            ("a[0:0]", 1..6),
            ("\"\\", 1..2),
        ] {
            let mut lexer = Lexer::new(text);
            let error = loop {
                match lexer.next() {
                    Ok((Token::End, _)) => panic!("{text} is accepted"),
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert_eq!(error.at, at, "{error}");
        }
    }
}
