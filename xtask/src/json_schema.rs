//! Converts `definitions/json/*.toml`, the JSON of the command and of the page, to JSON Schemas and a page of the docs.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::Error;
use crate::typescript;

/// A parser of fields of the form `NAME: TYPE # DOC`. `NAME?` may be missing, and `TYPE?` may be null. A type is a word
/// of [`Parser::base`], words with `|` between them, `{FIELDS}`, `[TYPE]`, or a name in `[types]` or of a record.
struct Parser<'a> {
    rest: &'a str,
    types: &'a toml::Table,
}

impl Parser<'_> {
    fn word(&mut self) -> &str {
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        word
    }

    fn accept(&mut self, symbol: char) -> bool {
        let text = self.rest.trim_start();
        let rest = text.strip_prefix(symbol);
        self.rest = rest.unwrap_or(text);
        rest.is_some()
    }

    fn expect(&mut self, symbol: char) -> Result<(), Error> {
        if self.accept(symbol) {
            Ok(())
        } else {
            Err(format!("expected {symbol:?} at {:?}", self.rest).into())
        }
    }

    /// Parses fields up to the end or a closing brace.
    fn fields(&mut self, object: &mut Object) -> Result<(), Error> {
        loop {
            let name = self.word().to_owned();
            let is_optional = self.accept('?');
            self.expect(':')?;
            let schema = self.one_type()?;
            if !is_optional {
                object.required.push(name.clone());
            }
            object.properties.insert(name, schema);
            if !self.accept(',') {
                return Ok(());
            }
        }
    }

    fn one_type(&mut self) -> Result<Value, Error> {
        let mut schema = if self.accept('{') {
            let mut object = Object::default();
            self.fields(&mut object)?;
            self.expect('}')?;
            object.schema()
        } else if self.accept('[') {
            let items = self.one_type()?;
            self.expect(']')?;
            json!({ "type": "array", "items": items })
        } else {
            let first = self.word().to_owned();
            let mut words = vec![first];
            let mut object = None;
            while object.is_none() && self.accept('|') {
                if self.rest.starts_with('{') {
                    object = Some(self.one_type()?);
                } else {
                    words.push(self.word().to_owned());
                }
            }
            match object {
                Some(object) => json!({ "anyOf": [{ "enum": words }, object] }),
                None => self.words(&words)?,
            }
        };
        if self.accept('?') {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        Ok(schema)
    }

    fn words(&self, words: &[String]) -> Result<Value, Error> {
        let known: Vec<_> = words.iter().filter_map(|word| Self::base(word)).collect();
        match (known.as_slice(), words) {
            ([one], [_]) => Ok(one.clone()),
            ([], [word]) => {
                let text = self.types.get(word).and_then(toml::Value::as_str);
                let text = text.ok_or_else(|| format!("unknown type {word}"))?;
                Parser { rest: text, types: self.types }.one_type()
            }
            ([], words) => Ok(json!({ "enum": words })),
            (known, words) if known.len() == words.len() => Ok(json!({ "anyOf": known })),
            _ => Err(format!("types and words are mixed: {}", words.join("|")).into()),
        }
    }

    fn base(word: &str) -> Option<Value> {
        Some(match word {
            "int" => json!({ "type": "integer" }),
            "uint" => json!({ "type": "integer", "minimum": 0 }),
            "number" => json!({ "type": "number" }),
            "bool" => json!({ "type": "boolean" }),
            "text" => json!({ "type": "string" }),
            "hex" => json!({ "type": "string", "pattern": "^([0-9a-f]{2})*$" }),
            "object" => json!({ "type": "object" }),
            "any" => json!(true),
            _ => return None,
        })
    }
}

#[derive(Default)]
struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Object {
    fn schema(self) -> Value {
        json!({
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": false,
        })
    }
}

