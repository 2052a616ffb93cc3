//! `gamewire join freeciv://…` and `gamewire replay --listen freeciv://…`, on loopback.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use gamewire_freeciv::session::client::PasswordRequest;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Event, LoginPolicy, Server, ServerConfig};
use gamewire_machine::Instant as Moment;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};
use serde_json::Value;

use crate::support::{quit, typed};

/// The bytes that a real server sent in a game of several turns.
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/freeciv/streams/game.bin");

/// Maximum time of a step. It only ends a test that hangs.
const LIMIT: Duration = Duration::from_secs(120);

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

/// A server in this process that runs until it is dropped.
struct TestServer {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    /// Starts a server without game data. `act` handles the events as the application.
    fn start(
        change: impl FnOnce(&mut ServerConfig),
        mut act: impl FnMut(&mut Server, &Event) + Send + 'static,
    ) -> Self {
        let mut config = ServerConfig::new(Definition::default());
        change(&mut config);
        let server = Server::new(config, Moment::ZERO).unwrap();
        let mut host =
            Driver::listen_with(loopback(), Transports::Tcp, server, DriverConfig::default()).unwrap();
        let address = host.local_addr();
        let is_over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            while !until.load(Ordering::Relaxed) {
                let Some(event) = host.next_event(Duration::from_millis(10)).unwrap() else { continue };
                act(host.machine_mut(), &event);
                if let Event::Joined { client, .. } | Event::Packet { client, .. } = event {
                    host.machine_mut().finish_request(client).unwrap();
                }
            }
            host.machine_mut().shut_down();
            host.update().unwrap();
        });
        Self { address, is_over, thread: Some(thread) }
    }

    fn join(&self, arguments: &[&str]) -> Child {
        join(self.address, arguments)
    }

    fn end(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().into_iter().for_each(|thread| thread.join().unwrap());
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.end();
    }
}

fn join(address: SocketAddr, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.arg("join").arg(format!("freeciv://{address}")).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the first event of this kind. Blocks forever if there is none, which fails the test run.
fn wait_for(child: &mut Child, kind: &str) -> (Value, BufReader<std::process::ChildStdout>) {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "no {kind}");
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["event"] == kind {
            return (event, lines);
        }
    }
}

fn error_of(output: &Output) -> String {
    let talk = String::from_utf8(output.stderr.clone()).unwrap();
    let errors: Vec<_> = talk.lines().filter(|line| line.starts_with("error:")).collect();
    assert_eq!((output.status.code(), errors.len()), (Some(1), 1), "{talk}");
    errors[0].to_owned()
}

