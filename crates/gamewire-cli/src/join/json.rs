use serde_json::{Map, Value as Json};

use super::describe::{Told, Value};

/// One line of JSON.
pub(super) fn line(seconds: f64, told: &Told) -> String {
    let mut object = Map::new();
    object.insert("event".into(), told.name.into());
    object.insert("time".into(), ((seconds * 1000.0).round() / 1000.0).into());
    for (name, value) in &told.fields {
        object.insert((*name).into(), json(value));
    }
    Json::Object(object).to_string()
}

fn json(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(is) => (*is).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(bytes) => String::from_utf8_lossy(bytes).into(),
        Value::Word(word) => (*word).into(),
    }
}
