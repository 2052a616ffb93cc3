//! Requests to a page.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_page::traffic::{Selection, SourceKind, read_capture};
use gamewire_page::{CommandKind, Page, PageConfig, PageServer, Source};
use serde_json::Value;

use crate::support::{RIPTIDE, TEEWORLDS_07, vectors};

/// Maximum time to wait. It only ends a test that hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// Serves a page with a capture.
fn serve() -> (Page, PageServer, std::sync::mpsc::Receiver<gamewire_page::Command>) {
    let (page, commands) =
        Page::new(PageConfig { commands: vec![CommandKind::Link], ..PageConfig::default() });
    let source = page.add_source("capture", SourceKind::File);
    fill(&source);
    let server = PageServer::open(page.clone(), "127.0.0.1:0".parse().unwrap()).unwrap();
    (page, server, commands)
}

fn fill(source: &Source) {
    fill_with(source, RIPTIDE);
}

pub(crate) fn fill_with(source: &Source, name: &str) {
    let file = std::fs::File::open(vectors().join(name)).unwrap();
    read_capture(source, file, ProtocolConfig::default(), &Selection::default(), u64::MAX).unwrap();
}

pub(crate) fn connect(server: &PageServer) -> TcpStream {
    let stream = TcpStream::connect(server.local_addr()).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream
}

/// Sends a request. Returns the status and the body of the response.
pub(crate) fn ask(server: &PageServer, request: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let mut stream = connect(server);
    let length = body.len();
    let head = format!("{request} HTTP/1.0\r\nHost: localhost\r\nContent-Length: {length}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(b"Content-Type: application/json\r\n\r\n").unwrap();
    // Ignored, because the server does not read the rest of a body that is too large.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(answer.len() - 4);
    let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).parse().unwrap_or(0);
    (status, answer.split_off(end + 4))
}

pub(crate) fn json(server: &PageServer, request: &str) -> Value {
    let (status, body) = ask(server, request, b"");
    assert_eq!(status, 200, "{request}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap()
}

#[test]
fn rows_come_in_pages_of_what_is_selected() {
    let (_page, server, _) = serve();
    let first = json(&server, "GET /api/packets?limit=10");
    assert_eq!(first["rows"].as_array().unwrap().len(), 10);
    assert_eq!((&first["next"], &first["is_end"]), (&Value::from(11), &Value::from(false)));
    let rest = json(&server, "GET /api/packets?from=11&limit=1000");
    assert_eq!((rest["rows"].as_array().unwrap().len(), &rest["is_end"]), (64, &Value::from(true)));
    let before = json(&server, "GET /api/packets?before=11&limit=3");
    assert_eq!(before["rows"][0]["number"], 8);
    let acks = json(&server, "GET /api/packets?filter=riptide.ack&conversation=1&limit=1000");
    assert!(
        acks["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["summary"].as_str().unwrap().starts_with("ack"))
    );
    for (request, status) in [
        ("GET /api/packets?filter=riptide.nothing", 400),
        ("GET /api/packets?only=what", 400),
        ("GET /api/packets?source=99", 404),
        ("GET /api/packet?number=99999", 404),
        ("GET /api/packet", 400),
        ("GET /api/snapshot?number=1", 404),
        ("GET /api/map?conversation=1", 404),
        ("GET /api/nothing", 404),
        ("GET /assets/..%2fCargo.toml", 404),
        ("POST /api/packets", 405),
        ("GET /api/download?format=exe", 400),
    ] {
        let (found, body) = ask(&server, request, b"");
        assert_eq!(found, status, "{request}: {}", String::from_utf8_lossy(&body));
    }
}

#[test]
fn a_snapshot_is_whole_after_the_packets_that_it_builds_on_are_gone() {
    let (page, _commands) = Page::new(PageConfig { live_bytes: 1 << 20, ..PageConfig::default() });
    let server = PageServer::open(page.clone(), "127.0.0.1:0".parse().unwrap()).unwrap();
    fill_with(&page.add_source("whole", SourceKind::File), TEEWORLDS_07);
    fill_with(&page.add_source("latest", SourceKind::Live), TEEWORLDS_07);
    let rows = json(&server, "GET /api/packets?source=2&filter=teeworlds.snapshot&before=999999&limit=50");
    let rows = rows["rows"].as_array().unwrap();
    assert!(rows.len() > 5 && rows[0]["number"].as_u64().unwrap() > 1_000);
    for row in rows {
        let of =
            |source| json(&server, &format!("GET /api/snapshot?source={source}&number={}", row["number"]));
        let (whole, latest) = (of(1), of(2));
        assert_eq!(latest["is_complete"], true);
        assert_eq!(whole, latest);
        assert!(whole["positions"].as_array().is_some_and(|positions| !positions.is_empty()));
    }
}

#[test]
fn a_download_is_a_capture_with_the_same_datagrams() {
    let (_page, server, _) = serve();
    let (status, body) = ask(&server, "GET /api/download?format=pcapng", b"");
    assert_eq!(status, 200);
    let mut reader = Reader::new(body.as_slice()).unwrap();
    let mut count = 0;
    while let Some(frame) = reader.next() {
        frame.unwrap();
        count += 1;
    }
    assert_eq!(count, 74);
    let (_, lines) = ask(&server, "GET /api/download?format=ndjson&filter=riptide.connect", b"");
    assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), 3);
}