fn events(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn a_player_leaves_after_the_server_has_processed_its_lines() {
    let count = Arc::new(AtomicUsize::new(0));
    let lines = Arc::clone(&count);
    let server = TestServer::start(
        |_| (),
        move |_, event| {
            lines.fetch_add(usize::from(matches!(event, Event::Packet { .. })), Ordering::Relaxed);
        },
    );
    let text: String = (0..1500).map(|line| format!("{line} {}\n", "x".repeat(1000))).collect();
    let output = typed(server.join(&["--json", "--manual"]), "\"joined\"", &format!("{text}/quit\n"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(count.load(Ordering::Relaxed), 1500);
}

#[test]
fn f9_every_rejection_is_one_sentence() {
    let mut busy = TestServer::start(|_| (), |_, _| ());
    let mut first = busy.join(&["--name", "bot", "--json"]);
    let (_, rest) = wait_for(&mut first, "joined");
    let taken = busy.join(&["--name", "BOT"]).wait_with_output().unwrap();
    assert!(error_of(&taken).contains("rejected the connection: `the name BOT is taken`"), "{taken:?}");
    busy.end();
    let over = first.wait_with_output().unwrap();
    assert!(error_of(&over).contains("is shutting down"), "{over:?}");
    drop(rest);

    let newer =
        TestServer::start(|config| config.capabilities = "+Freeciv-3.3-network new".into(), |_, _| ());
    let lacking = newer.join(&[]).wait_with_output().unwrap();
    let said = "it requires the capability Freeciv-3.3-network, which this client does not have";
    assert!(error_of(&lacking).contains(said), "{lacking:?}");
    assert!(error_of(&lacking).contains("--capabilities with all that the server has"), "{lacking:?}");
    assert!(error_of(&lacking).ends_with("the server has `+Freeciv-3.3-network new`"), "{lacking:?}");

    let asked = TestServer::start(
        |config| config.login_policy = LoginPolicy::Application,
        |server, event| {
            if let Event::LoginRequested { client, .. } = event {
                server.refuse(*client, "no\x1b[2J").unwrap();
            }
        },
    );
    let refused = asked.join(&[]).wait_with_output().unwrap();
    assert!(error_of(&refused).contains(r"rejected the connection: `no\x1b[2J`"), "{refused:?}");
}

#[test]
fn a_password_is_an_option_or_a_line_of_input() {
    let server = TestServer::start(
        |config| config.login_policy = LoginPolicy::Application,
        |server, event| match event {
            Event::LoginRequested { client, .. } => {
                server.ask_password(*client, PasswordRequest::Login, "who are you?").unwrap();
            }
            Event::Password { client, password, .. } if password == "right" => {
                server.accept(*client).unwrap();
            }
            Event::Password { client, .. } => server.wrong_password(*client, "no").unwrap(),
            _ => {}
        },
    );
    let given = quit(server.join(&["--password", "right"]));
    assert_eq!(given.status.code(), Some(0), "{given:?}");
    let mut typing = server.join(&[]);
    typing.stdin.as_mut().unwrap().write_all(b"right\n").unwrap();
    let typed = quit(typing);
    assert_eq!(typed.status.code(), Some(0), "{typed:?}");
    let wrong = server.join(&["--password", "wrong"]).wait_with_output().unwrap();
    assert!(error_of(&wrong).contains("rejected the password of gamewire"), "{wrong:?}");
    let silent = server.join(&[]).wait_with_output().unwrap();
    assert!(error_of(&silent).contains("missing password for gamewire: use --password"), "{silent:?}");
}

#[test]
fn f11_a_truncated_chunk_or_missing_server_is_one_sentence() {
    let listener = TcpListener::bind(loopback()).unwrap();
    let address = listener.local_addr().unwrap();
    let dying = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        assert!(stream.read(&mut [0; 1000]).unwrap() > 0);
        stream.write_all(&std::fs::read(GAME).unwrap()[..5000]).unwrap();
    });
    let cut = join(address, &[]).wait_with_output().unwrap();
    assert!(error_of(&cut).contains("broke in the middle of a packet while joining"), "{cut:?}");
    dying.join().unwrap();
    let silent = join(address, &["--timeout", "1s"]).wait_with_output().unwrap();
    let said = format!("cannot connect to freeciv://{address}: no server is listening at {address}");
    assert!(error_of(&silent).contains(&said), "{silent:?}");
}

#[test]
fn a_silent_server_times_out() {
    let listener = TcpListener::bind(loopback()).unwrap();
    let address = listener.local_addr().unwrap();
    let output = join(address, &["--timeout", "300ms"]).wait_with_output().unwrap();
    assert!(error_of(&output).contains("is it a Freeciv server?"), "{output:?}");
}

#[test]
fn lines_of_standard_input_are_sent_after_joining() {
    let (sender, said) = std::sync::mpsc::channel();
    let server = TestServer::start(
        |_| (),
        move |_, event| {
            if let Event::Packet { packet, .. } = event {
                sender.send((packet.name().to_owned(), packet.text("message"))).unwrap();
            }
        },
    );
    let mut player = server.join(&["--say", "hello", "--start"]);
    player.stdin.take().unwrap().write_all("one\n\n/list players\n".as_bytes()).unwrap();
    for line in ["/start", "hello", "one", "/list players"] {
        let (name, text) = said.recv_timeout(LIMIT).unwrap();
        assert_eq!((name.as_str(), text.as_str()), ("PACKET_CHAT_MSG_REQ", line));
    }
    drop(server);
    player.kill().unwrap();
    player.wait().unwrap();
}

#[test]
fn a_recorded_game_is_replayed_turn_by_turn_and_recorded_again() {
    let mut serving = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["replay", GAME, "--listen", "freeciv://127.0.0.1:0", "--turn-time", "50ms", "--json"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (listening, _rest) = wait_for(&mut serving, "listening");
    assert!(listening["turns"].as_u64().unwrap() > 5, "{listening}");
    let port = listening["port"].as_u64().unwrap();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("govern.pcapng");
    // A recording does not replace a file.
    let _ = std::fs::remove_file(&file);
    let address = format!("127.0.0.1:{port}").parse().unwrap();
    let arguments = ["--json", "--turns", "3", "--record", file.to_str().unwrap()];
    let output = join(address, &arguments).wait_with_output().unwrap();
    serving.kill().unwrap();
    serving.wait().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let reported = events(&output);
    let turns = of_kind(&reported, "turn");
    let years: Vec<i64> = turns.iter().map(|turn| turn["year"].as_i64().unwrap()).collect();
    assert_eq!(years, [-4000, -3950, -3900]);
    for turn in turns {
        assert!(turn["units"].as_u64().unwrap() > 0 && turn["gold"].as_u64().unwrap() > 0, "{turn}");
        let bytes = &turn["bytes"];
        assert!(bytes["without_delta"].as_u64() > bytes["packets"].as_u64(), "{turn}");
    }
    let explained = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["inspect", file.to_str().unwrap(), "-z", "--json"])
        .output()
        .unwrap();
    assert_eq!(explained.status.code(), Some(0), "{explained:?}");
}

#[test]
fn the_environment_sets_the_compression_of_a_replay_as_of_freeciv_server() {
    for (level, has_chunks) in [("0", false), ("9", true), ("-1", true), ("high", true), ("10", true)] {
        let mut serving = Command::new(env!("CARGO_BIN_EXE_gamewire"))
            .args(["replay", GAME, "--listen", "freeciv://127.0.0.1:0", "--json"])
            .env("FREECIV_COMPRESSION_LEVEL", level)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (listening, _rest) = wait_for(&mut serving, "listening");
        let port = u16::try_from(listening["port"].as_u64().unwrap()).unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let mut request =
            b"\0\0\x04alice\0+Freeciv-3.0-network year32 plrculture32 pingfix cityculture32\0\0".to_vec();
        request.extend([0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 6]);
        request[1] = u8::try_from(request.len()).unwrap();
        stream.write_all(&request).unwrap();
        let mut length = [0; 2];
        stream.read_exact(&mut length).unwrap();
        serving.kill().unwrap();
        serving.wait().unwrap();
        // A chunk has a length from 16,385 on.
        assert_eq!(u16::from_be_bytes(length) > 16_384, has_chunks, "{level}: {length:?}");
    }
}

#[test]
fn an_invalid_recording_is_reported_at_the_start() {
    for (name, bytes, part) in [
        ("empty.bin", &b""[..], "contains no Freeciv packet"),
        ("zeros.bin", &[0; 100], "is not a recording of a Freeciv server"),
    ] {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&file, bytes).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_gamewire"))
            .args(["replay", file.to_str().unwrap(), "--listen", "freeciv://127.0.0.1:0"])
            .output()
            .unwrap();
        assert!(error_of(&output).contains(part), "{output:?}");
    }
}
