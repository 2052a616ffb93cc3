use super::cursor::Cursor;
use super::error::TextError;
use super::value::ValueParser;
use crate::layout::definition::MessageKind;
use crate::layout::kind;
use crate::layout::layouts::{MessageLayouts, StructLayout};
use crate::layout::values::{ParsedMessage, Token, Values};
use gamewire_machine::Role;

impl MessageLayouts {
    /// Reads a message that a person wrote and `sender` is to send: `10 int:5`, or the name of a
    /// layout and its fields, `player_move tick=5`.
    ///
    /// # Errors
    /// With one sentence that says what is wrong where.
    pub fn parse(&self, text: &str, sender: Role) -> Result<ParsedMessage, TextError> {
        let mut from = Cursor::new(text);
        if from.is_done() {
            return Err(from.wrong("expected an id or the name of a message".into()));
        }
        let start = from.position();
        let word = from.word(&[]);
        let mut writing = ValueParser { from, structs: &self.structs, pieces: Vec::new() };
        let place = if let Some(message) = self.named(word, sender) {
            writing.fields(&message.fields, None)?;
            message.place
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let expected = |_| from.since(start, "expected an id from 0 to 65535".into());
            MessageKind::Message(word.parse().map_err(expected)?)
        } else {
            let mut names = self.messages().iter().filter(|message| message.is_from(sender)).peekable();
            let message = if names.peek().is_some() {
                let names: Vec<&str> = names.map(|message| message.name).collect();
                format!("expected an id from 0 to 65535, or one of {}", names.join(", "))
            } else {
                "expected an id from 0 to 65535".into()
            };
            return Err(from.since(start, message));
        };
        writing.values()?;
        Ok(ParsedMessage { place, values: Values(writing.pieces) })
    }

    /// Reads values with their types, as they stand behind the id of a message: the data of a
    /// connect, reject or kick, and notify messages have none.
    ///
    /// # Errors
    /// With one sentence that says what is wrong where.
    pub fn parse_values(&self, text: &str) -> Result<Values, TextError> {
        values(text, &self.structs)
    }
}

/// Reads values with their types: `int:5 bool:true string:"Hi there"`.
///
/// # Errors
/// With one sentence that says what is wrong where.
pub fn parse_values(text: &str) -> Result<Values, TextError> {
    values(text, &[])
}

fn values(text: &str, structs: &[StructLayout]) -> Result<Values, TextError> {
    let mut writing = ValueParser { from: Cursor::new(text), structs, pieces: Vec::new() };
    writing.values()?;
    Ok(Values(writing.pieces))
}

impl ValueParser<'_, '_> {
    /// Values with their types, up to the end.
    fn values(&mut self) -> Result<(), TextError> {
        let names: Vec<&str> = self.structs.iter().map(|known| known.name).collect();
        while !self.from.is_done() {
            let word = self.from;
            let start = self.from.position();
            let mut kind = self.from.word(&[':', '"']).to_owned();
            if !self.from.take(':') {
                return Err(word.wrong("expected a type and a value, as in int:5".into()));
            }
            if kind == "hex" {
                let bytes = self.hex()?;
                self.pieces.push(Token::Bytes(bytes));
            } else {
                // The number of bits belongs to the type.
                if kind == "bits" {
                    kind = format!("bits:{}", self.from.word(&[':']));
                    self.from.expect(':', "and a value, as in bits:3:5")?;
                }
                let (kind, count) =
                    kind::parse(&kind, &names).map_err(|message| self.from.since(start, message))?;
                self.field(kind, count)?;
            }
            if !self.from.rest().is_empty() && !self.from.rest().starts_with(char::is_whitespace) {
                return Err(self.from.wrong("expected a space behind the value".into()));
            }
        }
        Ok(())
    }
}
