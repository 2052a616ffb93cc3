//! Valid inputs for mutation: the content of the captures and the golden vectors.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of this")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test panics"
)]

use std::fs;

use gamewire::machine::{Follow, Record};
use gamewire::teeworlds::raw::snapshot::{Delta, Key, Sizes, Snapshot};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::Version;
use gamewire::teeworlds::raw::{v06, v07};
use gamewire::teeworlds::{Dialect, Follower};
use gamewire::wire::{Definition, Value, Writer};
use serde_json::Value as Json;

use super::support::{CAPTURES, Datagram, conversations, vectors};

/// A golden vector: its folder, such as `v06/game`, and the content of its file.
pub struct Vector {
    pub folder: String,
    pub name: String,
    pub json: Json,
}

impl Vector {
    /// Returns the bytes on the wire. Vectors of objects have [`Vector::ints`] instead.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let text = self.json["bytes"].as_str()?;
        Some(
            (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect(),
        )
    }

    /// Returns the integers of an object.
    pub fn ints(&self) -> Option<Vec<i32>> {
        serde_json::from_value(self.json["ints"].clone()).ok()
    }
}

/// Returns every golden vector in a folder of `groups`: `system`, `game`, `object` and so on.
pub fn golden(groups: &[&str]) -> Vec<Vector> {
    let mut found = Vec::new();
    for version in ["v06", "v07", "ddnet"] {
        for group in groups {
            let Ok(folder) = fs::read_dir(vectors().join(version).join(group)) else { continue };
            for path in folder.map(|entry| entry.unwrap().path()) {
                let json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                found.push(Vector { folder: format!("{version}/{group}"), name, json });
            }
        }
    }
    found.sort_by(|a, b| (&a.folder, &a.name).cmp(&(&b.folder, &b.name)));
    found
}

/// Returns inputs of [`targets::message`](super::targets::message): every system and game message among the vectors.
pub fn messages() -> Vec<(String, Vec<u8>)> {
    let flags = |folder: &str| match folder.split_once('/').unwrap().0 {
        "v07" => 1,
        "ddnet" => 2,
        _ => 0,
    };
    golden(&["system", "game"])
        .iter()
        .map(|vector| (vector.name.clone(), [vec![flags(&vector.folder)], vector.bytes().unwrap()].concat()))
        .collect()
}

/// Returns every datagram of the captures, with its dialect.
pub fn datagrams() -> Vec<(Dialect, Datagram)> {
    let mut found = Vec::new();
    for conversation in CAPTURES.into_iter().flat_map(conversations) {
        let mut follower = Follower::default();
        for datagram in conversation.datagrams {
            follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
            found.push((follower.dialect_kind().unwrap(), datagram));
        }
    }
    found
}

/// Returns the deltas of the captures' snapshots. The flag is true for 0.7.
pub fn deltas() -> Vec<(bool, Vec<u8>)> {
    let mut found = Vec::new();
    let mut record = Record::new();
    for conversation in CAPTURES.into_iter().flat_map(conversations) {
        let mut follower = Follower::default();
        for datagram in conversation.datagrams {
            record.clear();
            follower.follow(datagram.at, datagram.from, &datagram.data, &mut record);
            let is_07 = follower.dialect_kind() == Some(Dialect::V07);
            for single in record.nodes().filter(|node| node.name() == "snap_single") {
                let data = single.children().find(|field| field.name() == "data");
                if let Some(Value::Bytes(data)) = data.and_then(|data| data.value()) {
                    found.push((is_07, data.to_vec()));
                }
            }
        }
    }
    found
}

/// Returns a delta that creates a snapshot with every object among the vectors of `version`.
pub fn objects(version: &str) -> Vec<u8> {
    let (objects, sizes): (&[(i32, &Definition)], Sizes) = match version {
        "v06" => (v06::object::Object::DEFINITIONS, V06::SIZES),
        "v07" => (v07::object::Object::DEFINITIONS, V07::SIZES),
        _ => (&[], V06::SIZES),
    };
    let mut snapshot = Snapshot::new();
    for (vector, id) in
        golden(&["object"]).iter().filter(|vector| vector.folder.starts_with(version)).zip(0..)
    {
        let name = snake(vector.name.split('.').next().unwrap());
        let plain = objects.iter().find(|(_, known)| known.name == name).map_or(0x4000, |(kind, _)| *kind);
        let kind = u16::try_from(plain).unwrap();
        // Snapshots cannot contain the short forms of objects that have one size.
        let ints = vector.ints().unwrap();
        if sizes(kind).is_none_or(|size| size == ints.len()) {
            snapshot.insert(Key { kind, id }, &ints).unwrap();
        }
    }
    let mut delta = Delta::default();
    delta.build(&Snapshot::new(), &snapshot).unwrap();
    let mut buffer = vec![0; 16 * 1024];
    let mut to = Writer::new(&mut buffer);
    delta.write(sizes, &mut to).unwrap();
    to.written().to_vec()
}

fn snake(camel: &str) -> String {
    let mut snake = String::new();
    for c in camel.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}
