//! The JSON of the page against `docs/schema/page.json`, which is generated from `definitions/json/page.toml`.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};

use gamewire_page::traffic::SourceKind;
use gamewire_page::{Page, PageConfig, PageServer};
use serde_json::{Value, json};

use crate::http::{ask, connect, fill_with, json as get};
use crate::support::{FREECIV, RIPTIDE, TEEWORLDS_07, TEEWORLDS_LOSSY, TEEWORLDS_TKEN, vectors};

/// The schemas, and the members that were in a response.
struct Definition {
    schema: Value,
    seen: BTreeSet<String>,
}

impl Definition {
    fn read() -> Self {
        let text = std::fs::read_to_string(vectors().join("../docs/schema/page.json")).unwrap();
        Self { schema: serde_json::from_str(&text).unwrap(), seen: BTreeSet::new() }
    }

    fn records(&self) -> Vec<Value> {
        self.schema["anyOf"].as_array().unwrap().clone()
    }

    /// Checks that a response is a record.
    fn check(&mut self, name: &str, value: &Value) {
        let record = self.records().into_iter().find(|record| record["title"] == name).unwrap();
        self.check_value(name, &record, value);
    }

    fn check_value(&mut self, path: &str, schema: &Value, value: &Value) {
        if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
            assert_eq!(choices[1]["type"], "null", "{path}");
            if !value.is_null() {
                self.check_value(path, &choices[0], value);
            }
            return;
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return assert!(words.contains(value), "{path}: {value}");
        }
        let is_valid = match schema.get("type").and_then(Value::as_str) {
            // Any value.
            None => return assert_eq!(*schema, Value::Bool(true), "{path}"),
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("number") => value.is_number(),
            Some("integer") => value.is_i64() && (schema.get("minimum").is_none() || value.is_u64()),
            Some(other) => panic!("{path}: {other}"),
        };
        assert!(is_valid, "{path}: {value}");
        for (name, value) in value.as_object().into_iter().flatten() {
            let member = format!("{path}.{name}");
            let schema = schema.pointer(&format!("/properties/{name}"));
            self.check_value(&member, schema.unwrap_or_else(|| panic!("{member} is not defined")), value);
            self.seen.insert(member);
        }
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(value.get(required.as_str().unwrap()).is_some(), "{path} has no {required}");
        }
        for value in value.as_array().into_iter().flatten() {
            self.check_value(path, &schema["items"], value);
        }
    }

    /// Returns the members of a schema that every object has.
    fn required(path: &str, schema: &Value) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap();
            let member = format!("{path}.{name}");
            all.extend(Self::required(&member, &schema["properties"][name]));
            all.insert(member);
        }
        let inner = schema["anyOf"].as_array().into_iter().flatten().chain(schema.get("items"));
        all.extend(inner.flat_map(|schema| Self::required(path, schema)));
        all
    }
}

/// A fleet and a program as `gamewire proxy` describes them.
fn describe(page: &Page) {
    let conversation = json!({
        "number": 1, "name": null, "dialect": "tw-0.7", "state": "playing", "client": "127.0.0.1:5000",
        "is_over": false, "packets": 7, "round_trip_ms": 1.5,
    });
    let proxy = json!({
        "name": "one", "instance": "1a2b", "listen": "127.0.0.1:8303", "to": "127.0.0.1:8304", "page": null,
        "sequence": 1, "packets": 7, "bytes": 70, "errors": 0, "records_dropped": 0, "is_gone": false,
        "conversations": [conversation],
    });
    page.set_fleet(json!({"is_connected": true, "state": "connected", "proxies": [proxy]}));
    page.set_program_state(json!({"link": {"to_server": "off", "to_client": "off"}}));
}

#[test]
fn every_member_is_defined_and_every_defined_member_is_sent() {
    let (page, _commands) = Page::new(PageConfig::default());
    describe(&page);
    let server = PageServer::open(page.clone(), "127.0.0.1:0".parse().unwrap()).unwrap();
    let mut definition = Definition::read();
    for (source, name) in (1..).zip([RIPTIDE, FREECIV, TEEWORLDS_07, TEEWORLDS_LOSSY]) {
        fill_with(&page.add_source(name, SourceKind::Live), name);
        let of = |path: &str, more: &str| get(&server, &format!("GET /api/{path}?source={source}{more}"));
        let status = of("status", "");
        definition.check("status", &status);
        definition.check("totals", &status["totals"]);
        for (record, list) in [("conversation", "conversations"), ("source", "sources")] {
            status[list].as_array().unwrap().iter().for_each(|one| definition.check(record, one));
        }
        for only in ["", "warnings", "resent"] {
            let rows = of("packets", &format!("&limit=20&only={only}"));
            definition.check("rows_from", &rows);
            definition.check("rows_before", &of("packets", &format!("&before=20&only={only}")));
            for row in rows["rows"].as_array().unwrap() {
                definition.check("row", row);
                definition.check("packet", &of("packet", &format!("&number={}", row["number"])));
            }
        }
        definition.check("packets", &packets_event(&server, source));
        definition.check("news", &of("news", "&from=1&status=true"));
        definition.check("found", &of("find", "&text="));
        let has_samples = |history: &Value| history["samples"].as_array().is_some_and(|all| !all.is_empty());
        let mut histories = std::iter::repeat_with(|| of("history", ""));
        definition.check("history", &histories.find(has_samples).unwrap());
    }
    definition.check("map", &get(&server, "GET /api/map?source=2&conversation=1"));
    let rows = get(&server, "GET /api/packets?source=3&filter=teeworlds.snapshot&limit=100");
    for row in rows["rows"].as_array().unwrap() {
        let request = format!("GET /api/snapshot?source=3&number={}", row["number"]);
        definition.check("snapshot", &get(&server, &request));
    }
    page.add_source("with a map", SourceKind::Live);
    fill_with(&page.source(5).unwrap(), TEEWORLDS_TKEN);
    let rows = get(&server, "GET /api/packets?source=5&filter=teeworlds.snapshot&limit=1");
    let request = format!("GET /api/game_map?source=5&number={}", rows["rows"][0]["number"]);
    definition.check("game_map", &get(&server, &request));
    definition.check("about", &get(&server, "GET /api/about"));
    let (_, explained) = ask(&server, "POST /api/explain", br#"{"hex":"10 00 00 00"}"#);
    let explained: Value = serde_json::from_slice(&explained).unwrap();
    assert!(explained["ways"].is_array());
    definition.check("explained", &explained);
    for record in definition.records() {
        let required = Definition::required(record["title"].as_str().unwrap(), &record);
        let missing: Vec<_> = required.difference(&definition.seen).collect();
        assert!(missing.is_empty(), "defined, but never sent: {missing:?}");
    }
}

/// Returns the first event with packets of a source.
fn packets_event(server: &PageServer, source: u64) -> Value {
    let mut stream = connect(server);
    // HTTP/1.0 has no chunked encoding, so each event is a line.
    write!(stream, "GET /api/events?source={source}&from=1 HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    lines.find(|line| line == "event: packets").unwrap();
    let data = lines.next().unwrap();
    serde_json::from_str(data.trim_start_matches("data: ")).unwrap()
}
