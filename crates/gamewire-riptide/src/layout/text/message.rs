use super::cursor::Cursor;
use super::value::ValueParser;
use crate::layout::definition::MessageKind;
use crate::layout::error::TextError;
use crate::layout::field::parse_type;
use crate::layout::layouts::MessageLayouts;
use crate::layout::values::{ParsedMessage, Token, Values};
use gamewire_machine::Role;

impl MessageLayouts {
    /// Parses a message that `sender` sends: an id and values, `10 int:5`, or the name of a layout and its fields,
    /// `player_move tick=5`.
    ///
    /// # Errors
    /// [`TextError`] if the text is invalid. It contains the location and the expected text.
    pub fn parse(&self, text: &str, sender: Role) -> Result<ParsedMessage, TextError> {
        let mut from = Cursor::new(text);
        if from.skip_spaces_to_end() {
            return Err(from.error_at_word("expected an id or the name of a message".into()));
        }
        let start = from.position();
        let word = from.word(&[]);
        let mut parser = ValueParser { from, structs: &self.structs, tokens: Vec::new() };
        let kind = if let Some(message) = self.find_by_name(word, sender) {
            parser.fields(&message.fields, None)?;
            message.kind
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let expected = |_| from.error_since(start, "expected an id from 0 to 65535".into());
            MessageKind::Message(word.parse().map_err(expected)?)
        } else {
            let mut names = self.messages().iter().filter(|message| message.is_from(sender)).peekable();
            let message = if names.peek().is_some() {
                let names: Vec<&str> = names.map(|message| message.name).collect();
                format!("expected an id from 0 to 65535, or one of {}", names.join(", "))
            } else {
                "expected an id from 0 to 65535".into()
            };
            return Err(from.error_since(start, message));
        };
        parser.values()?;
        Ok(ParsedMessage { kind, values: Values(parser.tokens) })
    }

    /// Parses values with their types, for messages without an id: notify messages and the data of a connect, reject or
    /// kick.
    ///
    /// # Errors
    /// [`TextError`] if the text is invalid. It contains the location and the expected text.
    pub fn parse_values(&self, text: &str) -> Result<Values, TextError> {
        let mut parser = ValueParser { from: Cursor::new(text), structs: &self.structs, tokens: Vec::new() };
        parser.values()?;
        Ok(Values(parser.tokens))
    }
}

impl ValueParser<'_, '_> {
    /// Parses values with their types, up to the end.
    fn values(&mut self) -> Result<(), TextError> {
        let names: Vec<&str> = self.structs.iter().map(|known| known.name).collect();
        while !self.from.skip_spaces_to_end() {
            let word = self.from;
            let start = self.from.position();
            let mut kind = self.from.word(&[':', '"']).to_owned();
            if !self.from.eat(':') {
                return Err(word.error_at_word("expected a type and a value, as in int:5".into()));
            }
            if kind == "hex" {
                let bytes = self.hex()?;
                self.tokens.push(Token::Bytes(bytes));
            } else {
                // The number of bits is part of the type.
                if kind == "bits" {
                    kind = format!("bits:{}", self.from.word(&[':']));
                    self.from.expect(':', "and a value, as in bits:3:5")?;
                }
                let (field_type, count) =
                    parse_type(&kind, &names).map_err(|message| self.from.error_since(start, message))?;
                self.field(field_type, count)?;
            }
            if !self.from.rest().is_empty() && !self.from.rest().starts_with(char::is_whitespace) {
                return Err(self.from.error_at_word("expected a space after the value".into()));
            }
        }
        Ok(())
    }
}
