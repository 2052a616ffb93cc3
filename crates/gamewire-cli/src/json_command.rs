//! Commands as JSON.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

/// Parses a command in JSON.
pub(crate) fn from_json<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    command(serde_json::from_str(line).map_err(|error| error.to_string())?)
}

/// Parses a command. The field `command` names the variant of an enum, and the other fields are the fields of the
/// variant. The enum has no serde `tag`, because serde derives several times as much code for a tagged enum.
pub(crate) fn command<T: DeserializeOwned>(mut fields: Map<String, Json>) -> Result<T, String> {
    let name = match fields.remove("command") {
        Some(Json::String(name)) => name,
        Some(_) => return Err("`command` must be a string".into()),
        None => return Err("missing field `command`".into()),
    };
    let variant = Map::from_iter([(name, Json::Object(fields))]);
    T::deserialize(Json::Object(variant)).map_err(|error| error.to_string())
}

/// Checks that a type accepts every command of its schema, with all fields and with the required ones, and
/// that the schema has all of its commands.
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]
pub(crate) fn check_commands<T: DeserializeOwned>(schema: &str) {
    use serde_json::{Map, Value, json};

    fn sample(schema: &Value, with_all: bool) -> Value {
        if let Some(first) = schema.get("anyOf").or_else(|| schema.get("enum")) {
            return if first[0].is_object() { sample(&first[0], with_all) } else { first[0].clone() };
        }
        if schema == &json!(true) {
            return Value::Null;
        }
        match (schema.get("const"), schema["type"].as_str()) {
            (Some(value), _) => value.clone(),
            (None, Some("integer" | "number")) => json!(1),
            (None, Some("boolean")) => json!(true),
            (None, Some("array")) => json!([sample(&schema["items"], with_all)]),
            (None, Some("string")) => json!(if schema.get("pattern").is_some() { "0a" } else { "a" }),
            _ => {
                let empty = Map::new();
                let properties = schema["properties"].as_object().unwrap_or(&empty).iter();
                let required =
                    |name: &String| with_all || schema["required"].as_array().unwrap().contains(&json!(name));
                let chosen = properties.filter(|(name, _)| required(name));
                chosen
                    .map(|(name, schema)| (name.clone(), sample(schema, with_all)))
                    .collect::<Map<_, _>>()
                    .into()
            }
        }
    }

    let schema: Value = serde_json::from_str(schema).unwrap();
    let mut known = Vec::new();
    for command in schema["anyOf"].as_array().unwrap() {
        known.push(command["title"].as_str().unwrap().to_owned());
        for with_all in [false, true] {
            let line = sample(command, with_all).to_string();
            from_json::<T>(&line).map(drop).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        let mut line = sample(command, false);
        line["unknown"] = json!(1);
        assert!(from_json::<T>(&line.to_string()).is_err(), "{line}");
    }
    let error = from_json::<T>(r#"{"command":"?"}"#).map(drop).unwrap_err();
    let mut accepted: Vec<_> = error.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    accepted.sort();
    known.sort();
    assert_eq!(accepted, known);
}
