use super::table::{DIALECTS, MAP, Table, asking, map_change, map_id};
use crate::Dialect;
use crate::client::{ClientConfig, CommandError, Event, MapRefusal};
use crate::model::message::{MapChunkInfo, MapId, ServerMessage};
use crate::shared::pack::Text;

/// Returns the server's message with chunk `number` of the map.
fn piece(dialect: Dialect, number: usize) -> ServerMessage<'static> {
    let data = MAP.chunks(10).nth(number).unwrap();
    let place = MapChunkInfo {
        is_last: number == 2,
        crc: crc32fast::hash(MAP),
        piece: i32::try_from(number).unwrap(),
    };
    ServerMessage::MapData { info: (dialect != Dialect::V07).then_some(place), data }
}

/// Returns a client that downloads the map.
fn downloading(dialect: Dialect) -> Table {
    let mut table = Table::connected(asking(dialect));
    table.say(&map_change(dialect));
    assert_eq!(table.client.state(), "map needed");
    table.client.download_map().unwrap();
    table.settle();
    assert_eq!((table.said().join(" "), table.client.state()), ("RequestMapData".into(), "downloading"));
    table.events();
    table
}

#[test]
fn a_map_is_downloaded_and_checked_and_the_login_goes_on() {
    for dialect in DIALECTS {
        let mut table = downloading(dialect);
        let mut asked = 0;
        for number in 0..3 {
            table.say(&piece(dialect, number));
            asked += table.said().iter().filter(|word| *word == "RequestMapData").count();
        }
        // The first request was sent before. In 0.6 the client requests each of three chunks, in 0.7 two at a time.
        assert_eq!(asked, if dialect == Dialect::V07 { 1 } else { 2 }, "{dialect:?}");
        assert_eq!(table.client.state(), "readying");
        assert_eq!(
            table.events(),
            [Event::MapProgress { received: 30, size: 30 }, Event::MapLoaded { bytes: Some(MAP.to_vec()) }]
        );
    }
}

#[test]
fn a_map_that_the_application_has_is_not_requested() {
    let mut table = Table::connected(asking(Dialect::Tken));
    table.say(&map_change(Dialect::Tken));
    table.client.map_ready().unwrap();
    assert_eq!(table.client.map_ready(), Err(CommandError::NoMapNeeded));
    assert_eq!(table.client.download_map(), Err(CommandError::NoMapNeeded));
    table.settle();
    assert_eq!(table.said(), ["Ready"]);
}

#[test]
fn ddnet_sends_map_details_before_the_map_change() {
    let mut table = Table::connected(asking(Dialect::Tken));
    let map = MapId { sha256: Some([7; 32]), ..map_id(Dialect::Tken) };
    table.say(&ServerMessage::MapDetails { map, url: Some(Text::new("https://example.org/dm1")) });
    table.say(&map_change(Dialect::Tken));
    let events = table.events();
    let Some(Event::MapNeeded(needed)) = events.last() else { panic!("{events:?}") };
    assert_eq!(needed.sha256, Some([7; 32]));
    assert_eq!(needed.url.as_ref().unwrap(), "https://example.org/dm1");
    // The client uses the announced SHA-256. The map has another one.
    table.client.download_map().unwrap();
    for number in 0..3 {
        table.say(&piece(Dialect::Tken, number));
    }
    assert!(table.events().contains(&Event::MapRefused(MapRefusal::Sha256)));
}

#[test]
fn details_of_another_map_are_ignored() {
    let mut table = Table::connected(asking(Dialect::Tken));
    let map = MapId { sha256: Some([7; 32]), name: Text::new("dm2"), ..map_id(Dialect::Tken) };
    table.say(&ServerMessage::MapDetails { map, url: None });
    table.say(&map_change(Dialect::Tken));
    let events = table.events();
    let Some(Event::MapNeeded(needed)) = events.last() else { panic!("{events:?}") };
    assert_eq!(needed.sha256, None);
}

#[test]
fn t11_a_map_that_is_too_large_is_rejected_and_not_required() {
    let config = ClientConfig { max_map_bytes: 29, ..asking(Dialect::V07) };
    let mut table = Table::connected(config);
    table.say(&map_change(Dialect::V07));
    table.events();
    table.client.download_map().unwrap();
    assert_eq!(table.events(), [Event::MapRefused(MapRefusal::TooLarge { size: 30, limit: 29 })]);
    assert_eq!(table.client.state(), "map refused");
    assert_eq!(table.client.download_map(), Err(CommandError::NoMapNeeded));
    table.client.map_ready().unwrap();
    assert_eq!(table.client.state(), "readying");
}

#[test]
fn t11_chunks_of_another_map_are_counted_and_dropped() {
    let mut table = downloading(Dialect::V06);
    for (crc, number) in [(1, 0), (crc32fast::hash(MAP), -1), (crc32fast::hash(MAP), i32::MAX)] {
        let place = MapChunkInfo { is_last: false, crc, piece: number };
        table.say(&ServerMessage::MapData { info: Some(place), data: b"0123456789" });
    }
    assert_eq!((table.events(), table.client.state()), (Vec::new(), "downloading"));
    assert_eq!(table.client.stats().stray_map_chunks, 3);
    for number in 0..3 {
        table.say(&piece(Dialect::V06, number));
    }
    assert_eq!(table.client.state(), "readying");
}

#[test]
fn t11_a_chunk_of_the_wrong_size_ends_the_download_once() {
    let mut table = downloading(Dialect::V07);
    for data in [&b"012345678"[..], b"0123456789", b""] {
        table.say(&ServerMessage::MapData { info: None, data });
    }
    assert_eq!(table.events(), [Event::MapRefused(MapRefusal::PieceSize { size: 9, room: 30 })]);
    assert_eq!(table.client.stats().stray_map_chunks, 2);
}

#[test]
fn t11_unrequested_chunks_use_no_memory() {
    let mut table = Table::connected(asking(Dialect::V06));
    table.say(&map_change(Dialect::V06));
    for _ in 0..1000 {
        table.say(&piece(Dialect::V06, 0));
    }
    assert_eq!((table.client.state(), table.client.stats().stray_map_chunks), ("map needed", 1000));
}

#[test]
fn t11_a_map_change_replaces_a_download() {
    let mut table = downloading(Dialect::Tken);
    table.say(&piece(Dialect::Tken, 0));
    table.say(&map_change(Dialect::Tken));
    assert_eq!(table.client.state(), "map needed");
    table.say(&piece(Dialect::Tken, 1));
    assert_eq!(table.client.stats().stray_map_chunks, 1);
}
