//! `proxy --rotate-size` with players: every file can be read alone.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{folder, run, text};
use crate::teeworlds_play::TestServer;

/// Starts a command with `--json`, and returns its port.
fn start(arguments: &[&str]) -> (Child, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(arguments)
        .arg("--json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains(r#""listening""#) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "{arguments:?}");
    }
    // A program whose output is not read would wait.
    std::thread::spawn(move || lines.lines().count());
    let event: Value = serde_json::from_str(&line).unwrap();
    (child, event["port"].as_u64().unwrap())
}

fn stop(mut child: Child, command: &str) {
    // A program that has ended takes no commands.
    let _ = writeln!(child.stdin.take().unwrap(), "{command}");
    child.wait().unwrap();
}

/// Returns the totals of a capture.
fn totals(file: &Path) -> Value {
    let output = run(&["inspect", "-q", "--json", "-z", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}: {output:?}", file.display());
    serde_json::from_str(&text(&output)).unwrap()
}

/// Returns the number of messages or items from both sides, by name.
fn counts(totals: &Value, of: &str) -> BTreeMap<String, u64> {
    let list = totals[of].as_array().unwrap();
    let count = |entry: &Value| entry["client"].as_u64().unwrap() + entry["server"].as_u64().unwrap();
    let named = list.iter().map(|entry| (entry["name"].as_str().unwrap().to_owned(), count(entry)));
    named.collect()
}

fn recorded(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn twelve_players_in_small_files_are_followed_in_each_of_them() {
    let folder = folder("rotated-players");
    let server = TestServer::start(|config| config.max_clients_per_address = 12);
    let (parts, whole) = (folder.join("parts"), folder.join("whole.pcapng"));
    let to = server.address.to_string();
    let listen = ["proxy", "--listen", "teeworlds://127.0.0.1:0", "--to"];
    // Two proxies in a row see the same datagrams.
    let inner = [&listen[..], &[&to, "--record", whole.to_str().unwrap()]].concat();
    let (inner, port) = start(&inner);
    let to = format!("127.0.0.1:{port}");
    let directory = format!("{}/", parts.display());
    let outer = [&listen[..], &[&to, "--record", &directory, "--rotate-size", "100K"]].concat();
    let (outer, port) = start(&outer);
    let players: Vec<_> = (0..12)
        .map(|number| {
            let scheme = ["tw-0.7", "tw-0.6.5", "tw-0.6-tken"][number % 3];
            Command::new(env!("CARGO_BIN_EXE_gamewire"))
                .args(["join", &format!("{scheme}+udp://127.0.0.1:{port}"), "--duration", "12s", "-q"])
                .args(["--name", &format!("p{number}"), "--say", "hello"])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut player in players {
        assert!(player.wait().unwrap().success());
    }
    stop(outer, r#"{"command":"stop"}"#);
    stop(inner, r#"{"command":"stop"}"#);
    let whole = totals(&whole);
    let files = recorded(&parts);
    assert!(files.len() >= 4, "{} files", files.len());
    let (mut messages, mut items) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    for file in &files {
        let part = totals(file);
        assert!(!part.to_string().contains("missing_base"), "{}: {part}", file.display());
        for (of, sums) in [("messages", &mut messages), ("items", &mut items)] {
            counts(&part, of).into_iter().for_each(|(name, count)| *sums.entry(name).or_default() += count);
        }
    }
    assert_eq!((messages, items), (counts(&whole, "messages"), counts(&whole, "items")));
    let state = text(&run(&["inspect", "-q", "--state", files.last().unwrap().to_str().unwrap()]));
    assert!(state.contains("snap"), "{state}");
    let first = text(&run(&["inspect", "-q", "--state", files[0].to_str().unwrap()]));
    assert_eq!(first, "", "nothing came before the first file");
}