/// Returns the schema of an event, a record or a command. `tag` is the field that contains its name.
fn item_schema(item: &toml::Table, tag: Option<&str>, types: &toml::Table) -> Result<Value, Error> {
    let (name, doc) = (text(item, "name")?, text(item, "doc")?);
    let mut object = Object::default();
    if let Some(tag) = tag {
        object.required.push(tag.into());
        object.properties.insert(tag.into(), json!({ "const": name }));
        if tag == "event" && name != "summary" {
            object.required.push("time".into());
            let doc = "seconds since the start";
            object.properties.insert("time".into(), json!({ "type": "number", "description": doc }));
        }
    }
    for field in fields(item) {
        let (definition, doc) = split_doc(field);
        let mut parser = Parser { rest: definition, types };
        let mut one = Object::default();
        parser.fields(&mut one).map_err(|error| format!("{name}: {field}: {error}"))?;
        if !parser.rest.trim().is_empty() {
            return Err(format!("{name}: {field}: unexpected {:?}", parser.rest).into());
        }
        for (field, mut schema) in one.properties {
            if let (Some(schema), false) = (schema.as_object_mut(), doc.is_empty()) {
                schema.insert("description".into(), doc.into());
            }
            object.properties.insert(field, schema);
        }
        object.required.extend(one.required);
    }
    let mut schema = object.schema();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".into(), name.into());
        schema.insert("description".into(), doc.into());
    }
    Ok(schema)
}

fn text<'a>(item: &'a toml::Table, key: &str) -> Result<&'a str, Error> {
    item.get(key).and_then(toml::Value::as_str).ok_or_else(|| format!("no {key} in {item:?}").into())
}

fn fields(item: &toml::Table) -> impl Iterator<Item = &str> {
    item.get("fields").and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_str)
}

fn split_doc(field: &str) -> (&str, &str) {
    let (definition, doc) = field.split_once('#').unwrap_or((field, ""));
    (definition.trim(), doc.trim())
}

/// Returns the paths and texts of all schemas and of the page that lists the events and commands.
pub(crate) fn outputs(root: &Path) -> Result<Vec<(String, String)>, Error> {
    let mut paths: Vec<_> = fs::read_dir(root.join("definitions/json"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, Error>>()?;
    paths.sort();
    let mut outputs = Vec::new();
    let mut page = PAGE_HEAD.to_owned();
    let shared: [toml::Table; 2] = [COMMAND_ERROR.parse()?, EVENTS_LOST.parse()?];
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let definition: toml::Table = fs::read_to_string(&path)?.parse()?;
        let mut types = definition.get("types").and_then(toml::Value::as_table).cloned().unwrap_or_default();
        let title = text(&definition, "title")?;
        _ = write!(page, "\n## {title}\n\nSchema of the output: [{name}.json](schema/{name}.json)");
        let of = |kind: &str| {
            let items = definition.get(kind).and_then(toml::Value::as_array).into_iter().flatten();
            items.filter_map(toml::Value::as_table).cloned().collect::<Vec<_>>()
        };
        let (mut events, mut records, mut commands) = (of("event"), of("record"), of("command"));
        if let Some(other) = definition.get("commands").and_then(toml::Value::as_str) {
            commands = commands_of(root, other)?;
            _ = write!(page, ". The commands are those of [{other}](schema/{other}.commands.json)");
        }
        include_fields(&mut records)?;
        for record in &records {
            let definitions: Vec<_> = fields(record).map(|field| split_doc(field).0).collect();
            types.insert(text(record, "name")?.into(), format!("{{{}}}", definitions.join(", ")).into());
        }
        if !commands.is_empty() {
            let [command_error, events_lost] = &shared;
            // Where each line has a reply, the reply has the error.
            if !events.iter().any(|event| text(event, "name").is_ok_and(|name| name == "reply")) {
                events.push(command_error.clone());
            }
            if LIVE.contains(&name.as_str()) {
                events.push(events_lost.clone());
            }
            _ = write!(page, ", of commands: [{name}.commands.json](schema/{name}.commands.json)");
            outputs.push(schema_file(
                &format!("{name}.commands"),
                title,
                &[(&commands, Some("command"))],
                &types,
            )?);
        }
        outputs.push(schema_file(&name, title, &[(&events, Some("event")), (&records, None)], &types)?);
        if name == "page" {
            let schemas = records.iter().map(|record| item_schema(record, None, &types));
            let schemas = schemas.collect::<Result<Vec<_>, _>>()?;
            outputs.push((typescript::PATH.into(), typescript::declarations(&schemas)?));
        }
        page += "\n";
        for (kind, items) in [("event", &events), ("record", &records), ("command", &commands)] {
            table(&mut page, kind, items)?;
        }
    }
    outputs.push(("docs/json.md".into(), page));
    Ok(outputs)
}

/// Returns the commands of another definition.
fn commands_of(root: &Path, name: &str) -> Result<Vec<toml::Table>, Error> {
    let path = root.join("definitions/json").join(name).with_extension("toml");
    let definition: toml::Table = fs::read_to_string(&path)?.parse()?;
    let commands = definition.get("command").and_then(toml::Value::as_array);
    Ok(commands.into_iter().flatten().filter_map(toml::Value::as_table).cloned().collect())
}

/// Inserts the fields of the record that a record names in `includes` before its own fields.
fn include_fields(records: &mut [toml::Table]) -> Result<(), Error> {
    let all = records.to_vec();
    for record in records {
        let Some(included) = record.get("includes") else { continue };
        let other = all.iter().find(|other| other.get("name") == Some(included));
        let other = other.ok_or_else(|| format!("no record {included:?}"))?;
        let joined: Vec<_> = fields(other).chain(fields(record)).map(toml::Value::from).collect();
        record.insert("fields".into(), joined.into());
    }
    Ok(())
}

fn schema_file(
    name: &str,
    title: &str,
    kinds: &[(&[toml::Table], Option<&str>)],
    types: &toml::Table,
) -> Result<(String, String), Error> {
    let mut schemas = Vec::new();
    for (items, tag) in kinds {
        for item in *items {
            schemas.push(item_schema(item, *tag, types).map_err(|error| format!("{name}: {error}"))?);
        }
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "anyOf": schemas,
    });
    Ok((format!("docs/schema/{name}.json"), serde_json::to_string_pretty(&schema)? + "\n"))
}

