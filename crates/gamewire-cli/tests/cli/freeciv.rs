//! Freeciv: the recorded streams and the capture, a stream from a pipe, and the files that reproduce an
//! error.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{from_frame, inspect, text};

fn stream(name: &str) -> Vec<u8> {
    fs::read(format!("../../vectors/freeciv/streams/{name}.bin")).unwrap()
}

fn inspect_stream(bytes: &[u8], args: &[&str]) -> Output {
    inspect(bytes, &[&["--stream"], args].concat())
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn every_packet_of_the_recorded_streams_is_decoded() {
    for (name, args, said_in_the_end) in [
        ("join", &[][..], "3022 packets from the server, 3 chunks in 201522 bytes"),
        ("game", &[], "4004 packets from the server, 15 chunks in 215378 bytes"),
        ("join-level0", &[], "3022 packets from the server, 0 chunks in 536863 bytes"),
        ("join-nocaps", &["--capabilities", ""], "3022 packets from the server, 3 chunks in 201486 bytes"),
        ("reject", &[], "3 packets from the server, 1 chunk in 166 bytes"),
    ] {
        let output = inspect_stream(&stream(name), args);
        assert_eq!(said(&output), format!("{said_in_the_end}: 0 errors, 0 warnings\n"), "{name}");
        assert_eq!(output.status.code(), Some(0), "{name}");
    }
}

#[test]
fn json_is_one_object_per_packet() {
    let output = inspect_stream(&stream("join"), &["--json", "-q"]);
    let lines: Vec<serde_json::Value> =
        text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3022);
    for (line, number) in lines.iter().zip(1_u64..) {
        assert_eq!(line["packet"], number);
        assert_eq!(line["messages"].as_array().unwrap().len(), 1, "{line}");
    }
}

#[test]
fn a_truncated_stream_is_reported_as_damaged() {
    let whole = stream("join-level0");
    let output = inspect_stream(&whole[..1000], &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).ends_with(" are an incomplete packet\n"), "{}", said(&output));
}

#[test]
fn every_run_of_the_capture_is_decoded_and_a_late_start_is_reported() {
    let capture = fs::read("../../vectors/freeciv/captures/game.pcap").unwrap();
    let output = inspect(&capture, &["-z", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let totals: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
    let talk = &totals["conversations"][0];
    assert_eq!(
        (&talk["dialect"], &talk["errors"], &talk["warnings"]),
        (&"freeciv-3.0".into(), &0.into(), &0.into())
    );
    assert_eq!(talk["counters"]["client_packets"], 7);
    assert_eq!(talk["counters"]["server_packets"], 5161);
    assert_eq!(talk["counters"].get("server_bytes_not_decoded"), None);

    let late = from_frame(&capture, 400, usize::MAX);
    let output = inspect(&late, &["-z", "--json"]);
    let totals: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(totals["warnings"], serde_json::json!([{"name": "late_start", "count": 1}]));
    assert_eq!(totals["messages"], serde_json::json!([]));
    assert!(totals["conversations"][0]["counters"]["server_bytes_not_decoded"].as_u64() > Some(1000));
}

#[test]
fn dumped_errors_can_be_reproduced() {
    let folder = std::env::temp_dir().join(format!("gamewire-dump-{}", std::process::id()));
    let dump = folder.to_str().unwrap();
    let output = inspect_stream(&stream("join-nocaps"), &["--dump-errors", dump, "-Y", "error"]);
    assert_eq!(output.status.code(), Some(3));
    let error = "PACKET_GAME_INFO.fragment_count (bit 111): expected a uint16 at byte 534";
    assert!(text(&output).contains(error), "{}", text(&output));
    let written = fs::read_to_string(folder.join("desync-3011-server.txt")).unwrap();
    assert!(written.starts_with(error) && written.contains("\nfield_before         year16\n"), "{written}");
    let again = again(&folder.join("desync-3011-server.bin"));
    assert!(text(&again).contains(error), "{}", text(&again));
    fs::remove_dir_all(folder).unwrap();
}

fn again(stream: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.args(["inspect", "--stream", "--sender", "server"]).arg(stream).output().unwrap()
}
