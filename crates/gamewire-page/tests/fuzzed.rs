//! Runs the corpora of the fuzz targets `explain` and `http_request`, and mutations of them.

use std::fs;

use serde_json::Value;

use crate::corpus::{Input, corpus, run_mutants};
use crate::support::targets::{explain, http_request};
use crate::support::vectors;

/// Returns some golden vectors as pasted text, in all forms, and some as bytes.
fn pasted() -> Vec<Input> {
    let riptide = fs::read_to_string(vectors().join("riptide/vectors.jsonl")).unwrap();
    let riptide = riptide.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut hexes: Vec<_> = riptide.map(|vector| vector["hex"].as_str().unwrap().to_owned()).collect();
    for folder in ["v06/connless", "v07/connless", "v06/game", "v07/system"] {
        let files = fs::read_dir(vectors().join("teeworlds").join(folder)).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        let texts = files.into_iter().step_by(6).map(|file| fs::read_to_string(file).unwrap());
        hexes.extend(texts.filter_map(|text| {
            let vector: Value = serde_json::from_str(&text).unwrap();
            let header = if folder == "v06/connless" { "ffffffffffff" } else { "" };
            Some(format!("{header}{}", vector["bytes"].as_str()?))
        }));
    }
    hexes.push("0011000f6f00000001c4000401ffff0880".into());
    let mut found = Vec::new();
    for (at, hex) in hexes.into_iter().filter(|hex| hex.len() < 120).step_by(12).enumerate() {
        let bytes: Vec<_> = hex.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair)).collect();
        let text = match at % 5 {
            0 => hex.clone(),
            1 => bytes.join(" "),
            2 => format!("[0x{}]", bytes.join(", 0x")),
            3 => format!("0000  {}  ....", bytes.get(..16).unwrap_or(&bytes).join(" ")),
            _ => {
                let bytes = bytes.iter().map(|byte| u8::from_str_radix(byte, 16).unwrap());
                found.push((format!("bytes-{at}"), [1].into_iter().chain(bytes).collect()));
                continue;
            }
        };
        found.push((format!("text-{at}"), [&[0], text.as_bytes()].concat()));
    }
    found
}

fn requests() -> Vec<Input> {
    let get =
        |path: &str, headers: &str| format!("GET {path} HTTP/1.1\r\nHost: localhost:8642{headers}\r\n\r\n");
    let post = |path: &str, body: &str| {
        let headers = "Host: 127.0.0.1:8642\r\nContent-Type: application/json";
        format!("POST {path} HTTP/1.1\r\n{headers}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    };
    let remote =
        |path: &str, headers: &str| format!("GET {path} HTTP/1.1\r\nHost: 10.0.0.7:8642{headers}\r\n\r\n");
    let texts = [
        get("/", ""),
        get("/assets/app.js", "\r\nOrigin: http://localhost:8642"),
        get("/assets/..%2fCargo.toml", ""),
        get("/api/about", "\r\nSec-Fetch-Site: same-origin"),
        get("/api/events?source=1&from=1", ""),
        get("/api/status?source=1", ""),
        get("/api/packets?from=11&limit=1000", ""),
        get("/api/packets?before=11&limit=3&conversation=1", ""),
        get("/api/packets?filter=riptide.ack&only=resent", ""),
        get("/api/packets?filter=riptide.nothing", ""),
        get("/api/packet?number=7", ""),
        get("/api/packet", ""),
        get("/api/snapshot?number=1", ""),
        get("/api/map?conversation=1", ""),
        get("/api/fields", ""),
        get("/api/download?format=pcapng&filter=riptide.connect", ""),
        get("/api/download?format=ndjson&only=errors", ""),
        get("/api/events", "\r\nOrigin: http://evil.example"),
        get("/", "\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate"),
        post("/api/explain", r#"{"hex":"10 00 00 00"}"#),
        post("/api/explain", r#"{"hex":"0x10,0","way":"tw-0.6 datagram client"}"#),
        post("/api/explain", r#"{"hex":"zz","way":""}"#),
        post("/api/open?name=x", "\n\r\r\n"),
        post("/api/command", "link both off"),
        post("/api/command", "speed 2\nstop"),
        remote("/?token=0123456789abcdef", ""),
        remote("/api/status", "\r\nCookie: a=b; gamewire_token=0123456789abcdef"),
        remote("/api/packets?limit=2", "\r\nAuthorization: Bearer 0123456789abcdef"),
        remote("/api/status", "\r\nCookie: gamewire_token=0123456789abcde"),
    ];
    let names = (0..).map(|number| format!("{number:02}"));
    names.zip(texts.map(String::into_bytes)).collect()
}

#[test]
fn most_bytes_of_the_corpus_are_explained() {
    let corpus = corpus("explain", pasted());
    let explained = corpus.iter().filter(|bytes| explain(bytes)).count();
    assert!(explained > corpus.len() / 2, "{explained} of {}", corpus.len());
    run_mutants(&corpus, 300, 1_000, |bytes| _ = explain(bytes));
}

#[test]
fn most_requests_of_the_corpus_are_answered() {
    let corpus = corpus("http_request", requests());
    let answered = corpus.iter().filter(|bytes| http_request(bytes) == Some(200)).count();
    assert!(answered > corpus.len() / 2, "{answered} of {}", corpus.len());
    run_mutants(&corpus, 300, 1_000, |bytes| _ = http_request(bytes));
}
