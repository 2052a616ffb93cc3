//! `gamewire serve riptide` and `gamewire join riptide://…`, on loopback.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::quit_after;

/// Maximum time of a step. It only ends a test that hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// A running command with `--json`, with its events and its standard input. It is killed when it is dropped.
pub(crate) struct Running {
    child: Child,
    stdin: ChildStdin,
    events: Arc<Mutex<Vec<Value>>>,
    reader: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    pub(crate) fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
            .args(arguments)
            .envs(environment.iter().copied())
            .arg("--json")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&events);
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                heard.lock().unwrap().push(serde_json::from_str(&line.unwrap()).unwrap());
            }
        });
        Self { child, stdin, events, reader: Some(reader) }
    }

    /// Starts a relay on a free port, and returns the port.
    pub(crate) fn serve(arguments: &[&str]) -> (Self, u64) {
        let server = Self::start(&[&["serve", "riptide", "--bind", "127.0.0.1:0"], arguments].concat());
        let port = server.wait_for("listening", 1)[0]["port"].as_u64().unwrap();
        (server, port)
    }

    pub(crate) fn join(kind: &str, port: u64, arguments: &[&str]) -> Self {
        Self::start(&[&["join", &format!("riptide-{kind}://127.0.0.1:{port}")], arguments].concat())
    }

    fn all(&self, kind: &str) -> Vec<Value> {
        self.events.lock().unwrap().iter().filter(|event| event["event"] == kind).cloned().collect()
    }

    pub(crate) fn wait_for(&self, kind: &str, count: usize) -> Vec<Value> {
        let began = Instant::now();
        loop {
            let found = self.all(kind);
            if found.len() >= count {
                return found;
            }
            assert!(began.elapsed() < LIMIT, "{count} of {kind}: {:?}", self.events.lock().unwrap());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    #[cfg(unix)]
    pub(crate) fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// Waits for the command to exit. Returns its exit code and its events.
    pub(crate) fn end(mut self) -> (i32, Vec<Value>) {
        let status = self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        let events = self.events.lock().unwrap().clone();
        (status.code().unwrap(), events)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

pub(crate) fn scratch(name: &str, content: &str) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, content).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_client_leaves_after_its_messages_have_arrived() {
    for kind in ["2.1+udp", "2.1+tcp", "2.0+udp"] {
        let (mut server, port) = Running::serve(&["--echo", "--relay", "none"]);
        let mut client = Running::join(kind, port, &[]);
        client.wait_for("connected", 1);
        let long = "ab".repeat(1000);
        for _ in 0..8000 {
            client.type_line(&format!("10 hex:{long}"));
        }
        client.type_line("leave");
        let (code, events) = client.end();
        assert_eq!((code, &of_kind(&events, "summary")[0]["messages"]["sent"]), (0, &json!(8000)), "{kind}");
        server.type_line("stop");
        let (_, events) = server.end();
        assert_eq!(of_kind(&events, "message").len(), 8000, "{kind}");
    }
}

#[test]
fn a_message_that_is_too_long_is_an_error_with_its_size() {
    let (_server, port) = Running::serve(&[]);
    let message = format!("10 bytes:{}", "ab".repeat(4096));
    let output = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["join", &format!("riptide://127.0.0.1:{port}"), "--send", &message])
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("4098 bytes of values exceed the maximum of 1227 bytes; split them"), "{error}");
}

#[test]
fn clients_of_both_formats_and_transports_receive_each_others_messages() {
    let messages = scratch(
        "room.toml",
        "[[message]]\nid = 10\nname = \"door\"\nfields = [\"number: int\", \"is_open: bool\", \"is_locked: bool\"]\n",
    );
    let (mut server, port) = Running::serve(&["--messages", &messages]);
    let kinds = ["2.0+udp", "2.0+tcp", "2.1+udp", "2.1+tcp"];
    let mut clients = kinds.map(|kind| Running::join(kind, port, &["--messages", &messages]));
    for client in &clients {
        client.wait_for("connected", 1);
    }
    for (client, number) in clients.iter_mut().zip(0..) {
        client.type_line(&format!("door number={number} is_open=true is_locked=false"));
    }
    for (client, number) in clients.iter().zip(0..) {
        let mut heard: Vec<Value> =
            client.wait_for("message", 3).iter().map(|event| event["fields"].clone()).collect();
        heard.sort_by_key(|fields| fields["number"].as_i64());
        let others = (0..4).filter(|other| *other != number);
        let expected: Vec<Value> =
            others.map(|other| json!({"number": other, "is_open": true, "is_locked": false})).collect();
        assert_eq!(heard, expected, "what {} heard", kinds[number]);
    }
    server.type_line("stop");
    for (client, kind) in clients.into_iter().zip(kinds) {
        let (code, events) = client.end();
        assert_eq!(
            (code, &of_kind(&events, "disconnected")[0]["reason"]),
            (1, &"ServerStopped".into()),
            "{kind}"
        );
    }
    let (code, events) = server.end();
    assert_eq!(code, 0);
    let mut came: Vec<_> = of_kind(&events, "client_connected")
        .iter()
        .map(|event| {
            format!("{}+{}", event["version"].as_str().unwrap(), event["transport"].as_str().unwrap())
        })
        .collect();
    came.sort();
    assert_eq!(came, ["2.0+tcp", "2.0+udp", "2.1+tcp", "2.1+udp"]);
    let summary = events.last().unwrap();
    assert_eq!(
        (&summary["messages"], &summary["relayed"], &summary["untranslated"]),
        (&4.into(), &4.into(), &0.into())
    );
}

