//! Definitions of several files.
#![cfg(feature = "compiler")]

use std::fs;
use std::path::Path;

use gamewire_schema::emit::{Json, Markdown};
use gamewire_schema::ir::Topic;
use gamewire_schema::{Constants, ReadError, Sources, compile, constants_file};

const CITY: &str = "
//! Packets about cities.
PACKET_CITY_REMOVE = 30; sc, cancel(PACKET_UNIT_INFO)
  City city_id;
end";
const UNIT: &str = "
PACKET_UNIT_INFO = 60; sc
  uint16(int) id; key
  City home;
end
type City = uint16(int)";

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad/folder"))
}

fn sources(texts: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::default();
    texts.iter().for_each(|(name, text)| sources.add(*name, *text));
    sources
}

#[test]
fn aliases_and_cancels_work_across_files() {
    let protocol = sources(&[("city.def", CITY), ("unit.def", UNIT)]).compile(&Constants::default()).unwrap();
    let city = protocol.packet(30).unwrap();
    assert_eq!(city.cancels, [60]);
    assert_eq!(city.fields.first().unwrap().wire.to_string(), "uint16");
    assert_eq!(protocol.aliases.len(), 1);
}

#[test]
fn packets_and_topics_keep_file_names_and_documentation() {
    let protocol =
        sources(&[("defs/city.def", CITY), ("defs/unit.def", UNIT)]).compile(&Constants::default()).unwrap();
    let topics: Vec<&str> = protocol.packets.iter().map(|packet| packet.topic.as_str()).collect();
    assert_eq!(topics, ["city", "unit"]);
    let topic = |name: &str, doc: &str| Topic { name: name.into(), doc: doc.into() };
    assert_eq!(protocol.topics, [topic("city", "Packets about cities."), topic("unit", "")]);
    let json: serde_json::Value = serde_json::from_str(&Json(&protocol).to_string()).unwrap();
    assert_eq!(json["packets"][1]["topic"], "unit");
    assert_eq!(json["topics"][0]["doc"], "Packets about cities.");
    let reference = Markdown::new(&protocol).to_string();
    let position = |text: &str| reference.find(text).unwrap_or_else(|| panic!("no {text} in {reference}"));
    assert!(position("[City](#city)") < position("\n## City\n\nPackets about cities.\n"));
    assert!(position("\n### PACKET_CITY_REMOVE\n") < position("\n## Unit\n"));
    assert!(position("\n### PACKET_UNIT_INFO\n") < position("\n## By number\n"));
}

#[test]
fn one_file_has_no_topic() {
    let text = format!("{UNIT}{CITY}");
    let protocol = compile(&text, &Constants::default()).unwrap();
    assert!(protocol.topics.is_empty());
    assert!(protocol.packets.iter().all(|packet| packet.topic.is_empty()));
    assert_eq!(Sources::only("all.def", text).compile(&Constants::default()).unwrap(), protocol);
}

/// Each error must be in the right file, and duplicates must be found across files.
#[test]
fn diagnostics_point_into_the_right_file() {
    let mut files = Sources::default();
    for source in Sources::read(folder()).unwrap().list() {
        files.add(Path::new(&source.name).file_name().unwrap().to_str().unwrap(), source.text.as_str());
    }
    let errors = files.compile(&Constants::default()).unwrap_err();
    let rendered = errors.render_in(&files, false);
    let expected = fs::read_to_string(folder().with_extension("txt")).unwrap_or_default();
    assert!(rendered == expected, "bad/folder.txt should be:\n{rendered}");
    for error in errors.list() {
        let (source, span) = files.at(&error.span).unwrap();
        assert!(span.end <= source.text.len() + 1, "{error:?} in {}", source.name);
    }
}

#[test]
fn a_folder_is_read_in_the_order_of_its_names() {
    let sources = Sources::read(folder()).unwrap();
    let topics: Vec<&str> = sources.list().iter().map(|source| source.topic.as_str()).collect();
    assert_eq!(topics, ["city", "types", "unit"]);
    assert_eq!(constants_file(folder()), folder().join("constants.toml"));
    assert_eq!(constants_file(&folder().join("city.def")), folder().join("constants.toml"));
}

#[test]
fn paths_without_a_definition_are_errors() {
    let without = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
    assert!(matches!(Sources::read(without), Err(ReadError::NoFiles { .. })));
    assert!(matches!(Sources::read(&without.join("nothing.def")), Err(ReadError::Io { .. })));
}

#[test]
fn an_unfinished_packet_ends_with_its_file() {
    let open = "PACKET_A = 1; sc\n  uint8(int) x;";
    let errors = sources(&[("a.def", open), ("b.def", "end")]).compile(&Constants::default()).unwrap_err();
    let messages: Vec<&str> = errors.list().iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["this packet has no `end`", "this `end` closes no packet"]);
}
