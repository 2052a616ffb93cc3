//! The map of a Teeworlds server below the picture of a snapshot.

use std::fs::{self, File};
use std::ops::Range;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, Inspector};
use gamewire_inspect::protocol::Protocol;
use gamewire_machine::Record;
use gamewire_page::traffic::SourceKind;
use gamewire_page::{Page, PageConfig, PageServer};
use gamewire_wire::Value as Field;
use serde_json::Value;

use crate::http::{ask, fill_with, json};
use crate::support::{TEEWORLDS_07, TEEWORLDS_TKEN, vectors};

/// A session whose server sent its map.
const WITH_MAP: &str = "teeworlds/captures/tw-0.7-ddnet-20.pcap";

fn serve(capture: &str, config: PageConfig) -> PageServer {
    let (page, _commands) = Page::new(config);
    fill_with(&page.add_source("capture", SourceKind::File), capture);
    PageServer::open(page, "127.0.0.1:0".parse().unwrap()).unwrap()
}

/// Returns the snapshots of a capture, with the numbers of their packets.
fn snapshots(server: &PageServer, limit: usize) -> Vec<(u64, Value)> {
    let rows = json(server, &format!("GET /api/packets?filter=teeworlds.snapshot&limit={limit}"));
    let numbers = rows["rows"].as_array().unwrap().iter().map(|row| row["number"].as_u64().unwrap());
    numbers.map(|number| (number, json(server, &format!("GET /api/snapshot?number={number}")))).collect()
}

/// Returns the index of the tile at a position.
fn tile(map: &Value, x: f64, y: f64) -> u8 {
    let (column, row) = ((x / 32.0) as u64, (y / 32.0) as u64);
    let at = usize::try_from(2 * (row * map["width"].as_u64().unwrap() + column)).unwrap();
    let digits: Range<usize> = at..at + 2;
    u8::from_str_radix(&map["tiles"].as_str().unwrap()[digits], 16).unwrap()
}

/// Returns the tees of a snapshot: position and age.
fn tees(snapshot: &Value) -> Vec<(f64, f64, i64)> {
    let positions = snapshot["positions"].as_array().unwrap().iter();
    positions
        .filter(|item| item["item"] == "character")
        .map(|item| (item["x"].as_f64().unwrap(), item["y"].as_f64().unwrap(), item["age"].as_i64().unwrap()))
        .collect()
}

#[test]
fn a_map_that_the_server_sent_is_drawn() {
    for capture in [WITH_MAP, TEEWORLDS_TKEN] {
        let server = serve(capture, PageConfig::default());
        let snapshots = snapshots(&server, 1_000);
        assert!(snapshots.len() > 30);
        for (number, snapshot) in snapshots {
            assert_eq!(snapshot["map"]["is_known"], true, "{capture} {number}");
            let map = json(&server, &format!("GET /api/game_map?number={number}"));
            for (x, y, _) in tees(&snapshot) {
                assert!(![1, 3].contains(&tile(&map, x, y)), "{capture} {number}: {x} {y} is solid");
                assert!([1, 3].contains(&tile(&map, 0.0, 0.0)), "the border is solid");
            }
        }
    }
}

/// Returns the file of this size that the server of a capture sent to its first client.
fn sent_map(capture: &str, size: usize) -> Vec<u8> {
    let mut reader = Reader::new(File::open(vectors().join(capture)).unwrap()).unwrap();
    let mut inspector = Inspector::<Protocol>::new(ConversationLimits::default());
    let mut bytes = Vec::new();
    while let Some(frame) = reader.next() {
        let mut record = Record::new();
        inspector.frame(&frame.unwrap(), &mut record);
        for message in record.nodes().filter(|node| node.name() == "map_data") {
            let data = message.children().find(|field| field.name() == "data");
            if let Some(Field::Bytes(data)) = data.and_then(|data| data.value()) {
                bytes.extend_from_slice(data);
            }
        }
    }
    bytes.truncate(size);
    bytes
}

#[test]
fn a_map_that_the_client_had_is_found_in_a_folder_and_tees_are_where_they_are_at_the_tick() {
    let without = serve(TEEWORLDS_07, PageConfig::default());
    let (number, snapshot) = snapshots(&without, 1).remove(0);
    assert_eq!((&snapshot["map"]["name"], &snapshot["map"]["is_known"]), (&"dm1".into(), &false.into()));
    assert_eq!(ask(&without, &format!("GET /api/game_map?number={number}"), b"").0, 404);

    let folder = std::env::temp_dir().join(format!("gamewire-page-maps-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let config = || PageConfig { map_folders: vec![folder.clone()], ..PageConfig::default() };
    fs::write(folder.join("dm1.map"), b"another map of this name").unwrap();
    let other = snapshots(&serve(TEEWORLDS_07, config()), 1).remove(0).1;
    assert_eq!(other["map"]["is_known"], false, "its checksum differs");

    // It is the same map, under another name.
    fs::write(folder.join("dm1.map"), sent_map(WITH_MAP, 6_793)).unwrap();
    let server = serve(TEEWORLDS_07, config());
    let snapshots = snapshots(&server, 1_000);
    let map = json(&server, &format!("GET /api/game_map?number={}", snapshots[0].0));
    let (mut moved, mut sent) = (0, 0);
    for (number, snapshot) in &snapshots {
        assert_eq!(snapshot["map"]["is_known"], true);
        for (x, y, age) in tees(snapshot) {
            assert!(![1, 3].contains(&tile(&map, x, y)), "{number}: {x} {y} is solid");
            if age > 0 { moved += 1 } else { sent += 1 }
        }
    }
    assert!(moved > 100 && sent > 10, "{moved} computed, {sent} as sent");
    fs::remove_dir_all(folder).unwrap();
}
