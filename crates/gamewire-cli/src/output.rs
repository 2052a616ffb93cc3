//! Events of `join` and `serve`, as text or JSON.

use std::convert::identity;
use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use gamewire_inspect::render::{Escaped, Palette, write_json};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::background_writer::BackgroundWriter;
use crate::bottom;
use crate::exit_status::{Failure, print_error, warn};

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// No value, or an unknown one.
    None,
    Bool(bool),
    Number(i64),
    /// Text of a peer. It is escaped when it is shown.
    Text(Vec<u8>),
    /// A constant of this program.
    Keyword(&'static str),
    /// Text that is already escaped.
    Escaped(String),
    /// A structured value. Its text is escaped when it is shown.
    Json(Json),
}

macro_rules! values {
    ($($from:ty => $value:ident: $convert:expr;)*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$value($convert(value))
            }
        }
    )*};
}

values! {
    bool => Bool: identity;
    u8 => Number: i64::from;
    u16 => Number: i64::from;
    u32 => Number: i64::from;
    i16 => Number: i64::from;
    i32 => Number: i64::from;
    i64 => Number: identity;
    u64 => Number: |number| i64::try_from(number).unwrap_or(i64::MAX);
    usize => Number: |number| i64::try_from(number).unwrap_or(i64::MAX);
    String => Text: String::into_bytes;
    &'static str => Keyword: identity;
    Json => Json: identity;
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, T::into)
    }
}

/// An event for output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutputEvent {
    pub(crate) name: &'static str,
    pub(crate) fields: Vec<(&'static str, Value)>,
    /// The text form, if it differs from `fields`.
    pub(crate) human_fields: Option<Vec<(&'static str, Value)>>,
}

/// The figures of a session, in both forms.
pub(crate) struct Summary {
    /// The members of the JSON object.
    pub(crate) fields: Json,
    /// The text after the seconds.
    pub(crate) text: String,
}

/// Returns an event: its name, then its fields with their values.
macro_rules! event {
    ($name:expr $(, $field:ident: $value:expr)* $(,)?) => {
        $crate::output::OutputEvent {
            name: $name,
            fields: vec![$((stringify!($field), $crate::output::Value::from($value))),*],
            human_fields: None,
        }
    };
}
pub(crate) use event;

/// The output of events.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    began: Instant,
    /// `None` if events are written immediately.
    background: Option<Arc<BackgroundWriter>>,
    /// True for a server. Its summary has the number of events that were lost.
    is_server: bool,
}

impl Output {
    /// Creates the output. The times of events count from now.
    pub(crate) fn begin(json: bool, quiet: bool) -> Self {
        Self { json, quiet, began: Instant::now(), background: None, is_server: false }
    }

    /// Creates the output of a server, and counts the times of events from now. If standard output is not a terminal, a
    /// slow reader loses events instead of stopping the server.
    pub(crate) fn begin_server(json: bool, quiet: bool) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let background = (!is_terminal).then(|| Arc::new(BackgroundWriter::start()));
        Self { background, is_server: true, ..Self::begin(json, quiet) }
    }

    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Returns the seconds since the start, rounded to milliseconds.
    pub(crate) fn seconds(&self) -> f64 {
        rounded(self.began.elapsed().as_secs_f64())
    }

    /// Reports a line of standard input that was not executed: as a JSON event, or on standard error.
    pub(crate) fn command_error(&self, line: &str, error: String) -> Result<(), Failure> {
        if self.json {
            return self.emit(&event!("command_error", line: line.to_owned(), error: error));
        }
        print_error(error);
        Ok(())
    }

    /// Writes an event immediately. On a terminal with lines at its bottom, it may be delayed for a moment.
    pub(crate) fn emit(&self, event: &OutputEvent) -> Result<(), Failure> {
        self.write(&self.text(event)?)?;
        Ok(())
    }

    /// Writes a description of the library, which serde prints as an object with the field `event`, as JSON.
    pub(crate) fn emit_view(&self, view: &impl Serialize) -> Result<(), Failure> {
        let Ok(Json::Object(mut fields)) = serde_json::to_value(view) else { return Ok(()) };
        let mut object = Map::new();
        object.extend(fields.shift_remove_entry("event"));
        object.insert("time".into(), self.seconds().into());
        object.append(&mut fields);
        let mut text = Vec::new();
        write_json(&mut text, &Json::Object(object))?;
        self.write(&text)?;
        Ok(())
    }

    /// Writes the lines of an event, as [`emit`](Self::emit) does. Returns false if the lines were dropped because the
    /// reader is too slow.
    pub(crate) fn write(&self, text: &[u8]) -> io::Result<bool> {
        let Some(background) = &self.background else { return bottom::write_above(text).map(|()| true) };
        background.write(text, |lost| self.events_lost(lost))
    }

    fn write_last(&self, text: &str) -> io::Result<()> {
        let Some(background) = &self.background else { return anstream::stdout().write_all(text.as_bytes()) };
        let unread = background.write_last(text.as_bytes(), |lost| self.events_lost(lost))?;
        if unread > 0 {
            warn(format_args!("the reader of standard output has stopped reading: {unread} events are lost"));
        }
        Ok(())
    }

    fn events_lost(&self, count: u64) -> io::Result<Vec<u8>> {
        self.text(&event!("events_lost", count: count))
    }

    fn text(&self, event: &OutputEvent) -> io::Result<Vec<u8>> {
        let seconds = self.began.elapsed().as_secs_f64();
        let mut text = Vec::new();
        if self.json {
            write_event(&mut text, seconds, event)?;
        } else {
            writeln!(text, "{}", line(seconds, event))?;
        }
        Ok(text)
    }

    /// Writes the summary as text or JSON. The summary has the time since the start and, for a server, the number of
    /// events that were lost.
    pub(crate) fn print_summary(&self, summary: Summary) -> io::Result<()> {
        let Summary { fields, text } = summary;
        let seconds = self.began.elapsed().as_secs_f64();
        let lost = self.background.as_ref().map_or(0, |background| background.lost());
        if self.json {
            let mut summary = json!({ "event": "summary", "seconds": rounded(seconds) });
            if let (Some(summary), Json::Object(fields)) = (summary.as_object_mut(), fields) {
                summary.extend(fields);
                if self.is_server {
                    summary.insert("events_lost".to_owned(), lost.into());
                }
            }
            self.write_last(&format!("{summary}\n"))?;
        } else {
            self.write_last("")?;
            if !self.quiet {
                anstream::eprintln!("{seconds:.1} s: {text}{}", EventsLost(lost));
            }
        }
        Ok(())
    }
}

