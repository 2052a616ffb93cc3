use std::io::{self, Write};

use gamewire_inspect::render::write_json;
use serde_json::{Map, Value as Json};

use super::{OutputEvent, Value};

/// Returns one line of JSON with its line end, safe on a terminal.
pub(super) fn write(out: &mut impl Write, seconds: f64, told: &OutputEvent) -> io::Result<()> {
    let mut object = Map::new();
    object.insert("event".into(), told.name.into());
    object.insert("time".into(), ((seconds * 1000.0).round() / 1000.0).into());
    object.extend(told.fields.iter().map(|(name, value)| ((*name).to_owned(), json(value))));
    write_json(out, &Json::Object(object))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_what_a_peer_wrote_does_not_reach_a_terminal() {
        let chat = OutputEvent::new("chat", [("text", Value::Text("\u{9b}2J\u{202e}\u{1b}]0;x".into()))]);
        let mut out = Vec::new();
        write(&mut out, 1.5, &chat).unwrap();
        let line = r#"{"event":"chat","time":1.5,"text":"\u009b2J\u202e\u001b]0;x"}"#;
        assert_eq!(String::from_utf8(out).unwrap(), format!("{line}\n"));
    }
}
