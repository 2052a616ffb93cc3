//! `gamewire join` with a server in this process, and `gamewire demo`, on loopback.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gamewire_machine::Instant as Moment;
use gamewire_net::blocking::Driver;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::server::{Event, Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, TokenlessPolicy};
use gamewire_teeworlds::{CloseReason, LinkConfig};
use serde_json::Value;

use crate::support::{folder, quit, quit_after, typed};

/// A server of every dialect that runs until it is dropped, and the events of the server.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<Event>>>,
}

impl TestServer {
    pub(crate) fn start(change: impl FnOnce(&mut ServerConfig)) -> Self {
        let mut config = ServerConfig::new([3; 32], "test", Map::new("dm1", vec![9; 5000]));
        config.acceptor = AcceptorConfig {
            tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
            ..AcceptorConfig::vanilla()
        };
        change(&mut config);
        let loopback = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let mut driver =
            Driver::bind(loopback, Server::new(config, WalkingGame::default(), Moment::ZERO)).unwrap();
        let address = driver.local_addr();
        let is_over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let mut seen = Vec::new();
            while !until.load(Ordering::Relaxed) {
                let event = driver.next_event(Duration::from_millis(10)).unwrap();
                if let Some(Event::RconCommand { from, line }) = &event {
                    driver.machine_mut().rcon_line(*from, &format!("ran {line}"));
                }
                seen.extend(event);
            }
            driver.machine_mut().close("the test is over");
            seen.extend(driver.update().unwrap());
            seen
        });
        Self { address, is_over, thread: Some(thread) }
    }

    fn join(&self, scheme: &str, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
        command.arg("join").arg(format!("{scheme}://{}", self.address)).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Joins, and leaves when the player has entered.
    fn visited(&self, scheme: &str, arguments: &[&str]) -> Output {
        quit(self.join(scheme, arguments))
    }

    fn end(mut self) -> Vec<Event> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }
}

fn events(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

fn said(seen: &[Event]) -> Vec<&[u8]> {
    let texts = seen.iter().filter_map(|event| match event {
        Event::Chat { text, .. } => Some(text.as_bytes()),
        _ => None,
    });
    texts.collect()
}

fn error_of(output: &Output) -> String {
    let talk = String::from_utf8(output.stderr.clone()).unwrap();
    let errors: Vec<_> = talk.lines().filter(|line| line.starts_with("error:")).collect();
    assert_eq!(errors.len(), 1, "{talk}");
    errors[0].to_owned()
}

#[test]
fn a_player_leaves_after_its_time() {
    let server = TestServer::start(|_| ());
    let player = server.join("tw-0.7+udp", &["--json", "--duration", "3s"]);
    let output = player.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(of_kind(&events(&output), "closed")[0]["by"], "us");
}

#[test]
fn a_player_sends_its_lines() {
    for (scheme, dialect) in [
        ("tw-0.6.4+udp", "tw-0.6"),
        ("tw-0.6.5+udp", "tw-0.6.5"),
        ("tw-0.6-tken+udp", "tw-0.6-tken"),
        ("tw-0.6+udp", "tw-0.6-tken"),
        ("tw-0.7+udp", "tw-0.7"),
    ] {
        let server = TestServer::start(|_| ());
        let lines = ["--say", "hi there", "--say", "see you"];
        let player = server.join(scheme, &[&["--json", "--name", "me"], lines.as_slice()].concat());
        let output = quit_after(player, "see you");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let reported = events(&output);
        assert_eq!(of_kind(&reported, "connected")[0]["dialect"], dialect);
        assert_eq!(
            of_kind(&reported, "chat").iter().filter(|chat| chat["name"] == "me").count(),
            2,
            "{reported:?}"
        );
        assert_eq!(of_kind(&reported, "closed")[0]["by"], "us");
        assert!(reported.last().unwrap()["snapshots"]["good"].as_u64().unwrap() > 0, "{reported:?}");
        assert_eq!(said(&server.end()), [b"hi there".as_slice(), b"see you"]);
    }
}

#[test]
fn lines_of_standard_input_are_sent() {
    let server = TestServer::start(|_| ());
    let mut player = server.join("tw-0.7+udp", &[]);
    player.stdin.as_mut().unwrap().write_all("one\n\ntwo\n".as_bytes()).unwrap();
    let output = quit_after(player, "two");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(said(&server.end()), [b"one".as_slice(), b"two"]);
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("snapshots"), "the summary: {talk}");
}