/// Appends a table of events, records or commands with their fields.
fn table(page: &mut String, kind: &str, items: &[toml::Table]) -> Result<(), Error> {
    if items.is_empty() {
        return Ok(());
    }
    _ = write!(page, "\n| {kind} | fields | |\n|---|---|---|\n");
    for item in items {
        let shown: Vec<_> = fields(item)
            .map(|field| match split_doc(field) {
                (definition, "") => format!("`{definition}`"),
                (definition, doc) => format!("`{definition}` {doc}"),
            })
            .collect();
        let row =
            format!("| `{}` | {} | {} |\n", text(item, "name")?, shown.join("<br>"), text(item, "doc")?);
        // A bar separates the words of a type, and also the cells of a table.
        let (start, cells) = row.split_at(2);
        let cells: Vec<_> =
            cells.split(" | ").map(|cell| cell.trim_end_matches(" |\n").replace('|', "\\|")).collect();
        _ = writeln!(page, "{start}{} |", cells.join(" | "));
    }
    Ok(())
}

/// Verbs that drop events instead of waiting for a slow reader of their output.
const LIVE: [&str; 4] = ["proxy", "replay", "replay-freeciv", "serve-riptide"];

const EVENTS_LOST: &str = r#"
name = "events_lost"
doc = "The reader of the output was too slow: events before this one are missing."
fields = ["count: uint"]
"#;

/// The event of every session that reports a failed command.
const COMMAND_ERROR: &str = r#"
name = "command_error"
doc = "A line of standard input was not executed. The session continues."
fields = ["line: text", "error: text"]
"#;

const PAGE_HEAD: &str = "\
<!-- Generated from definitions/json by `cargo xtask generate`. -->

# JSON in and out

With `--json`, `join`, `serve`, `info`, `demo` and `inspect` print one JSON object per line on standard output: events as they
happen, then a summary. `join` and `serve` also accept commands in JSON, one object per line on standard input. The
interface is stable: fields are added, but neither removed nor changed in meaning within a major version.

* An event has its name in `event` and the seconds since the start in `time`.
* A command has its name in `command`. A line that cannot be executed is answered by an event `command_error`, with
  Freeciv by its `reply`, and the session goes on. Lines that do not begin with `{` are read as text, as without `--json`.
* Text of a peer that is not UTF-8 has U+FFFD in place of the invalid bytes.
* The JSON in the section on the page is for the scripts of `--page` only, and can change in any version.

[chat_bot.py](scripts/chat_bot.py) is a whole chat bot for Teeworlds in 31 lines of Python.

In the tables, `NAME?` may be left out and `TYPE?` may be null. `uint` is an integer from 0, `hex` are bytes in
hexadecimal digits.
";