#[test]
fn wrong_connect_data_is_rejected_and_a_kick_has_a_message() {
    let expected = ["--require-data", "string:open", "--reject-data", "byte:7"];
    let (mut server, port) = Running::serve(&expected);
    for kind in ["2.0+udp", "2.1+tcp"] {
        let (code, events) = Running::join(kind, port, &["--connect-data", "string:shut"]).end();
        let refused = of_kind(&events, "refused")[0];
        assert_eq!((code, &refused["reason"]), (1, &"Custom".into()), "{kind}");
        assert!(refused["hex"].as_str().unwrap().starts_with("07"), "{refused}");
    }
    let friend = Running::join("2.1+udp", port, &["--connect-data", "string:open"]);
    let id = &friend.wait_for("connected", 1)[0]["client"];
    server.type_line(&format!("kick {id} string:bye"));
    let (code, events) = friend.end();
    let end = of_kind(&events, "disconnected")[0];
    assert_eq!((code, &end["reason"]), (1, &"Kicked".into()));
    assert!(end["hex"].as_str().unwrap().starts_with("03627965"), "{end}");
    assert_eq!(server.wait_for("client_disconnected", 1)[0]["reason"], "Kicked");
    server.type_line("stop");
    let (_, events) = server.end();
    assert_eq!(of_kind(&events, "refused").len(), 2);
    assert_eq!(events.last().unwrap()["refused"], 2);
}

#[test]
fn a_client_leaves_after_its_time() {
    let (mut server, port) = Running::serve(&[]);
    let (code, events) = Running::join("2.1+udp", port, &["--duration", "3s"]).end();
    assert_eq!((code, of_kind(&events, "connected").len()), (0, 1), "{events:?}");
    server.type_line("stop");
    server.end();
}

#[test]
fn an_echo_keeps_its_mode() {
    let (mut server, port) = Running::serve(&["--relay", "none", "--echo"]);
    let sent = ["--send", "unreliable 10 int:5", "--send", "notify byte:9", "--send", "11 string:hi"];
    let mut client = Running::join("2.1+udp", port, &sent);
    client.wait_for("message", 3);
    client.type_line("/quit");
    let (code, events) = client.end();
    assert_eq!(code, 0);
    let mut heard: Vec<_> = of_kind(&events, "message")
        .iter()
        .map(|event| (event["mode"].as_str().unwrap(), event["id"].as_u64(), event["hex"].as_str().unwrap()))
        .map(|(mode, id, hex)| (mode, id, hex.trim_end_matches("00").to_owned()))
        .collect();
    heard.sort();
    let expected = [("notify", None, "09"), ("reliable", Some(11), "026869"), ("unreliable", Some(10), "05")];
    assert_eq!(heard, expected.map(|(mode, id, hex)| (mode, id, hex.to_owned())));
    assert_eq!(events.last().unwrap()["messages"], json!({"sent": 3, "received": 3}));
    assert_eq!(server.wait_for("client_disconnected", 1)[0]["reason"], "Disconnected");
    server.type_line("stop");
    server.end();
}

#[test]
fn a_client_that_never_connects_fails() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = u64::from(silent.local_addr().unwrap().port());
    let (code, events) = Running::join("2.1+udp", port, &["--for", "300ms"]).end();
    assert_eq!((code, of_kind(&events, "connected").len()), (1, 0), "{events:?}");
}

#[test]
fn the_log_is_on_standard_error_and_has_the_datagrams_if_asked_twice() {
    let (mut server, port) = Running::serve(&[]);
    let url = format!("riptide-2.1+udp://127.0.0.1:{port}");
    for (option, has_datagrams) in [("-v", false), ("-vv", true)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
        command.args([option, "join", &url]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = quit_after(command.spawn().unwrap(), "connected");
        let (log, data) =
            (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
        assert!(log.contains("s  INFO connected as client "), "{log}");
        assert_eq!(log.contains("s TRACE sent 1 bytes to 127.0.0.1:"), has_datagrams, "{log}");
        assert!(!data.contains("INFO"), "{data}");
    }
    server.type_line("stop");
    assert_eq!(server.end().0, 0);
}