#[test]
fn a_text_is_searched_for_in_all_rows_and_in_both_directions() {
    let (page, server, _) = serve();
    fill_with(&page.add_source("many", SourceKind::File), TEEWORLDS_07);
    let find = |query: &str| json(&server, &format!("GET /api/find?source=2&{query}"));
    let first = find("text=INPUT_TIMING&from=1")["number"].as_u64().unwrap();
    let second = find(&format!("text=input_timing&from={}", first + 1))["number"].as_u64().unwrap();
    assert!(first > 1 && second > first);
    assert_eq!(find(&format!("text=input_timing&before={second}"))["number"], first);
    assert_eq!(find(&format!("text=input_timing&before={first}"))["is_end"], true);
    let (mut next, mut requests) = (1, 0);
    let end = loop {
        let found = find(&format!("text=no%20such%20text&from={next}"));
        assert!(found["number"].is_null());
        (next, requests) = (found["next"].as_u64().unwrap(), requests + 1);
        if found["is_end"] == true {
            break next;
        }
    };
    assert_eq!(end, json(&server, "GET /api/status?source=2")["sources"][1]["next"]);
    assert!(requests > 1, "a request does not search all of it");
    assert!(find("text=start_info&filter=teeworlds.snap")["number"].is_null(), "only what is selected");
}

