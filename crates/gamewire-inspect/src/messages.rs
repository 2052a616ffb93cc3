//! Files that describe an application's own Riptide messages (docs/protocols/riptide.md, "Naming your
//! messages").

#[cfg(test)]
mod tests;

use std::ops::Range;

use gamewire_machine::Role;
use gamewire_riptide::layout::{
    LayoutError, Location, MessageDefinition, MessageKind, MessageLayouts, StructDefinition,
};
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

/// The content of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "struct")]
    structs: Vec<Spanned<Struct>>,
    #[serde(default, rename = "message")]
    messages: Vec<Spanned<Message>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Struct {
    name: Spanned<String>,
    fields: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    id: Option<Spanned<i64>>,
    kind: Option<MessageSection>,
    name: Spanned<String>,
    from: Option<From>,
    #[serde(default)]
    doc: String,
    #[serde(default)]
    fields: Vec<Spanned<String>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MessageSection {
    Notify,
    Connect,
    Reject,
    Kick,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum From {
    Client,
    Server,
}

/// The positions of a struct or message in the text.
struct Spans {
    name: Range<usize>,
    fields: Vec<Range<usize>>,
}

/// Parses the description of an application's own Riptide messages.
///
/// # Errors
/// [`MessageFileError`] for the first error.
pub fn parse(text: &str) -> Result<MessageLayouts, MessageFileError> {
    let file: File = toml::from_str(text)
        .map_err(|error| MessageFileError::at(text, error.span(), one_line(error.message())))?;
    let mut spans = [Vec::new(), Vec::new()];
    let mut structs = Vec::new();
    for definition in file.structs {
        let Struct { name, fields } = definition.into_inner();
        spans[0].push(Spans::of(&name, &fields));
        structs.push(StructDefinition { name: name.into_inner(), fields: plain(fields) });
    }
    let mut messages = Vec::new();
    for definition in file.messages {
        let span = definition.span();
        let Message { id, kind, name, from, doc, fields } = definition.into_inner();
        let place = parse_kind(id, kind).map_err(|(at, message)| {
            MessageFileError::at(
                text,
                Some(at.unwrap_or(span)),
                format!("message {:?}: {message}", name.as_ref()),
            )
        })?;
        spans[1].push(Spans::of(&name, &fields));
        let from = from.map(|from| match from {
            From::Client => Role::Client,
            From::Server => Role::Server,
        });
        let (name, fields) = (name.into_inner(), plain(fields));
        messages.push(MessageDefinition { kind: place, from, name, fields, doc });
    }
    let [structs_at, messages_at] = spans;
    MessageLayouts::new(&structs, &messages).map_err(|LayoutError { location: part, message }| {
        let span = match part {
            Location::Struct(index) => name(&structs_at, index),
            Location::StructField(index, at) => field(&structs_at, index, at),
            Location::Message(index) => name(&messages_at, index),
            Location::MessageField(index, at) => field(&messages_at, index, at),
        };
        MessageFileError::at(text, span, message)
    })
}

/// Returns the kind of a message. `Err` is the position of the error, if there is one, and the error.
fn parse_kind(
    id: Option<Spanned<i64>>,
    kind: Option<MessageSection>,
) -> Result<MessageKind, (Option<Range<usize>>, &'static str)> {
    match (id, kind) {
        (Some(id), None) => match u16::try_from(*id.as_ref()) {
            Ok(id) => Ok(MessageKind::Message(id)),
            Err(_) => Err((Some(id.span()), "invalid id: use a number from 0 to 65535")),
        },
        (None, Some(MessageSection::Notify)) => Ok(MessageKind::Notify),
        (None, Some(MessageSection::Connect)) => Ok(MessageKind::Connect),
        (None, Some(MessageSection::Reject)) => Ok(MessageKind::Reject),
        (None, Some(MessageSection::Kick)) => Ok(MessageKind::Kick),
        (None, None) => {
            Err((None, r#"missing id: add an id, or kind = "notify", "connect", "reject" or "kick""#))
        }
        (Some(id), Some(_)) => Err((Some(id.span()), "id and kind exclude each other: remove one of them")),
    }
}

impl Spans {
    fn of(name: &Spanned<String>, fields: &[Spanned<String>]) -> Self {
        Self { name: name.span(), fields: fields.iter().map(Spanned::span).collect() }
    }
}

fn name(spans: &[Spans], index: usize) -> Option<Range<usize>> {
    spans.get(index).map(|spans| spans.name.clone())
}

fn field(spans: &[Spans], index: usize, field: usize) -> Option<Range<usize>> {
    spans.get(index)?.fields.get(field).cloned()
}

fn plain(texts: Vec<Spanned<String>>) -> Vec<String> {
    texts.into_iter().map(Spanned::into_inner).collect()
}

/// Joins the lines of a message.
fn one_line(message: &str) -> String {
    message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ")
}

/// An error in a messages file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {message}")]
pub struct MessageFileError {
    /// Line of the error, from 1.
    pub line: usize,
    /// The error, and how to correct it.
    pub message: String,
}

impl MessageFileError {
    /// Returns an error at a range of bytes of a text.
    fn at(text: &str, span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        let start = span.map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let line = before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
        Self { line, message: message.into() }
    }
}
