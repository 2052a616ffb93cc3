//! Converts JSON Schemas to TypeScript declarations. With them, the compiler checks the scripts of the page.

use std::fmt::Write as _;

use serde_json::Value;

use crate::Error;
use crate::project::list;

/// Path of the declarations.
pub(crate) const PATH: &str = "crates/gamewire-page/types/api.d.ts";

const HEAD: &str = "// Generated from definitions/json/page.toml by `cargo xtask generate`.\n";

/// Returns an interface for each schema. Its name is the title of the schema.
pub(crate) fn declarations(schemas: &[Value]) -> Result<String, Error> {
    let mut text = HEAD.to_owned();
    for schema in schemas {
        let title = schema["title"].as_str().ok_or("a schema without a title")?;
        let name: String = title.split('_').map(capitalized).collect();
        let doc = schema["description"].as_str().unwrap_or_default();
        _ = write!(text, "\n/** {doc} */\nexport interface {name} {}\n", members(schema, "\n  ")?);
    }
    Ok(text)
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the members of an object in braces. Each follows after `separator`.
fn members(schema: &Value, separator: &str) -> Result<String, Error> {
    let mut text = "{".to_owned();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let mark = if list(schema, "required").any(|required| required == name) { "" } else { "?" };
        if let Some(doc) = member["description"].as_str() {
            _ = write!(text, "{separator}/** {doc} */");
        }
        _ = write!(text, "{separator}{name}{mark}: {};", one_type(member)?);
    }
    text += separator.strip_suffix("  ").unwrap_or(separator);
    Ok(text + "}")
}

fn one_type(schema: &Value) -> Result<String, Error> {
    if schema == &Value::Bool(true) {
        return Ok("any".into());
    }
    if schema["anyOf"].is_array() {
        let types: Vec<_> = list(schema, "anyOf").map(one_type).collect::<Result<_, Error>>()?;
        return Ok(types.join(" | "));
    }
    if schema["enum"].is_array() {
        return Ok(list(schema, "enum").map(Value::to_string).collect::<Vec<_>>().join(" | "));
    }
    Ok(match schema["type"].as_str() {
        Some("integer" | "number") => "number".into(),
        Some("boolean") => "boolean".into(),
        Some("string") => "string".into(),
        Some("null") => "null".into(),
        Some("array") => format!("Array<{}>", one_type(&schema["items"])?),
        Some("object") => members(schema, " ")?,
        _ => return Err(format!("no TypeScript type for {schema}").into()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_keep_their_type_their_doc_and_whether_they_may_be_missing() {
        let schema = json!({
            "title": "one_row",
            "description": "A row.",
            "properties": {
                "number": {"type": "integer", "description": "from 1"},
                "sender": {"enum": ["client", "server"]},
                "name": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "lost": {"type": "boolean"},
                "links": {"type": "array", "items": {"type": "object", "properties": {"to": true}, "required": ["to"]}},
            },
            "required": ["number", "sender", "name", "links"],
        });
        let text = declarations(&[schema]).unwrap();
        let expected = "\n/** A row. */\nexport interface OneRow {\n  /** from 1 */\n  number: number;\n  \
            sender: \"client\" | \"server\";\n  name: string | null;\n  lost?: boolean;\n  \
            links: Array<{ to: any; }>;\n}\n";
        assert_eq!(text.strip_prefix(HEAD), Some(expected));
        assert!(declarations(&[json!({"title": "row", "properties": {"x": {}}})]).is_err());
    }
}
