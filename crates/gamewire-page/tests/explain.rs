//! Golden vectors as pasted bytes: the page guesses the right dialect, or asks the user for it.

use std::fs;

use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::Role;
use gamewire_page::explain::{
    Candidate, Content, Explanations, candidates, explain, parse_hex, payload_of_frame,
};
use serde_json::Value;

use crate::support::vectors;

/// Returns the names and bytes of the vectors in a folder.
fn golden(folder: &str) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(vectors().join(folder)).unwrap();
    let mut found: Vec<_> = files
        .filter_map(|file| {
            let path = file.unwrap().path();
            let vector: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            Some((path.display().to_string(), parse_hex(vector["bytes"].as_str()?).unwrap()))
        })
        .collect();
    found.sort();
    found
}

/// Checks that the page guesses the dialect, or asks for it and lists the right one without an error.
fn is_found(bytes: &[u8], dialects: &[&str], content: Content, name: &str) -> bool {
    let Explanations { found, is_certain } = explain(bytes, &ProtocolConfig::default());
    let is_right = |candidate: &Candidate| {
        dialects.contains(&candidate.dialect.as_str()) && candidate.content == content
    };
    let best = &found[0];
    let right = found.iter().find(|explained| is_right(&explained.candidate)).unwrap();
    assert_eq!(right.record.errors(), 0, "{name}");
    assert!(!is_certain || is_right(&best.candidate), "{name} is read as {}", best.candidate.id());
    is_certain
}

#[test]
fn browsing_packets_are_guessed() {
    for (folder, dialect, header) in [
        ("teeworlds/v06/connless", "tw-0.6", vec![0xff; 6]),
        ("teeworlds/v07/connless", "tw-0.7", vec![0x21, 1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        let vectors = golden(folder);
        assert!(vectors.len() >= 16);
        for (name, bytes) in vectors {
            let packet = [header.as_slice(), &bytes].concat();
            let is_certain = is_found(&packet, &[dialect], Content::Datagram, &name);
            // The page may ask about packets of 0.6 outside of a connection.
            assert!(is_certain || dialect == "tw-0.6", "{name}");
        }
    }
}

#[test]
fn messages_alone_are_among_the_ways() {
    let mut count = 0;
    for (folder, dialect) in [
        ("teeworlds/v06/system", "tw-0.6"),
        ("teeworlds/v06/game", "tw-0.6"),
        ("teeworlds/v07/system", "tw-0.7"),
        ("teeworlds/v07/game", "tw-0.7"),
    ] {
        for (name, bytes) in golden(folder) {
            let way = candidates(&ProtocolConfig::default())
                .into_iter()
                .find(|way| way.dialect == dialect && way.content == Content::Message);
            let explained = way.unwrap().explain(&bytes, &ProtocolConfig::default()).unwrap();
            assert_eq!(explained.record.errors(), 0, "{name}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn riptide_packets_are_guessed_or_asked_for() {
    let file = fs::read_to_string(vectors().join("riptide/vectors.jsonl")).unwrap();
    let mut count = 0;
    for line in file.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        if vector["transport"] != "udp" {
            continue;
        }
        let version = vector["version"].as_str().unwrap();
        let dialect = if version.starts_with("2.0") { "riptide-2.0" } else { "riptide-2.1" };
        let bytes = parse_hex(vector["hex"].as_str().unwrap()).unwrap();
        is_found(&bytes, &[dialect], Content::Datagram, line);
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_packet_of_a_freeciv_game_is_read_without_its_join() {
    let bytes = parse_hex("0011 000f 6f00 000001c4 0004 01 ff ff 08 80").unwrap();
    let Explanations { found, .. } = explain(&bytes, &ProtocolConfig::default());
    let freeciv =
        found.iter().find(|explained| explained.candidate.id() == "freeciv-3.0 stream server").unwrap();
    assert_eq!(freeciv.record.errors(), 0);
    let tile = freeciv.record.nodes().find(|node| node.name() == "tile").unwrap();
    assert_eq!(tile.value(), Some(gamewire_wire::Value::Int(452)));
    let stream = fs::read(vectors().join("freeciv/streams/reject.bin")).unwrap();
    let Explanations { found, .. } = explain(&stream, &ProtocolConfig::default());
    assert!(
        found[0].candidate.dialect.starts_with("freeciv") && found[0].candidate.sender == Some(Role::Server)
    );
    assert_eq!(found[0].record.errors(), 0);
}

#[test]
fn a_packet_without_a_message_comes_before_what_fits_any_bytes() {
    for (bytes, dialect) in [
        // Empty resends of 0.7, of 0.6 with DDNet's token and of 0.6.
        ("08 00 00 11 22 33 44", "tw-0.7"),
        ("40 05 00 11 22 33 44", "tw-0.6-tken"),
        ("40 05 00", "tw-0.6"),
    ] {
        let Explanations { found, is_certain } =
            explain(&parse_hex(bytes).unwrap(), &ProtocolConfig::default());
        let ways: Vec<_> = found.iter().map(|explained| explained.candidate.id()).collect();
        assert!(!is_certain && ways[0].starts_with(dialect), "{bytes}: {ways:?}");
        let ranks: Vec<_> =
            found.iter().map(|explained| (explained.record.errors(), explained.record.warnings())).collect();
        assert!(ranks.is_sorted(), "{bytes}: {ways:?} {ranks:?}");
    }
}

#[test]
fn headers_before_a_datagram_are_removed() {
    let (payload, ip) = ("10000004546865207365727665720000", "4500002c000000004011000a7f0000017f000001");
    let udp = format!("9c40207f00180000{payload}");
    for frame in [
        format!("000000000000000000000000 0800 {ip} {udp}"),
        format!("000000000000000000000000 0800 {ip} {udp} 0000"),
        format!("02000000 {ip} {udp}"),
        format!("{ip} {udp}"),
    ] {
        let bytes = parse_hex(&frame).unwrap();
        assert_eq!(payload_of_frame(&bytes), parse_hex(payload).ok(), "{frame}");
    }
    for other in [payload.to_owned(), format!("{ip} {udp} 00"), ip.to_owned(), udp.clone()] {
        assert_eq!(payload_of_frame(&parse_hex(&other).unwrap()), None, "{other}");
    }
}

#[test]
fn bytes_of_nothing_are_never_certain() {
    for bytes in [vec![0xee; 40], vec![0], vec![0xff; 3], b"GET / HTTP/1.1\r\n".to_vec(), vec![0x5a; 4_000]] {
        let Explanations { found, is_certain } = explain(&bytes, &ProtocolConfig::default());
        assert!(!is_certain, "{bytes:?} is read as {}", found[0].candidate.id());
    }
}