#[test]
fn lines_that_were_not_sent_in_time_are_counted_and_an_error() {
    let server = TestServer::start(|_| ());
    let mut player = server.join("tw-0.7+udp", &["--duration", "4s"]);
    let lines: String = (0..1300).map(|line| format!("{line}\n")).collect();
    let mut stdin = player.stdin.take().unwrap();
    let typing = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = player.wait_with_output().unwrap();
    let _ = typing.join().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = error_of(&output);
    let unsent: usize = error.split(' ').find_map(|word| word.parse().ok()).unwrap();
    assert_eq!(said(&server.end()).len() + unsent, 1300, "{error}");
}

#[test]
fn a_player_leaves_after_its_lines_are_sent() {
    let server = TestServer::start(|config| config.rcon_password = "secret".into());
    let player = server.join("tw-0.7+udp", &["--json", "--rcon", "secret"]);
    let commands = (0..1500).map(|number| format!("{{\"command\":\"rcon\",\"line\":\"{number}\"}}\n"));
    let lines: String = commands.chain(["one\n".into(), "two\n".into(), "/quit\n".into()]).collect();
    let output = typed(player, "\"rcon_auth\"", &lines);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let seen = server.end();
    assert_eq!(seen.iter().filter(|event| matches!(event, Event::RconCommand { .. })).count(), 1500);
    assert_eq!(said(&seen), [b"one".as_slice(), b"two"]);
}

#[test]
fn a_line_that_is_too_long_is_an_error_with_its_size() {
    let server = TestServer::start(|_| ());
    let long = "x".repeat(4000);
    let output = server.join("tw-0.7+udp", &["--say", &long]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(error_of(&output).contains("too long: 4004 bytes, at most"), "{output:?}");
}

#[test]
fn the_remote_console_runs_a_command_or_reports_an_error() {
    let server = TestServer::start(|config| config.rcon_password = "secret".into());
    let player = server.join("tw-0.6+udp", &["--json", "--rcon", "secret", "--command", "status"]);
    let reported = events(&quit_after(player, "ran status"));
    assert!(of_kind(&reported, "rcon_line").iter().any(|line| line["line"] == "ran status"), "{reported:?}");
    let player = server.join("tw-0.6+udp", &["--rcon", "wrong", "--command", "status"]);
    let refused = player.wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(error_of(&refused).contains("rejected the password of its remote console"), "{refused:?}");
}

#[test]
fn a_map_is_downloaded_once_and_an_unusable_folder_is_reported() {
    let (server, folder) = (TestServer::start(|_| ()), folder("downloaded-maps"));
    let arguments = ["--json", "--map-dir", folder.to_str().unwrap()];
    let sources: Vec<_> = (0..2)
        .map(|_| {
            let reported = events(&server.visited("tw-0.7+udp", &arguments));
            of_kind(&reported, "map")[0]["source"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(sources, ["downloaded", "cached"]);
    let file = folder.join("a file");
    std::fs::write(&file, "").unwrap();
    let player = server.join("tw-0.7+udp", &["--map-dir", file.to_str().unwrap()]);
    let output = player.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error_of(&output).contains("cannot use the map folder"), "{output:?}");
}

#[test]
fn traffic_of_the_socket_is_recorded_and_can_be_inspected() {
    let (server, folder) = (TestServer::start(|_| ()), folder("recorded-session"));
    let file = folder.join("session.pcapng");
    let path = file.to_str().unwrap();
    let reported = events(&server.visited("tw-0.6.5+udp", &["--json", "--record", path]));
    let crossed = &reported.last().unwrap()["datagrams"];
    let crossed = crossed["sent"].as_u64().unwrap() + crossed["received"].as_u64().unwrap();
    let explained = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["inspect", path, "-z", "--json"])
        .output()
        .unwrap();
    assert_eq!(explained.status.code(), Some(0), "{explained:?}");
    let totals: Value = serde_json::from_slice(&explained.stdout).unwrap();
    assert_eq!(totals["frames"]["datagrams"], crossed);
}

#[test]
fn the_recording_of_a_killed_player_has_its_session() {
    let (server, folder) = (TestServer::start(|_| ()), folder("killed-session"));
    let file = folder.join("session.pcapng");
    let path = file.to_str().unwrap();
    let mut player = server.join("tw-0.7+udp", &["--json", "--record", path]);
    let mut lines = BufReader::new(player.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("\"entered\"")));
    player.stdin.as_mut().unwrap().write_all(b"hello\n").unwrap();
    assert!(lines.any(|line| line.unwrap().contains("\"chat\"")));
    player.kill().unwrap();
    player.wait().unwrap();
    let shown = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["inspect", path, "-Y", "teeworlds.enter_game"])
        .output()
        .unwrap();
    assert_eq!(shown.status.code(), Some(0), "{shown:?}");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("enter_game"), "{shown:?}");
}

