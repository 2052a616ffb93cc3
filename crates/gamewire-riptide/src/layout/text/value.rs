use super::cursor::Cursor;
use crate::layout::error::TextError;
use crate::layout::field::{Count, FieldLayout, FieldType, vector_components};
use crate::layout::layouts::StructLayout;
use crate::layout::scalar::{Scalar, ScalarValue};
use crate::layout::values::Token;

/// Characters that end a word in lists and structs.
const ENDS: &[char] = &[',', ']', ')', '}'];

/// Parser of values.
pub(super) struct ValueParser<'t, 'l> {
    pub(super) from: Cursor<'t>,
    pub(super) structs: &'l [StructLayout],
    pub(super) tokens: Vec<Token>,
}

impl ValueParser<'_, '_> {
    /// Parses the value of a field.
    pub(super) fn field(&mut self, field_type: FieldType, count: Count) -> Result<(), TextError> {
        if count == Count::One {
            return self.value(field_type, false);
        }
        let start = self.from.position();
        // The length is known after the values.
        let length_at = self.tokens.len();
        let found = match field_type {
            FieldType::Scalar(Scalar::Byte) if !self.from.rest().starts_with('[') => {
                let bytes = self.hex()?;
                let found = bytes.len();
                self.tokens.push(Token::Bytes(bytes));
                found
            }
            field_type => self.list(field_type)?,
        };
        match count {
            Count::Fixed(wanted) if usize::from(wanted) != found => {
                Err(self.from.error_since(start, format!("expected {wanted} values, found {found}")))
            }
            Count::Prefixed => {
                self.tokens.insert(length_at, Token::Length(found));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Parses bytes in hexadecimal.
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
                .error_since(start, "expected bytes of two hexadecimal digits each, as in 0aff".into())),
        }
    }

    /// Parses values in brackets, or without them if that is unambiguous. Returns their number.
    fn list(&mut self, field_type: FieldType) -> Result<usize, TextError> {
        let is_in_brackets = self.from.eat('[');
        if !is_in_brackets && matches!(field_type, FieldType::Vector(_) | FieldType::Struct(_)) {
            return Err(self.from.error_at_word("expected a list in brackets, as in [(1,2),(3,4)]".into()));
        }
        let mut bools = Vec::new();
        let mut found = 0_usize;
        if is_in_brackets {
            self.from.skip_spaces_to_end();
            if self.from.eat(']') {
                return Ok(0);
            }
        }
        loop {
            if is_in_brackets {
                self.from.skip_spaces_to_end();
            }
            self.value(field_type, true)?;
            found = found.saturating_add(1);
            // Bools are packed on the wire.
            if field_type == FieldType::Scalar(Scalar::Bool)
                && let Some(Token::Scalar(ScalarValue::Bool(value))) = self.tokens.pop()
            {
                bools.push(value);
            }
            if is_in_brackets {
                self.from.skip_spaces_to_end();
            }
            if !self.from.eat(',') {
                break;
            }
        }
        if is_in_brackets {
            self.from.expect(']', "or , after a value of a list")?;
        }
        if field_type == FieldType::Scalar(Scalar::Bool) {
            self.tokens.push(Token::Bools(bools));
        }
        Ok(found)
    }

    /// Parses one value. A vector in a list needs parentheses.
    fn value(&mut self, field_type: FieldType, is_in_list: bool) -> Result<(), TextError> {
        match field_type {
            FieldType::Scalar(scalar) => {
                let start = self.from.position();
                let word = self.from.word(ENDS);
                let value = scalar
                    .parse(word)
                    .map_err(|expected| self.from.error_since(start, format!("expected {expected}")))?;
                self.tokens.push(Token::Scalar(value));
            }
            FieldType::String => {
                let text = self.from.text(ENDS)?;
                self.tokens.push(Token::Text(text));
            }
            FieldType::Vector(count) => {
                let has_parentheses = self.from.eat('(');
                if is_in_list && !has_parentheses {
                    return Err(self
                        .from
                        .error_at_word("expected a vector in parentheses, as in (1,2)".into()));
                }
                for (component, index) in vector_components(count).iter().zip(0..) {
                    if index > 0 {
                        self.from
                            .expect(',', &format!("and the {component} of a vector of {count} numbers"))?;
                    }
                    self.value(FieldType::Scalar(Scalar::Float), false)?;
                }
                if has_parentheses {
                    self.from.expect(')', "after a vector")?;
                }
            }
            FieldType::Struct(index) => {
                let structs = self.structs;
                self.from.expect('{', "before the fields of a struct")?;
                let known = structs.get(index).map_or(&[][..], |known| &known.fields);
                self.fields(known, Some('}'))?;
                self.from.expect('}', "after the fields of a struct")?;
            }
        }
        Ok(())
    }

    /// Parses `name=value` for each of `fields`, in any order, up to `end` if there is one; otherwise up to a word with
    /// a colon, or to the end of the text.
    pub(super) fn fields(&mut self, fields: &[FieldLayout], end: Option<char>) -> Result<(), TextError> {
        // Tokens by field, because the wire order may differ.
        let mut written: Vec<Option<Vec<Token>>> = vec![None; fields.len()];
        let outer = core::mem::take(&mut self.tokens);
        while !self.from.skip_spaces_to_end() && !end.is_some_and(|end| self.from.rest().starts_with(end)) {
            let mut ahead = self.from;
            let name = ahead.word(&['=', ':', '}', '"']);
            if end.is_none() && ahead.rest().starts_with(':') {
                break;
            }
            let index = fields.iter().position(|field| field.name == name);
            let Some((field, slot)) = index.and_then(|index| fields.get(index).zip(written.get_mut(index)))
            else {
                let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                let known = if names.is_empty() {
                    "there are none".into()
                } else {
                    format!("use one of {}", names.join(", "))
                };
                return Err(self.from.error_at_word(format!("unknown field; {known}")));
            };
            if slot.is_some() {
                return Err(self.from.error_at_word(format!("duplicate field {name}")));
            }
            if !ahead.eat('=') {
                return Err(self
                    .from
                    .error_at_word(format!("expected {name}= and a value of type {}", field.type_name)));
            }
            self.from = ahead;
            self.field(field.field_type, field.count)?;
            *slot = Some(core::mem::take(&mut self.tokens));
        }
        let missing: Vec<&str> = fields
            .iter()
            .zip(&written)
            .filter(|(_, slot)| slot.is_none())
            .map(|(field, _)| field.name)
            .collect();
        if !missing.is_empty() {
            return Err(self.from.error_at_word(format!("missing: {}", missing.join(", "))));
        }
        self.tokens = outer;
        self.tokens.extend(written.into_iter().flatten().flatten());
        Ok(())
    }
}
