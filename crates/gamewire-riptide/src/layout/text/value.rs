use super::cursor::Cursor;
use super::error::TextError;
use crate::layout::field::{FieldLayout, axes};
use crate::layout::kind::{Count, FieldType};
use crate::layout::layouts::StructLayout;
use crate::layout::scalar::Scalar;
use crate::layout::single::ScalarValue;
use crate::layout::values::Token;

/// What ends a word inside lists and structs.
const ENDS: &[char] = &[',', ']', ')', '}'];

/// Reads values that people wrote.
pub(super) struct ValueParser<'t, 'l> {
    pub(super) from: Cursor<'t>,
    pub(super) structs: &'l [StructLayout],
    pub(super) pieces: Vec<Token>,
}

impl ValueParser<'_, '_> {
    /// The value of a field.
    pub(super) fn field(&mut self, kind: FieldType, count: Count) -> Result<(), TextError> {
        if count == Count::One {
            return self.one(kind, false);
        }
        let start = self.from.position();
        // The number in front is known behind the values.
        let place = self.pieces.len();
        let found = match kind {
            FieldType::Scalar(Scalar::Byte) if !self.from.rest().starts_with('[') => {
                let bytes = self.hex()?;
                let found = bytes.len();
                self.pieces.push(Token::Bytes(bytes));
                found
            }
            kind => self.list(kind)?,
        };
        match count {
            Count::Fixed(wanted) if usize::from(wanted) != found => {
                Err(self.from.since(start, format!("expected {wanted} values, found {found}")))
            }
            Count::Prefixed => {
                self.pieces.insert(place, Token::Length(found));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Bytes in hexadecimal.
    pub(super) fn hex(&mut self) -> Result<Vec<u8>, TextError> {
        let start = self.from.position();
        let digits = self.from.word(ENDS);
        let byte = |pair: &[u8]| {
            let pair = str::from_utf8(pair).ok().filter(|pair| !pair.starts_with('+'))?;
            u8::from_str_radix(pair, 16).ok()
        };
        let pairs = digits.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> =
            pairs.map(|pair| if pair.len() == 2 { byte(pair) } else { None }).collect();
        match bytes {
            Some(bytes) if !bytes.is_empty() => Ok(bytes),
            _ => Err(self
                .from
                .since(start, "expected bytes of two hexadecimal digits each, as in 0aff".into())),
        }
    }

    /// Values in brackets, or without them where that is clear; how many.
    fn list(&mut self, kind: FieldType) -> Result<usize, TextError> {
        let is_in_brackets = self.from.take('[');
        if !is_in_brackets && matches!(kind, FieldType::Vector(_) | FieldType::Struct(_)) {
            return Err(self.from.wrong("expected a list in brackets, as in [(1,2),(3,4)]".into()));
        }
        let mut bools = Vec::new();
        let mut found = 0_usize;
        if is_in_brackets {
            self.from.is_done();
            if self.from.take(']') {
                return Ok(0);
            }
        }
        loop {
            if is_in_brackets {
                self.from.is_done();
            }
            self.one(kind, true)?;
            found = found.saturating_add(1);
            // Bools stand together on the wire.
            if kind == FieldType::Scalar(Scalar::Bool)
                && let Some(Token::Single(ScalarValue::Bool(value))) = self.pieces.pop()
            {
                bools.push(value);
            }
            if is_in_brackets {
                self.from.is_done();
            }
            if !self.from.take(',') {
                break;
            }
        }
        if is_in_brackets {
            self.from.expect(']', "or , behind a value of a list")?;
        }
        if kind == FieldType::Scalar(Scalar::Bool) {
            self.pieces.push(Token::Bools(bools));
        }
        Ok(found)
    }

    /// One value; inside a list a vector has parentheses.
    fn one(&mut self, kind: FieldType, is_in_list: bool) -> Result<(), TextError> {
        match kind {
            FieldType::Scalar(scalar) => {
                let start = self.from.position();
                let word = self.from.word(ENDS);
                let value = ScalarValue::parse(scalar, word)
                    .map_err(|expected| self.from.since(start, format!("expected {expected}")))?;
                self.pieces.push(Token::Single(value));
            }
            FieldType::String => {
                let text = self.from.text(ENDS)?;
                self.pieces.push(Token::Text(text));
            }
            FieldType::Vector(count) => {
                let has_parentheses = self.from.take('(');
                if is_in_list && !has_parentheses {
                    return Err(self.from.wrong("expected a vector in parentheses, as in (1,2)".into()));
                }
                for (axis, index) in axes(count).iter().zip(0..) {
                    if index > 0 {
                        self.from.expect(',', &format!("and the {axis} of a vector of {count} numbers"))?;
                    }
                    self.one(FieldType::Scalar(Scalar::Float), false)?;
                }
                if has_parentheses {
                    self.from.expect(')', "behind a vector")?;
                }
            }
            FieldType::Struct(index) => {
                let structs = self.structs;
                self.from.expect('{', "in front of the fields of a struct")?;
                let known = structs.get(index).map_or(&[][..], |known| &known.fields);
                self.fields(known, Some('}'))?;
                self.from.expect('}', "behind the fields of a struct")?;
            }
        }
        Ok(())
    }

    /// `name=value` for each of `fields`, in any order, up to `end` or to what is no field.
    pub(super) fn fields(&mut self, fields: &[FieldLayout], end: Option<char>) -> Result<(), TextError> {
        // The pieces of each field, to be put in wire order.
        let mut written: Vec<Option<Vec<Token>>> = vec![None; fields.len()];
        let outer = core::mem::take(&mut self.pieces);
        while !self.from.is_done() && !end.is_some_and(|end| self.from.rest().starts_with(end)) {
            let mut ahead = self.from;
            let name = ahead.word(&['=', ':', '}', '"']);
            if end.is_none() && ahead.rest().starts_with(':') {
                break;
            }
            let index = fields.iter().position(|field| field.name == name);
            let Some((field, place)) = index.and_then(|index| fields.get(index).zip(written.get_mut(index)))
            else {
                let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                let there = if names.is_empty() {
                    "it has none".into()
                } else {
                    format!("there are {}", names.join(", "))
                };
                return Err(self.from.wrong(format!("there is no such field; {there}")));
            };
            if place.is_some() {
                return Err(self.from.wrong(format!("{name} is there twice")));
            }
            if !ahead.take('=') {
                return Err(self
                    .from
                    .wrong(format!("expected {name}= and a value of type {}", field.type_name())));
            }
            self.from = ahead;
            self.field(field.kind, field.count)?;
            *place = Some(core::mem::take(&mut self.pieces));
        }
        let missing: Vec<&str> = fields
            .iter()
            .zip(&written)
            .filter(|(_, place)| place.is_none())
            .map(|(field, _)| field.name)
            .collect();
        if !missing.is_empty() {
            return Err(self.from.wrong(format!("missing: {}", missing.join(", "))));
        }
        self.pieces = outer;
        self.pieces.extend(written.into_iter().flatten().flatten());
        Ok(())
    }
}