#[test]
fn rejections_and_timeouts_are_one_sentence() {
    let server = TestServer::start(|config| config.password = "right".into());
    let player = server.join("tw-0.7+udp", &["--password", "not it"]);
    let output = player.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error_of(&output).contains("Wrong password"), "{output:?}");
    let address = server.address;
    server.end();
    for scheme in ["tw-0.6+udp", "tw-0.7+udp", "teeworlds"] {
        let url = format!("{scheme}://{address}");
        let began = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_gamewire"))
            .args(["join", &url, "--timeout", "500ms"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(error_of(&output).contains("no answer from"), "{output:?}");
        assert!(began.elapsed() < Duration::from_secs(10), "the timeout without the option");
    }
}

#[test]
fn with_reconnect_a_player_tries_again_after_a_timeout() {
    let server = TestServer::start(|_| ());
    let url = format!("tw-0.6+udp://{}", server.address);
    server.end();
    let output = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["join", &url, "--reconnect", "--timeout", "300ms", "--duration", "6s", "--json"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "never entered: {output:?}");
    let reported = events(&output);
    let tries = of_kind(&reported, "closed");
    assert!(tries.len() >= 2 && tries.iter().all(|closed| closed["by"] == "failure"), "{reported:?}");
}

#[test]
fn the_end_of_the_server_is_reported() {
    let server = TestServer::start(|_| ());
    let mut player = server.join("tw-0.6+udp", &["--json"]);
    let mut lines = BufReader::new(player.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("\"entered\"")));
    server.end();
    let output = player.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error_of(&output).contains("the test is over"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn sigterm_disconnects_the_player() {
    let server = TestServer::start(|_| ());
    let mut child = server.join("tw-0.7+udp", &["--json"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("\"entered\"")));
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(rest.iter().any(|line| line.contains("\"by\":\"us\"")), "{rest:?}");
    let seen = server.end();
    let left = |event: &Event| matches!(event, Event::Closed { reason: CloseReason::PeerClosed { .. }, .. });
    assert!(seen.iter().any(left), "{seen:?}");
}

#[test]
fn the_demo_plays_every_dialect_and_decodes_all_traffic() {
    let output = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["demo", "--duration", "9s", "--json", "--players", "1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let reported = events(&output);
    let (totals, players) = reported.split_last().unwrap();
    let dialects: Vec<_> = players.iter().map(|player| player["dialect"].as_str().unwrap()).collect();
    let (teeworlds, others) = players.split_at(4);
    let (riptide, freeciv) = others.split_at(4);
    assert_eq!(dialects[..4], ["tw-0.6", "tw-0.6.5", "tw-0.6-tken", "tw-0.7"]);
    assert_eq!(dialects[4..8], ["riptide-2.0", "riptide-2.0", "riptide-2.1", "riptide-2.1"]);
    assert_eq!(dialects[8..], ["freeciv-3.0"]);
    assert!(teeworlds.iter().all(|player| player["snapshots"].as_u64().unwrap() > 20), "{players:?}");
    assert!(riptide.iter().all(|player| player["relayed"].as_u64().unwrap() > 20), "{players:?}");
    assert!(freeciv.iter().all(|player| player["turns"].as_u64().unwrap() > 3), "{players:?}");
    for none in ["errors", "checksum_errors", "corrupted", "desynced_turns"] {
        assert_eq!(totals[none], 0, "{totals}");
    }
}