/// The end of a summary in text. It is empty if no event was lost.
struct EventsLost(u64);

impl fmt::Display for EventsLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            lost => write!(f, "; {lost} events lost by a slow reader of the output"),
        }
    }
}

/// Returns the palette for standard output. It depends on `--color`, NO_COLOR, CLICOLOR, CLICOLOR_FORCE and on whether
/// standard output is a terminal.
pub(crate) fn palette() -> Palette {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Palette::plain(),
        _ => Palette::colored(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
impl OutputEvent {
    /// Returns its JSON and text forms, without color, at time 0.
    pub(crate) fn lines(&self) -> (String, String) {
        let mut json = Vec::new();
        write_event(&mut json, 0.0, self).unwrap();
        let text = anstream::adapter::strip_str(&line(0.0, self)).to_string();
        (String::from_utf8(json).unwrap().trim_end().into(), text)
    }
}

/// Writes an event as one line of JSON with its line end, safe on a terminal.
fn write_event(out: &mut impl Write, seconds: f64, event: &OutputEvent) -> io::Result<()> {
    let mut object = Map::new();
    object.insert("event".into(), event.name.into());
    object.insert("time".into(), rounded(seconds).into());
    object.extend(event.fields.iter().map(|(name, value)| ((*name).to_owned(), json(value))));
    write_json(out, &Json::Object(object))
}

/// Rounds seconds to milliseconds.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn json(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(is) => (*is).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(bytes) => String::from_utf8_lossy(bytes).into(),
        Value::Keyword(word) => (*word).into(),
        Value::Escaped(text) => text.as_str().into(),
        Value::Json(value) => value.clone(),
    }
}

const TIME: Style = Style::new().dimmed();
const NAME: Style = AnsiColor::Cyan.on_default();

/// Returns one line of text: time, name and fields. All text of a peer is escaped.
fn line(seconds: f64, event: &OutputEvent) -> String {
    format!("{TIME}{seconds:8.3}{TIME:#}  {NAME}{:<12}{NAME:#} {}", event.name, text(event))
}

fn text(event: &OutputEvent) -> String {
    match event.human_fields.as_ref().unwrap_or(&event.fields).as_slice() {
        [("from", from), ("name", name), ("audience", audience), ("text", text)] => {
            let speaker = match (from, name) {
                (Value::None, _) => "***".into(),
                (_, Value::None) => shown(from),
                (_, name) => format!("{}:", shown(name)),
            };
            let recipient = match audience {
                Value::Keyword("all") => String::new(),
                other => format!("({}) ", shown(other)),
            };
            format!("{recipient}{speaker} {}", shown(text))
        }
        [(_, value @ (Value::Text(_) | Value::Keyword(_) | Value::Escaped(_)))] => shown(value),
        fields => {
            let fields = fields.iter().filter(|(_, value)| !matches!(value, Value::None));
            let parts: Vec<_> = fields.map(|(name, value)| format!("{name} {}", shown(value))).collect();
            parts.join(", ")
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::None => "nobody".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) => number.to_string(),
        Value::Text(bytes) => Escaped(bytes).to_string(),
        Value::Keyword(word) => (*word).into(),
        Value::Escaped(text) => text.clone(),
        Value::Json(value) => Escaped(value.to_string().as_bytes()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_text_of_a_peer_is_escaped_in_json() {
        let chat = event!("chat", text: "\u{9b}2J\u{202e}\u{1b}]0;x".to_owned());
        let mut out = Vec::new();
        write_event(&mut out, 1.5, &chat).unwrap();
        let line = r#"{"event":"chat","time":1.5,"text":"\u009b2J\u202e\u001b]0;x"}"#;
        assert_eq!(String::from_utf8(out).unwrap(), format!("{line}\n"));
    }

    fn plain(event: &OutputEvent) -> String {
        anstream::adapter::strip_str(&line(1.5, event)).to_string()
    }

    #[test]
    fn chat_reads_as_in_the_game() {
        let chat = |name, text: &[u8]| event!("chat", from: 3, name: name, audience: "all", text: Value::Text(text.to_vec()));
        assert_eq!(plain(&chat(Value::Text(b"tee".to_vec()), b"hi")), "   1.500  chat         tee: hi");
        assert_eq!(plain(&chat(Value::None, b"hi")), "   1.500  chat         3 hi");
    }

    #[test]
    fn t12_text_of_a_peer_cannot_control_the_terminal() {
        let event = event!("motd", text: Value::Text(b"\x1b[2J\xffgo\r\n".to_vec()));
        assert_eq!(plain(&event), r"   1.500  motd         \x1b[2J\xffgo\r\n");
    }
}