#[test]
fn events_can_be_read_as_text() {
    let (page, server, _) = serve();
    let live = page.add_source("live", SourceKind::Live);
    let mut stream = connect(&server);
    write!(stream, "GET /api/events?source={}&from=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", live.number())
        .unwrap();
    let mut seen = String::new();
    let mut buffer = [0; 4_096];
    let mut read = |part: &str| {
        while !seen.contains(part) {
            let count = stream.read(&mut buffer).unwrap();
            assert!(count > 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    };
    read("event: status");
    fill(&live);
    read("event: packets");
    read(r#""number":74"#);
}

#[test]
fn g4_readers_of_events_leave_places_for_requests() {
    let (_page, server, _) = serve();
    let mut streams = Vec::new();
    let refused = loop {
        let mut stream = connect(&server);
        stream.write_all(b"GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        if !status.ends_with(b"200") {
            break status;
        }
        streams.push(stream);
    };
    assert_eq!((&refused[9..], streams.len()), (&b"503"[..], 48));
    assert_eq!(json(&server, "GET /api/status")["source"], 1);
}

#[test]
fn every_packet_is_a_row_or_counted() {
    let (page, _commands) =
        Page::new(PageConfig { live_bytes: 1 << 18, file_bytes: 1 << 18, ..PageConfig::default() });
    let server = PageServer::open(page.clone(), "127.0.0.1:0".parse().unwrap()).unwrap();
    let live = page.add_source("live", SourceKind::Live);
    let mut stream = connect(&server);
    // HTTP/1.0 has no chunked encoding, so each event is a line.
    write!(stream, "GET /api/events?source=1&from=1 HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    lines.find(|line| line == "event: status").unwrap();
    fill_with(&live, TEEWORLDS_07);
    fill_with(&page.add_source("file", SourceKind::File), TEEWORLDS_07);
    for source in [1, 2] {
        let status = json(&server, &format!("GET /api/status?source={source}"));
        let number = |value: &Value| value.as_u64().unwrap();
        let (totals, source) = (&status["totals"], &status["sources"][source - 1]);
        let kept = number(&source["next"]) - number(&source["first"]);
        assert!(kept > 100 && number(&source["dropped"]) > 0, "{source}");
        let all = number(&totals["packets"]) + number(&totals["lost"]);
        assert_eq!(all, kept + number(&source["dropped"]) + number(&totals["unlisted"]));
    }
    let end = json(&server, "GET /api/status?source=1")["sources"][0]["next"].as_u64().unwrap();
    let (mut rows, mut others) = (0, 0);
    while rows + others + 1 < end {
        lines.find(|line| line == "event: packets").unwrap();
        let event: Value = serde_json::from_str(lines.next().unwrap().trim_start_matches("data: ")).unwrap();
        rows += event["rows"].as_array().unwrap().len() as u64;
        others += event["skipped"].as_u64().unwrap() + event["unseen"].as_u64().unwrap();
        assert_eq!(rows + others + 1, event["next"].as_u64().unwrap());
    }
    assert!(rows > 0 && others > 0, "{rows} rows, {others} others");
}

#[test]
fn p1_bodies_are_bounded_and_garbage_is_refused() {
    let (page, server, _) = serve();
    assert_eq!(ask(&server, "POST /api/explain", br#"{"hex":"10 00 00 00"}"#).0, 200);
    for (request, body, status) in [
        ("POST /api/explain", &b"{"[..], 400),
        ("POST /api/explain", br#"{"hex":"zz"}"#, 400),
        ("POST /api/explain", br#"{"hex":"00","way":"what"}"#, 400),
        ("POST /api/open?name=x", b"no capture", 400),
        ("POST /api/command", b"stop", 400),
        ("POST /api/command", b"link both off\nstop", 400),
    ] {
        assert_eq!(ask(&server, request, body).0, status, "{request} {}", String::from_utf8_lossy(body));
    }
    let large = vec![b'0'; 2 << 20];
    let (status, _) = ask(&server, "POST /api/explain", &large);
    // The response is lost if the system resets the connection because of unread data.
    assert!(matches!(status, 413 | 0), "{status}");
    assert_eq!(page.sources().len(), 1, "what is no capture is no source");
    let capture = std::fs::read(vectors().join(RIPTIDE)).unwrap();
    for opened in 2..8 {
        assert_eq!(ask(&server, "POST /api/open?name=again", &capture).0, 200);
        assert!(page.sources().len() <= 4, "{opened}");
    }
}

#[test]
fn a_command_reaches_the_program_and_its_answer_the_page() {
    let (_page, server, commands) = serve();
    let program = std::thread::spawn(move || {
        for answer in [Ok(()), Err("no such direction".to_owned())] {
            let command = commands.recv_timeout(LIMIT).unwrap();
            assert_eq!(command.line, "link both off");
            command.answer.send(answer).unwrap();
        }
        commands
    });
    assert_eq!(ask(&server, "POST /api/command", b"link both off").0, 200);
    let (status, body) = ask(&server, "POST /api/command", b"link both off");
    assert_eq!((status, String::from_utf8_lossy(&body).contains("no such direction")), (400, true));
    drop(program.join().unwrap());
    assert_eq!(ask(&server, "POST /api/command", b"link both off").0, 503, "the program is gone");
}

#[test]
fn the_port_is_free_when_the_server_is_dropped_during_a_request() {
    let (page, server, _) = serve();
    let local = server.local_addr();
    let mut stream = connect(&server);
    stream.write_all(b"GET /api/ev").unwrap();
    assert!(PageServer::open(page.clone(), local).is_err(), "it is in use");
    drop(server);
    PageServer::open(page, local).unwrap();
}
